//! The starting arrays, and what is known of them.

use shogi_rules::{Rules as _, Shogi34, StartError, shogi_core::Position};

/// Officers in the order in which starts are listed.
const OFFICERS: [char; 6] = ['R', 'B', 'G', 'S', 'N', 'L'];

/// All back ranks of a king and two officers, of mirror images only the first: the king in the left
/// corner, then in the middle.
///
/// A mirror image of the array is the same game, since Gote's array is Sente's turned round.
pub fn all() -> Vec<String> {
    let pairs = || OFFICERS.iter().flat_map(|a| OFFICERS.iter().map(move |b| (*a, *b)));
    let corner = pairs().map(|(a, b)| String::from_iter(['K', a, b]));
    let place = |officer| OFFICERS.iter().position(|&other| other == officer);
    let middle =
        pairs().filter(|&(a, b)| place(a) <= place(b)).map(|(a, b)| String::from_iter([a, 'K', b]));
    corner.chain(middle).collect()
}

/// The names by which the list has these starts, or their mirror images.
pub fn listed(names: &[String]) -> Vec<String> {
    let all = all();
    let mirrored = |name: &String| name.chars().rev().collect::<String>();
    let listed = |name: &String| {
        Some(mirrored(name)).filter(|twin| all.contains(twin)).unwrap_or_else(|| name.clone())
    };
    names.iter().map(|name| if all.contains(name) { name.clone() } else { listed(name) }).collect()
}

/// The position of a start.
///
/// # Errors
///
/// If the name is none.
pub fn position(name: &str) -> Result<Position<Shogi34>, StartError> {
    let placement = Shogi34::named_start(name)?;
    // A start is a legal position: nobody is in check and all kings are there.
    Position::new(placement).map_err(|_| StartError::Unknown(name.to_owned()))
}

/// Wins whose length is known from an exhaustive search by another program, in plies. That program
/// has another reading of the rules for NKN and NKL, see [`crate::readings`].
pub const SHORTEST: [(&str, u32); 14] = [
    ("KNR", 1),
    ("KNL", 3),
    ("RKR", 5),
    ("RKN", 5),
    ("RKL", 5),
    ("NKN", 5),
    ("NKL", 5),
    ("KRB", 7),
    ("KNG", 7),
    ("KBL", 9),
    ("KGN", 9),
    ("KGR", 11),
    ("KSR", 11),
    ("KSL", 11),
];
