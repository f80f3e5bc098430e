//! Movements in Betza's notation, as far as a text can define them: `fNsW` is a jump forward as a knight, or a
//! step sideways.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A ray of any length.
const FAR: u8 = 0;

/// Why a text cannot define a movement.
pub(super) type Reason = &'static str;

const IN_PASSING: Reason = "no piece here captures another that passes by it";
const HOPS: Reason =
    "a slide here ends at the first piece, and no piece hops over others as it slides";
const LAME: Reason = "a jump here passes over whatever stands between";
const UNKNOWN: Reason = "this movement is not understood";

/// The eight directions: squares forward, squares to the right, and the name in texts.
const DIRECTIONS: [(i8, i8, &str); 8] = [
    (1, 0, "F"),
    (-1, 0, "B"),
    (0, -1, "L"),
    (0, 1, "R"),
    (1, -1, "FL"),
    (1, 1, "FR"),
    (-1, -1, "BL"),
    (-1, 1, "BR"),
];

/// How a piece moves to empty squares, and how it captures.
#[derive(Default)]
pub(super) struct Reach {
    moves: Paths,
    captures: Paths,
}

/// Rays and jumps.
#[derive(Clone, PartialEq, Eq, Default)]
struct Paths {
    /// The direction and the range of each ray.
    rays: BTreeSet<(usize, u8)>,
    /// Squares forward and to the right of each jump.
    jumps: BTreeSet<(i8, i8)>,
}

/// The movement of a piece by its name in Fairy-Stockfish.
pub(super) fn of_name(name: &str) -> Option<&'static str> {
    Some(match name {
        // It also moves two squares and promotes to a choice of pieces, which the importer refuses.
        "pawn" => "fmWfceF",
        "knight" => "N",
        "bishop" => "B",
        "rook" => "R",
        "queen" => "Q",
        "fers" => "F",
        "alfil" => "A",
        "fersAlfil" => "FA",
        "silver" => "FfW",
        "aiwok" => "RNF",
        "bers" => "RF",
        "archbishop" => "BN",
        "chancellor" => "RN",
        "amazon" => "QN",
        "knibis" => "mNcB",
        "biskni" => "mBcN",
        "kniroo" => "mNcR",
        "rookni" => "mRcN",
        "shogiPawn" => "fW",
        "lance" => "fR",
        "shogiKnight" => "fN",
        "gold" => "WfF",
        "dragonHorse" => "BW",
        "clobber" => "cW",
        "breakthrough" => "fmWfF",
        "immobile" => "",
        "cannon" => "mRcpR",
        "janggiCannon" => "pR",
        "soldier" => "fsW",
        "horse" => "nN",
        "elephant" => "nA",
        "janggiElephant" => "nZ",
        "banner" => "RcpRnN",
        "wazir" => "W",
        "commoner" | "king" => "K",
        "centaur" => "KN",
        _ => return None,
    })
}

impl Reach {
    /// Reads a movement.
    pub(super) fn of(betza: &str) -> Result<Self, Reason> {
        let mut reach = Self::default();
        let mut rest = betza.trim();
        while !rest.is_empty() {
            let atom = rest.find(|c: char| c.is_ascii_uppercase()).ok_or(UNKNOWN)?;
            let (modifiers, behind) = rest.split_at(atom);
            let letter = behind.chars().next().ok_or(UNKNOWN)?;
            let behind = &behind[1..];
            if behind.starts_with(letter) {
                return Err("a piece here slides over single squares, and does not repeat a jump");
            }
            let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
            let range = match &behind[..digits] {
                "" => None,
                digits => Some(digits.parse::<u8>().map_err(|_| UNKNOWN)?),
            };
            reach.add(modifiers, letter, range)?;
            rest = &behind[digits..];
        }
        Ok(reach)
    }

    /// Adds the moves of an atom.
    fn add(&mut self, modifiers: &str, atom: char, range: Option<u8>) -> Result<(), Reason> {
        let mut ways = String::new();
        for modifier in modifiers.chars() {
            match modifier {
                'f' | 'b' | 'l' | 'r' | 's' | 'v' => ways.push(modifier),
                'm' | 'c' => {}
                'e' => return Err(IN_PASSING),
                'p' | 'g' => return Err(HOPS),
                'n' | 'j' => return Err(LAME),
                _ => return Err(UNKNOWN),
            }
        }
        let (only_moves, only_captures) = (modifiers.contains('m'), modifiers.contains('c'));
        if only_moves || !only_captures {
            self.moves.add(&ways, atom, range)?;
        }
        if only_captures || !only_moves {
            self.captures.add(&ways, atom, range)?;
        }
        Ok(())
    }

    /// Whether it moves and captures as a pawn of shogi.
    pub(super) fn is_pawn(&self) -> bool {
        [&self.moves, &self.captures].into_iter().all(Paths::is_pawn)
    }

    /// A number to order pieces: roughly the number of squares that it reaches.
    pub(super) fn weight(&self) -> usize {
        (self.moves.weight() + self.captures.weight()).div_ceil(2)
    }

    /// The moves in the words of a text, and the captures if they are others.
    pub(super) fn in_words(&self) -> (String, Option<String>) {
        let captures = (self.captures != self.moves).then(|| self.captures.in_words());
        (self.moves.in_words(), captures)
    }

    /// Whether it never moves.
    pub(super) fn is_immobile(&self) -> bool {
        self.moves.is_empty() && self.captures.is_empty()
    }

    /// Whether on some square of such a board it can still capture but not move.
    pub(super) fn only_captures_somewhere(&self, width: usize, height: usize) -> bool {
        let leads = |paths: &Paths, square| paths.lead_on(square, width, height);
        (0..width)
            .flat_map(|column| (0..height).map(move |rank| (column, rank)))
            .any(|square| leads(&self.captures, square) && !leads(&self.moves, square))
    }
}

impl Paths {
    fn is_empty(&self) -> bool {
        self.rays.is_empty() && self.jumps.is_empty()
    }

    /// Whether one of them leads to a square of the board, for a square by its file and rank from Sente's corner.
    fn lead_on(&self, (column, rank): (usize, usize), width: usize, height: usize) -> bool {
        let steps = self.rays.iter().map(|&(direction, _)| {
            let (forward, right, _) = DIRECTIONS[direction];
            (forward, right)
        });
        steps.chain(self.jumps.iter().copied()).any(|(forward, right)| {
            column.checked_add_signed(right.into()).is_some_and(|column| column < width)
                && rank.checked_add_signed(forward.into()).is_some_and(|rank| rank < height)
        })
    }

    /// Adds the moves of an atom in the ways that modifiers allow.
    fn add(&mut self, modifiers: &str, atom: char, range: Option<u8>) -> Result<(), Reason> {
        match (atom, range) {
            ('W', range) => self.add_rays(straight(modifiers), range.unwrap_or(1)),
            ('R', range) => self.add_rays(straight(modifiers), range.unwrap_or(FAR)),
            ('F', range) => self.add_rays(diagonal(modifiers), range.unwrap_or(1)),
            ('B', range) => self.add_rays(diagonal(modifiers), range.unwrap_or(FAR)),
            ('K' | 'Q', range) => {
                if modifiers.len() > 1 {
                    return Err(UNKNOWN);
                }
                let range = range.unwrap_or(if atom == 'K' { 1 } else { FAR });
                self.add_rays(straight(modifiers), range);
                self.add_rays(diagonal(modifiers), range);
            }
            ('D', None) => self.add_far_steps(straight(modifiers), 2),
            ('H', None) => self.add_far_steps(straight(modifiers), 3),
            ('A', None) => self.add_far_steps(diagonal(modifiers), 2),
            ('G', None) => self.add_far_steps(diagonal(modifiers), 3),
            ('N', None) => self.add_leaps(modifiers, 2, 1)?,
            ('C', None) => self.add_leaps(modifiers, 3, 1)?,
            ('Z', None) => self.add_leaps(modifiers, 3, 2)?,
            _ => return Err(UNKNOWN),
        }
        Ok(())
    }

    fn add_rays(&mut self, directions: Vec<usize>, range: u8) {
        self.rays.extend(directions.into_iter().map(|direction| (direction, range)));
    }

    fn add_far_steps(&mut self, directions: Vec<usize>, squares: i8) {
        let jump = |direction| {
            let (forward, right, _) = DIRECTIONS[direction];
            (squares * forward, squares * right)
        };
        self.jumps.extend(directions.into_iter().map(jump));
    }

    /// Adds jumps that are neither straight nor diagonal.
    fn add_leaps(&mut self, modifiers: &str, long: i8, short: i8) -> Result<(), Reason> {
        let narrow = |side: i8| [(side * long, short), (side * long, -short)];
        let wide = |side: i8| [(side * short, long), (side * short, -long)];
        let leaps: Vec<_> = match modifiers {
            "" => [narrow(1), narrow(-1), wide(1), wide(-1)].concat(),
            "f" | "ff" => narrow(1).to_vec(),
            "b" | "bb" => narrow(-1).to_vec(),
            "v" => [narrow(1), narrow(-1)].concat(),
            "s" => [wide(1), wide(-1)].concat(),
            "fs" => wide(1).to_vec(),
            "bs" => wide(-1).to_vec(),
            _ => return Err(UNKNOWN),
        };
        self.jumps.extend(leaps);
        Ok(())
    }

    /// Whether they are those of a pawn of shogi.
    fn is_pawn(&self) -> bool {
        self.jumps.is_empty() && self.rays.iter().eq(&[(0, 1)])
    }

    fn weight(&self) -> usize {
        let far = |&(_, range): &(usize, u8)| if range == FAR { 4 } else { usize::from(range) };
        self.jumps.len() + self.rays.iter().map(far).sum::<usize>()
    }

    /// The words of a text.
    fn in_words(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        let mut ranges: Vec<u8> = self.rays.iter().map(|&(_, range)| range).collect();
        ranges.sort_unstable();
        ranges.dedup();
        for range in ranges {
            let own = self.rays.iter().filter(|(_, own)| *own == range);
            let names: Vec<_> = own.map(|&(direction, _)| DIRECTIONS[direction].2).collect();
            parts.push(match range {
                1 => format!("step {}", names.join(" ")),
                FAR => format!("slide {}", names.join(" ")),
                _ => format!("slide {} up to {range}", names.join(" ")),
            });
        }
        if !self.jumps.is_empty() {
            let jumps: Vec<_> = self.jumps.iter().map(|&jump| jump_in_words(jump)).collect();
            parts.push(format!("jump {}", jumps.join(" ")));
        }
        if parts.is_empty() { "none".into() } else { parts.join(" + ") }
    }
}

fn jump_in_words((forward, right): (i8, i8)) -> String {
    let part = |squares: i8, positive: &str, negative: &str| match squares {
        0 => String::new(),
        1.. => format!("{positive}{squares}"),
        _ => format!("{negative}{}", -squares),
    };
    part(forward, "F", "B") + &part(right, "R", "L")
}

/// The straight directions that modifiers allow.
fn straight(modifiers: &str) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    for modifier in modifiers.chars() {
        found.extend_from_slice(match modifier {
            'f' => &[0],
            'b' => &[1],
            'l' => &[2],
            'r' => &[3],
            's' => &[2, 3],
            _ => &[0, 1],
        });
    }
    if modifiers.is_empty() { Vec::from([0, 1, 2, 3]) } else { found }
}

/// The diagonal directions that modifiers allow: `fr` means one of them, `f` two.
fn diagonal(modifiers: &str) -> Vec<usize> {
    let is_upright = |c: char| matches!(c, 'f' | 'b' | 'v');
    let fits = |direction: usize, modifier: char| {
        let (forward, right, _) = DIRECTIONS[direction];
        match modifier {
            'f' => forward > 0,
            'b' => forward < 0,
            'l' => right < 0,
            'r' => right > 0,
            _ => true,
        }
    };
    let letters: Vec<char> = modifiers.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let pair = letters.get(at + 1).filter(|next| is_upright(**next) != is_upright(letters[at]));
        let of_both = |&direction: &usize| {
            fits(direction, letters[at]) && pair.is_none_or(|next| fits(direction, *next))
        };
        found.extend((4..8).filter(of_both));
        at += if pair.is_some() { 2 } else { 1 };
    }
    if letters.is_empty() { Vec::from([4, 5, 6, 7]) } else { found }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn says(betza: &str, words: &str) {
        let reach = Reach::of(betza).unwrap_or_else(|reason| panic!("{betza}: {reason}"));
        let (moves, captures) = reach.in_words();
        let found = captures.map_or(moves.clone(), |captures| format!("{moves}; {captures}"));
        assert_eq!(found, words, "{betza}");
    }

    #[test]
    fn movements_are_written_in_words() {
        says("fW", "step F");
        says("WfF", "step F B L R FL FR");
        says("fNsW", "step L R + jump F2L1 F2R1");
        says("RF", "slide F B L R + step FL FR BL BR");
        says("KbRfBbB2", "slide B FL FR + step F B L R FL FR BL BR + slide BL BR up to 2");
        says("fRrbBlbF", "slide F BR + step BL");
        says("fDbF", "step BL BR + jump F2");
        says("frlR", "slide F L R");
        says("FvW", "step F B FL FR BL BR");
        says("fmWfcF", "step F; step FL FR");
        says("fmWfF", "step F FL FR; step FL FR");
        says("mNcB", "jump B2L1 B2R1 B1L2 B1R2 F1L2 F1R2 F2L1 F2R1; slide FL FR BL BR");
        says("", "none");
        says("cW", "none; step F B L R");
    }

    #[test]
    fn rules_that_no_text_can_express_have_a_reason() {
        for (betza, reason) in
            [("fmWfceF", IN_PASSING), ("pR", HOPS), ("nN", LAME), ("X", UNKNOWN), ("f", UNKNOWN)]
        {
            assert_eq!(Reach::of(betza).err(), Some(reason), "{betza}");
        }
        assert!(Reach::of("NN").is_err());
    }
}
