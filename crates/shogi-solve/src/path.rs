//! The path from the root to the current position of a search.

use rustc_hash::FxHashMap;

use shogi_mate::map_bytes;

/// The positions on the path from the root, each with a frame and with the list of its moves.
///
/// All lists lie in one array, one after the other. A path may be tens of thousands of positions long; it stays
/// within a number of bytes, and a search goes no deeper when it is full. The search keeps game-specific data,
/// positions and moves, beside it.
pub(crate) struct Path<F, C> {
    frames: Vec<Level<F>>,
    /// The moves of all positions.
    children: Vec<C>,
    /// The depth of each position, by key.
    depths: FxHashMap<u64, u32>,
    bytes: usize,
    /// Bytes of a position and of a move, including the search's data.
    sizes: (usize, usize),
}

/// A position on the path.
struct Level<F> {
    frame: F,
    key: u64,
    /// Where its moves begin.
    start: usize,
}

impl<F, C> Path<F, C> {
    /// An empty path that is full at this many bytes, with a position and a move of these types beside each
    /// frame and each of its moves.
    pub(crate) fn within<P, M>(bytes: usize) -> Self {
        let (frames, children) = (Vec::new(), Vec::new());
        let sizes = (size_of::<(P, Level<F>)>(), size_of::<(M, C)>());
        Self { frames, children, depths: FxHashMap::default(), bytes, sizes }
    }

    /// Bytes of this many positions with this many moves.
    const fn bytes_of(&self, frames: usize, children: usize) -> usize {
        frames * self.sizes.0 + map_bytes::<u32>(frames) + children * self.sizes.1
    }

    /// Bytes in use, reserved capacity included.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes_of(self.frames.capacity(), self.children.capacity())
    }

    /// Whether the search should go no deeper: one more position, with as many moves as positions
    /// mostly have, might take the lists past the bytes.
    pub(crate) fn is_full(&self) -> bool {
        const MOVES: usize = 64;
        let frames = grown(self.frames.len() + 1);
        let children = grown(self.children.len() + MOVES);
        self.bytes_of(frames, children) > self.bytes
    }

    /// Clears the path.
    pub(crate) fn clear(&mut self) {
        self.frames.clear();
        self.children.clear();
        self.depths.clear();
    }

    /// Puts a position below the last one, without moves yet.
    #[inline]
    pub(crate) fn enter(&mut self, key: u64, frame: F) {
        self.depths.insert(key, self.frames.len() as u32);
        grow(&mut self.frames);
        self.frames.push(Level { frame, key, start: self.children.len() });
    }

    /// Adds a move to the last position.
    #[inline]
    pub(crate) fn add(&mut self, child: C) {
        grow(&mut self.children);
        self.children.push(child);
    }

    /// Removes the last position. The root's frame stays, so that its moves can be read, but the root is no
    /// longer on the path.
    pub(crate) fn leave(&mut self) {
        let Some(last) = self.frames.last() else { return };
        self.depths.remove(&last.key);
        if self.frames.len() > 1 {
            self.children.truncate(last.start);
            self.frames.pop();
        }
    }

    /// Number of moves of all positions together.
    pub(crate) fn moves(&self) -> usize {
        self.children.len()
    }

    /// Number of positions.
    pub(crate) fn len(&self) -> usize {
        self.frames.len()
    }

    /// The depth of the last position, 0 for the root.
    pub(crate) fn depth(&self) -> usize {
        self.frames.len().saturating_sub(1)
    }

    /// The depth of a position that would be put below the last one, or be the root.
    pub(crate) fn depth_below(&self) -> u32 {
        self.frames.len() as u32
    }

    /// The depth of a position that is on the path.
    #[inline]
    pub(crate) fn depth_of(&self, key: u64) -> Option<u32> {
        self.depths.get(&key).copied()
    }

    /// Marks a position without a frame as on the path, until [`unmark`](Self::unmark).
    pub(crate) fn mark(&mut self, key: u64, depth: u32) {
        self.depths.insert(key, depth);
    }

    /// See [`Self::mark`].
    pub(crate) fn unmark(&mut self, key: u64) {
        self.depths.remove(&key);
    }

    /// The root's frame and moves, if there was a search.
    pub(crate) fn root(&self) -> Option<(&F, &[C])> {
        let root = self.frames.first()?;
        let end = self.frames.get(1).map_or(self.children.len(), |next| next.start);
        Some((&root.frame, &self.children[..end]))
    }

    /// The last position's frame and moves. There must be a root.
    #[inline]
    pub(crate) fn last(&self) -> (&F, &[C]) {
        let level = &self.frames[self.depth()];
        (&level.frame, &self.children[level.start..])
    }

    /// The last position's frame and moves, mutable. There must be a root.
    #[inline]
    pub(crate) fn last_mut(&mut self) -> (&mut F, &mut [C]) {
        let depth = self.depth();
        let level = &mut self.frames[depth];
        (&mut level.frame, &mut self.children[level.start..])
    }
}

/// The new capacity of a list that needs room for one more item than `length`.
const fn grown(length: usize) -> usize {
    length + length / 8 + 64
}

/// Makes room for one more item.
#[inline]
pub(crate) fn grow<T>(list: &mut Vec<T>) {
    if list.len() == list.capacity() {
        list.reserve_exact(grown(list.len()) - list.len());
    }
}

#[cfg(test)]
mod tests {
    use testing::random::Random;

    use super::*;

    /// A path with a list for each position.
    #[derive(Default)]
    struct Naive {
        levels: Vec<(u64, u64, Vec<u64>)>,
    }

    #[test]
    fn a_path_is_a_list_of_lists_within_its_bytes() {
        let mut path = Path::within::<(), ()>(1 << 16);
        let mut naive = Naive::default();
        let mut random = Random::new(1);
        let mut below = |limit: usize| random.below(limit) as u64;
        let mut filled = 0;
        for step in 0..200_000_u64 {
            // In turns mostly down and mostly up.
            let down = below(10) < if step / 20_000 % 2 == 0 { 6 } else { 4 };
            if naive.levels.is_empty() || down && !path.is_full() {
                if naive.levels.is_empty() {
                    path.clear();
                }
                path.enter(step, !step);
                let moves: Vec<_> = (0..below(30)).collect();
                moves.iter().for_each(|&mv| path.add(mv));
                naive.levels.push((step, !step, moves));
            } else {
                filled += u64::from(path.is_full());
                path.leave();
                naive.levels.pop();
            }
            assert!(path.bytes() <= 1 << 16, "{}", path.bytes());
            let Some((_, frame, moves)) = naive.levels.last() else { continue };
            assert_eq!(path.last(), (frame, &moves[..]));
            assert_eq!(path.depth() + 1, naive.levels.len());
            assert_eq!(path.root(), naive.levels.first().map(|(_, f, moves)| (f, &moves[..])));
            if step % 100 == 0 {
                for (depth, (key, ..)) in naive.levels.iter().enumerate() {
                    assert_eq!(path.depth_of(*key), Some(depth as u32));
                }
                assert_eq!(path.depth_of(step + 1), None);
            }
        }
        assert!(filled > 1_000, "it was never full: {filled}");
    }
}
