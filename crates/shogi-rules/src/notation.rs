//! Letters for faces, in the dialects that variants are written in.

use alloc::string::String;

use shogi_core::{Colour, Face, Kind};

use crate::rules::Rules;

/// A way to write the positions and moves of variants that are written in two.
///
/// Both are always read. For Minishogi and standard shogi they are the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dialect {
    /// As lishogi writes: in Kyoto shogi each face has a letter of its own, in Dobutsu shogi the
    /// pieces have the letters of shogi pieces that move alike.
    Lishogi,
    /// As Fairy-Stockfish and PyChess write: a letter for each piece, `+` before a turned one.
    Fairy,
}

/// The face that a letter alone stands for, in either dialect, and its owner.
pub(crate) fn face_of<R: Rules>(letter: char) -> Option<(Face, Colour)> {
    let colour = if letter.is_ascii_uppercase() { Colour::Sente } else { Colour::Gote };
    let letter = letter.to_ascii_uppercase();
    let kind = Kind::all::<R>().find(|kind| kind.spec::<R>().letter == letter);
    let named = || R::LISHOGI_LETTERS.iter().find(|(name, _)| *name == letter);
    let face = kind.map(Face::front).or_else(|| named().map(|&(_, face)| face));
    face.map(|face| (face, colour))
}

/// Writes a face as SFEN does, in the case of its owner.
///
/// ```
/// use shogi_rules::shogi_core::{Colour, Face};
/// use shogi_rules::{Dialect, KyotoShogi, write_face};
/// let mut text = String::new();
/// write_face::<KyotoShogi>(Face::back(KyotoShogi::PAWN), Colour::Sente, Dialect::Lishogi, &mut text);
/// write_face::<KyotoShogi>(Face::back(KyotoShogi::PAWN), Colour::Gote, Dialect::Fairy, &mut text);
/// assert_eq!(text, "R+p");
/// ```
pub fn write_face<R: Rules>(face: Face, colour: Colour, dialect: Dialect, out: &mut String) {
    let lishogi = |face| {
        let found = R::LISHOGI_LETTERS.iter().find(|&&(_, named)| named == face);
        found.filter(|_| dialect == Dialect::Lishogi).map(|&(letter, _)| letter)
    };
    let letter = lishogi(face).unwrap_or_else(|| {
        if face.promoted {
            out.push('+');
        }
        lishogi(Face::front(face.kind)).unwrap_or(face.kind.spec::<R>().letter)
    });
    out.push(if colour == Colour::Sente { letter } else { letter.to_ascii_lowercase() });
}
