//! The names of pieces, squares and starts in Japanese records.

use alloc::string::String;

use shogi_core::{Colour, Face, Kind, Role};

use super::cursor::Cursor;
use super::error::{RecordError, RecordReason};
use shogi_core::notation::{Dialect, Notation};
use shogi_core::plain::{AnyPlacement, AnySquare};
use shogi_core::sfen;
use shogi_rules::Rules;
use shogi_rules::{
    Dobutsu, Gorogoro, GorogoroPlus, Judkins, KyotoShogi, MicroShogi, Minishogi, Shogi, Shogi34,
    ToriShogi,
};

/// The names of a face of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name {
    /// The letters of the face in SFEN in the lishogi dialect, upper case: `P`, `+P`.
    pub letters: &'static str,
    /// The word in moves.
    pub word: &'static str,
    /// The character on the board and in hands.
    pub mark: char,
    /// The kanji in pictures of the board.
    pub kanji: char,
    /// Other words that are read.
    pub also: &'static [&'static str],
    /// The code in CSA.
    pub csa: &'static str,
}

const fn name(
    letters: &'static str,
    word: &'static str,
    mark: char,
    also: &'static [&'static str],
    csa: &'static str,
) -> Name {
    Name { letters, word, mark, kanji: mark, also, csa }
}

impl Name {
    const fn in_kanji(self, kanji: char) -> Self {
        Self { kanji, ..self }
    }
}

/// The names of standard shogi, shared by related games.
pub const SHOGI_NAMES: &[Name] = &[
    name("P", "歩", '歩', &[], "FU"),
    name("L", "香", '香', &[], "KY"),
    name("N", "桂", '桂', &[], "KE"),
    name("S", "銀", '銀', &[], "GI"),
    name("G", "金", '金', &[], "KI"),
    name("B", "角", '角', &[], "KA"),
    name("R", "飛", '飛', &[], "HI"),
    name("K", "玉", '玉', &["王"], "OU"),
    name("+P", "と", 'と', &["成歩"], "TO"),
    name("T", "と", 'と', &[], "TO"),
    name("+L", "成香", '杏', &["仝"], "NY"),
    name("+N", "成桂", '圭', &["今"], "NK"),
    name("+S", "成銀", '全', &[], "NG"),
    name("+B", "馬", '馬', &["成角"], "UM"),
    name("+R", "龍", '龍', &["竜", "成飛"], "RY"),
];

/// The names of the animals, each by its first syllable.
pub const ANIMAL_NAMES: &[Name] = &[
    name("P", "ひ", 'ひ', &["ひよこ", "歩", "雛"], "HI").in_kanji('雛'),
    name("+P", "に", 'に', &["にわとり", "と", "鶏"], "NI").in_kanji('鶏'),
    name("R", "き", 'き', &["きりん", "キ", "飛", "麒"], "KI").in_kanji('麒'),
    name("B", "ぞ", 'ぞ', &["ぞう", "ゾ", "角", "象"], "ZO").in_kanji('象'),
    name("K", "ら", 'ら', &["らいおん", "ライオン", "ラ", "玉", "王", "獅"], "LI").in_kanji('獅'),
];

/// The names of Micro shogi, where backs are pieces with their own names.
const MICRO_NAMES: &[Name] = &[
    name("P", "歩", '歩', &[], ""),
    name("+P", "桂", '桂', &[], ""),
    name("L", "香", '香', &[], ""),
    name("+L", "銀", '銀', &[], ""),
    name("B", "角", '角', &[], ""),
    name("+B", "と", 'と', &[], ""),
    name("R", "飛", '飛', &[], ""),
    name("+R", "金", '金', &[], ""),
    name("K", "玉", '玉', &["王"], ""),
];

/// The names of the birds of Tori shogi.
const BIRD_NAMES: &[Name] = &[
    name("S", "燕", '燕', &[], ""),
    name("+S", "鴈", '鴈', &["雁"], ""),
    name("F", "鷹", '鷹', &[], ""),
    name("+F", "鵰", '鵰', &["鷲"], ""),
    name("C", "鶴", '鶴', &[], ""),
    name("P", "雉", '雉', &[], ""),
    name("L", "左鶉", '左', &[], ""),
    name("R", "右鶉", '右', &[], ""),
    name("K", "鵬", '鵬', &[], ""),
];

/// A rule set whose games are recorded in Japanese.
///
/// A variant with shogi's pieces only needs the name of its start:
///
/// ```
/// use shogi_records::{Record, Recorded, kif};
/// use shogi_rules::shogi_core::{Board3x4, KindSpec, Movement, RuleTable};
/// use shogi_rules::{Rules, parse_usi};
///
/// /// King and pawn.
/// #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
/// struct PawnGame;
/// impl RuleTable for PawnGame {
///     type Geometry = Board3x4;
///     const KINDS: &'static [KindSpec] =
///         &[KindSpec::pawn('P', 2, Some(Movement::GOLD)), KindSpec::royal('K')];
/// }
/// impl Rules for PawnGame {
///     const NAME: &'static str = "pawngame";
///     const START: &'static str = "1k1/1p1/1P1/1K1 b - 1";
/// }
/// impl Recorded for PawnGame {
///     const TITLES: &'static [&'static str] = &["歩将棋"];
/// }
///
/// let mut record = Record::<PawnGame>::from_start();
/// record.push(parse_usi("2c2b")?)?;
/// let text = kif::write(&record)?;
/// assert!(text.contains("手合割：歩将棋\n") && text.contains("   1 ２二歩(23)\n"));
/// assert_eq!(kif::parse::<PawnGame>(&text)?, record);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The board has at most nine files and ranks, since records write each as one digit.
pub trait Recorded: Rules {
    /// The names of the start in the header 手合割; the first is written.
    const TITLES: &'static [&'static str];
    /// The names of the faces.
    const NAMES: &'static [Name] = SHOGI_NAMES;
    /// Other starts for 手合割, by name and in SFEN.
    const HANDICAPS: &'static [(&'static str, &'static str)] = &[];
    /// The faces that hands show instead of the front.
    const IN_HAND: &'static [Face] = &[];
    /// Whether CSA exists for the variant.
    const CSA: bool = false;

    /// The names of the start in the header 手合割: [`Recorded::TITLES`], or those of a rule set loaded at run
    /// time.
    fn titles() -> &'static [&'static str] {
        Self::TITLES
    }

    /// The names of the faces: [`Recorded::NAMES`], or those of a rule set loaded at run time.
    fn names() -> &'static [Name] {
        Self::NAMES
    }

    /// Other starts for 手合割: [`Recorded::HANDICAPS`], or those of a rule set loaded at run time.
    fn handicaps() -> &'static [(&'static str, &'static str)] {
        Self::HANDICAPS
    }

    /// The faces that hands show instead of the front: [`Recorded::IN_HAND`], or those of a rule set loaded at
    /// run time.
    fn in_hand() -> &'static [Face] {
        Self::IN_HAND
    }

    /// Whether CSA exists for the variant: [`Recorded::CSA`], or the answer of a rule set loaded at run time.
    fn has_csa() -> bool {
        Self::CSA
    }
}

impl Recorded for Shogi {
    const TITLES: &'static [&'static str] = &["平手"];
    const HANDICAPS: &'static [(&'static str, &'static str)] = &[
        ("香落ち", "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("右香落ち", "1nsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("角落ち", "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("飛車落ち", "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("飛香落ち", "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("二枚落ち", "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("三枚落ち", "lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("四枚落ち", "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("五枚落ち", "2sgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("左五枚落ち", "1nsgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("六枚落ち", "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("左七枚落ち", "2sgkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("右七枚落ち", "3gkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("八枚落ち", "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("十枚落ち", "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ];
    const CSA: bool = true;
}

impl Recorded for Minishogi {
    // lishogi writes the first.
    const TITLES: &'static [&'static str] =
        &["5五将棋", "５五将棋", "五五将棋", "五々将棋", "５々将棋"];
    const CSA: bool = true;
}

impl Recorded for KyotoShogi {
    const TITLES: &'static [&'static str] = &["京都将棋", "京都"];
    // As lishogi shows them.
    const IN_HAND: &'static [Face] =
        &[Face::back(Self::LANCE).any(), Face::back(Self::KNIGHT).any()];
}

impl Recorded for Shogi34 {
    const TITLES: &'static [&'static str] = &["3x4将棋"];
}

impl Recorded for Dobutsu {
    const TITLES: &'static [&'static str] = &["どうぶつしょうぎ", "どうぶつ将棋", "動物将棋"];
    const NAMES: &'static [Name] = ANIMAL_NAMES;
}

impl Recorded for Gorogoro {
    const TITLES: &'static [&'static str] = &["ごろごろ将棋", "ゴロゴロ将棋", "五六将棋"];
}

impl Recorded for GorogoroPlus {
    const TITLES: &'static [&'static str] = &["ごろごろ将棋プラス", "ゴロゴロ将棋プラス"];
}

impl Recorded for Judkins {
    const TITLES: &'static [&'static str] = &["ジャドキンス将棋", "ジャドキンズ将棋"];
}

impl Recorded for MicroShogi {
    const TITLES: &'static [&'static str] = &["マイクロ将棋", "五分摩訶将棋"];
    const NAMES: &'static [Name] = MICRO_NAMES;
}

impl Recorded for ToriShogi {
    const TITLES: &'static [&'static str] = &["禽将棋"];
    const NAMES: &'static [Name] = BIRD_NAMES;
}

/// A variant's names in records, as a value.
pub(super) struct Vocabulary {
    /// The name of the variant.
    pub(super) variant: &'static str,
    pub(super) notation: &'static Notation,
    /// The start position in SFEN.
    pub(super) start: &'static str,
    pub(super) dialect: Dialect,
    pub(super) titles: &'static [&'static str],
    names: &'static [Name],
    pub(super) handicaps: &'static [(&'static str, &'static str)],
    in_hand: &'static [Face],
    pub(super) csa: bool,
}

impl Vocabulary {
    pub(super) fn of<R: Recorded>() -> Self {
        Self {
            variant: R::name(),
            notation: Notation::of::<R>(),
            start: R::start_sfen(),
            dialect: R::dialect(),
            titles: R::titles(),
            names: R::names(),
            handicaps: R::handicaps(),
            in_hand: R::in_hand(),
            csa: R::has_csa(),
        }
    }

    /// Whether a text is the SFEN of a placement.
    pub(super) fn is_sfen_of(&self, text: &str, placement: &AnyPlacement) -> bool {
        sfen::read(text, self.notation).is_ok_and(|(read, _)| read == *placement)
    }

    /// Whether files and ranks are single digits, as KIF and KI2 write them.
    pub(super) fn is_of_digits(&self) -> bool {
        self.notation.width <= 9 && self.notation.height <= 9
    }

    /// The letters of a face in SFEN in the lishogi dialect, upper case.
    pub(super) fn write_letters(&self, face: Face, out: &mut String) {
        self.notation.write_face(face, Colour::Sente, Dialect::Lishogi, out);
    }

    /// The name of a face, if the variant has one for it.
    pub(super) fn name_of(&self, face: Face) -> Option<&'static Name> {
        let mut letters = String::new();
        self.write_letters(face, &mut letters);
        self.names.iter().find(|name| name.letters == letters)
    }

    /// The word for a face in moves, or its letter if it has none.
    pub(super) fn write_word(&self, face: Face, out: &mut String) {
        match self.name_of(face) {
            Some(name) => out.push_str(name.word),
            None => self.write_letters(face, out),
        }
    }

    /// The character for a face on the board, or its letter if it has none, lower case for a back.
    pub(super) fn mark_of(&self, face: Face) -> char {
        let letter = || {
            let front = self.notation.spec(face.kind).letter;
            if face.promoted { front.to_ascii_lowercase() } else { front }
        };
        self.name_of(face).map_or_else(letter, |name| name.mark)
    }

    /// The face that hands show for a kind.
    pub(super) fn in_hand(&self, kind: Kind) -> Face {
        let shown = self.in_hand.iter().find(|face| face.kind == kind);
        shown.copied().unwrap_or(Face::front(kind))
    }

    /// Whether a piece can never be in a hand: a king that cannot be captured.
    pub(super) fn stays_on_board(&self, kind: Kind) -> bool {
        self.notation.royal_safety && self.notation.spec(kind).role == Role::Royal
    }

    /// The face with a name.
    fn face_of_name(&self, name: &Name) -> Option<Face> {
        let letter = name.letters.chars().last()?;
        let (face, _) = self.notation.face_of(letter)?;
        let face = if name.letters.starts_with('+') { Face::back(face.kind) } else { face };
        self.notation.movement(face)?;
        // A name whose letters mean something else here is not one of the variant's.
        self.name_of(face).filter(|own| *own == name).map(|_| face)
    }

    /// Reads a face by the longest matching name.
    pub(super) fn read_face(&self, cursor: &mut Cursor) -> Result<Face, RecordError> {
        let mut mark = [0; 4];
        let mut longest: Option<(usize, Face)> = None;
        for name in self.names {
            let Some(face) = self.face_of_name(name) else { continue };
            let mark = &*name.mark.encode_utf8(&mut mark);
            for word in [name.word, mark].into_iter().chain(name.also.iter().copied()) {
                if cursor.rest().starts_with(word) && longest.is_none_or(|(l, _)| l < word.len()) {
                    longest = Some((word.len(), face));
                }
            }
        }
        let longest = longest.or_else(|| self.unnamed_face(cursor.rest()));
        let (length, face) = longest.ok_or_else(|| cursor.expected("a piece"))?;
        let word = &cursor.rest()[..length];
        cursor.eat(word);
        Ok(face)
    }

    /// The face whose letters begin a text, among faces that have letters in place of a name, and the length of
    /// the letters.
    fn unnamed_face(&self, text: &str) -> Option<(usize, Face)> {
        let faces = self.notation.kinds().flat_map(|kind| [Face::front(kind), Face::back(kind)]);
        let own = faces.filter(|&face| self.notation.movement(face).is_some());
        let found = own.filter(|&face| self.name_of(face).is_none()).filter_map(|face| {
            let mut word = String::new();
            self.write_word(face, &mut word);
            let is_mark = || text.starts_with(self.mark_of(face)).then_some(1);
            let length = text.starts_with(&word).then_some(word.len()).or_else(is_mark)?;
            Some((length, face))
        });
        found.max_by_key(|&(length, _)| length)
    }

    /// The face with a code of CSA.
    pub(super) fn face_of_csa(&self, code: &str) -> Option<Face> {
        let names = self.names.iter().filter(|name| name.csa == code);
        names.filter_map(|name| self.face_of_name(name)).next()
    }

    /// The code of CSA for a face; a variant with CSA has one for each.
    pub(super) fn csa_of(&self, face: Face) -> &'static str {
        self.name_of(face).map_or("", |name| name.csa)
    }

    /// Reads a code of CSA.
    pub(super) fn read_csa_face(&self, cursor: &mut Cursor) -> Result<Face, RecordError> {
        let rest = cursor.rest();
        let code = &rest[..rest.char_indices().nth(2).map_or(rest.len(), |(at, _)| at)];
        let face =
            self.face_of_csa(code).ok_or_else(|| cursor.expected("the two letters of a piece"))?;
        cursor.eat(code);
        Ok(face)
    }

    /// Reads a square: a file and a rank, digits of any script.
    pub(super) fn read_square(&self, cursor: &mut Cursor) -> Result<AnySquare, RecordError> {
        let start = *cursor;
        let mut next = || cursor.next().and_then(digit).ok_or(start.expected("a square"));
        let (file, rank) = (next()?, next()?);
        if file > self.notation.width || rank > self.notation.height {
            return Err(start.error(RecordReason::OffBoard));
        }
        Ok(AnySquare { file, rank: rank - 1 })
    }
}

const KANJI_DIGITS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
const WIDE_DIGITS: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];

/// A digit 1 to 9 in any of three scripts.
pub(super) fn digit(character: char) -> Option<u8> {
    let position = |digits: &[char; 9]| digits.iter().position(|&digit| digit == character);
    let found = position(&KANJI_DIGITS).or_else(|| position(&WIDE_DIGITS));
    let value = found.map(|i| i as u8 + 1);
    value.or_else(|| character.to_digit(10).map(|digit| digit as u8).filter(|&digit| digit > 0))
}

/// The full-width digit 1 to 9.
pub(super) fn wide_digit(value: u8) -> char {
    usize::from(value).checked_sub(1).and_then(|i| WIDE_DIGITS.get(i).copied()).unwrap_or('０')
}

/// The kanji of a number 1 to 9.
pub(super) fn kanji_digit(value: u8) -> char {
    usize::from(value).checked_sub(1).and_then(|i| KANJI_DIGITS.get(i).copied()).unwrap_or('〇')
}

/// Writes a number 1 to 99 in kanji.
pub(super) fn write_kanji(value: u8, out: &mut String) {
    let (tens, units) = (value / 10, value % 10);
    if tens > 1 {
        out.push(kanji_digit(tens));
    }
    if tens > 0 {
        out.push('十');
    }
    if units > 0 {
        out.push(kanji_digit(units));
    }
}

/// Reads a number in kanji up to 99 or in digits of any script; 1 if there is none, `None` if it is too large.
pub(super) fn read_count(cursor: &mut Cursor) -> Option<u8> {
    let start = *cursor;
    let mut number: Option<u8> = None;
    while let Some(digit) = cursor.peek().and_then(digit_or_zero) {
        number = Some(number.unwrap_or(0).checked_mul(10)?.checked_add(digit)?);
        cursor.next();
    }
    if !cursor.eat("十") {
        return Some(number.unwrap_or(1));
    }
    // Tens have a digit before them at most, units one behind them.
    let tens = number.unwrap_or(1);
    let units = cursor.eat_one_of(&KANJI_DIGITS).and_then(digit).unwrap_or(0);
    let is_usual = start.before(*cursor).chars().count() <= 3;
    tens.checked_mul(10)?.checked_add(units).filter(|_| is_usual)
}

/// A digit 0 to 9 in any of three scripts.
fn digit_or_zero(character: char) -> Option<u8> {
    matches!(character, '0' | '０' | '〇' | '零').then_some(0).or_else(|| digit(character))
}

/// Writes a square with a full-width file and a kanji rank.
pub(super) fn write_square(square: AnySquare, out: &mut String) {
    out.push(wide_digit(square.file));
    out.push(kanji_digit(square.rank + 1));
}

/// Writes a square with two ASCII digits.
pub(super) fn write_digits(square: AnySquare, out: &mut String) {
    out.push(char::from(b'0' + square.file));
    out.push(char::from(b'1' + square.rank));
}
