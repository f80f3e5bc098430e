//! Subsets and their numbers: the combinatorial number system.

/// One more than the most pieces of a kind that a hand, and so a set, can hold.
const CHOICES: usize = 32;
/// One more than the most squares of a board.
const PLACES: usize = 129;

/// Pascal's triangle, as far as boards and sets go, by size of the subset first, since that is how
/// it is searched; the largest entry is below 2^101.
static BINOMIALS: [[u128; PLACES]; CHOICES] = {
    let mut table = [[0; PLACES]; CHOICES];
    let mut n = 0;
    while n < PLACES {
        table[0][n] = 1;
        let mut k = 1;
        while n > 0 && k < CHOICES {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The pairs of positions below 128 in colex order, the higher position first; 8128 of them, and
/// padding to a power of two, so that a mask replaces the bounds check.
static PAIRS: [[u8; 2]; 8192] = {
    let mut table = [[0; 2]; 8192];
    let (mut high, mut i) = (1, 0);
    while high < 128 {
        let mut low = 0;
        while low < high {
            table[i] = [high, low];
            low += 1;
            i += 1;
        }
        high += 1;
    }
    table
};

/// Number of subsets of `k` of `n` elements, for n up to 128 and k up to 31.
pub(crate) fn binomial(n: usize, k: usize) -> u128 {
    BINOMIALS[k][n]
}

/// Calls `take` with the members of subset number `index` among those of `k` members, in colex
/// order, from the highest member down.
///
/// Colex numbers do not depend on how many elements there are to choose from, so one table of
/// pairs serves all; pairs are what shogi variants have most of. Larger subsets are read off
/// greedily: the highest member is the largest m with C(m, k) <= index.
#[inline(always)]
pub(crate) fn colex_members(index: u128, k: u32, mut take: impl FnMut(usize)) {
    match k {
        0 => {}
        1 => take(index as usize),
        2 => {
            let [high, low] = PAIRS[index as usize & (PAIRS.len() - 1)];
            take(usize::from(high));
            take(usize::from(low));
        }
        _ => {
            let (mut rest, mut bound) = (index, PLACES);
            for row in BINOMIALS[1..=k as usize].iter().rev() {
                let above = row[..bound].partition_point(|&subsets| subsets <= rest);
                // Each member is below the one before it.
                bound = above.saturating_sub(1);
                rest -= row[bound];
                take(bound);
            }
        }
    }
}

/// Sorts a subset as [`colex_index`] takes it: by insertion, since members come in nearly ascending order.
pub(crate) fn sort_ascending(members: &mut [u8]) {
    for sorted in 1..members.len() {
        let mut place = sorted;
        while place > 0 && members[place - 1] > members[place] {
            members.swap(place - 1, place);
            place -= 1;
        }
    }
}

/// The number of a subset in colex order; its members ascend.
pub(crate) fn colex_index(members: &[u8]) -> u128 {
    members.iter().zip(1..).map(|(&member, k)| binomial(usize::from(member), k)).sum()
}

/// Subset number `index` of `k` of `n` elements in lexicographic order, members ascending.
pub(crate) fn lex_members(mut index: u64, k: usize, n: usize) -> Vec<usize> {
    let mut members = Vec::with_capacity(k);
    for element in 0..n {
        let open = k - members.len();
        if open == 0 {
            break;
        }
        let with_it = binomial(n - element - 1, open - 1) as u64;
        if index < with_it {
            members.push(element);
        } else {
            index -= with_it;
        }
    }
    members
}

/// The number of a subset of `n` elements in lexicographic order; members ascending.
pub(crate) fn lex_index(members: &[usize], n: usize) -> u64 {
    let (mut index, mut next) = (0, 0);
    for (i, &member) in members.iter().enumerate() {
        let open = members.len() - i;
        index += (next..member).map(|e| binomial(n - e - 1, open - 1) as u64).sum::<u64>();
        next = member + 1;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every subset of `k` of `n` elements, members ascending, in colex order.
    fn colex_subsets(k: u32, n: u8) -> Vec<Vec<u8>> {
        let with_k_bits = (0u32..1 << n).filter(|bits| bits.count_ones() == k);
        with_k_bits.map(|bits| (0..n).filter(|i| bits >> i & 1 == 1).collect()).collect()
    }

    #[test]
    fn colex_numbers_subsets_as_binary_numbers_do() {
        for k in 0..=5 {
            for (index, subset) in colex_subsets(k, 11).into_iter().enumerate() {
                let mut members = Vec::new();
                colex_members(index as u128, k, |member| members.insert(0, member as u8));
                assert_eq!(members, subset);
                assert_eq!(colex_index(&members), index as u128);
            }
        }
    }

    #[test]
    fn lex_numbers_ascending_lists_in_dictionary_order() {
        for k in 0..=4 {
            let mut subsets: Vec<Vec<usize>> = colex_subsets(k, 9)
                .into_iter()
                .map(|s| s.into_iter().map(usize::from).collect())
                .collect();
            subsets.sort();
            for (index, subset) in subsets.into_iter().enumerate() {
                assert_eq!(lex_members(index as u64, k as usize, 9), subset);
                assert_eq!(lex_index(&subset, 9), index as u64);
            }
        }
    }

    #[test]
    fn the_largest_binomials_fit() {
        assert_eq!(binomial(81, 18), 456_703_981_505_085_600);
        assert!(binomial(128, 31) < 1 << 101);
    }
}
