//! Importing variants of Fairy-Stockfish, whose files (`variants.ini`) hold named settings.
//!
//! A variant of such a file is translated to a text of this format, if possible; settings that have no
//! translation are named one by one. The settings are those that Fairy-Stockfish documents in the comments of
//! its file.

mod bases;
mod betza;
mod error;
mod ini;
mod region;
mod rules;

use alloc::borrow::ToOwned as _;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use self::betza::Reach;
pub use self::error::{ImportError, Unsayable};
use self::ini::Setting;
use super::definition::Definition;

/// Reads a variant from the text of a file of Fairy-Stockfish.
///
/// A section may build on others in the file, and on `minishogi`, `shogi`, `judkins`, `gorogoro`,
/// `gorogoroplus`, `kyotoshogi`, `microshogi`, `euroshogi`, `yarishogi` and `torishogi`.
///
/// ```
/// use shogi_rules::text::import_fairy;
/// let ini = "[tall:minishogi]\nmaxRank = 6\nstartFen = rbsgk/4p/5/5/P4/KGSBR[] w 0 1\npromotionRegionWhite = *6\n";
/// let tall = import_fairy(ini, "tall")?;
/// assert_eq!((tall.rules.table.width, tall.rules.table.height), (5, 6));
///
/// let error = import_fairy(&(ini.to_owned() + "mustDrop = true\n"), "tall").unwrap_err();
/// assert_eq!(error.to_string(), "line 5, mustDrop = true: no rule here makes a drop a duty");
/// # Ok::<(), shogi_rules::text::ImportError>(())
/// ```
///
/// # Errors
///
/// If there is no such section, or a text cannot express some of its settings, all of which are listed.
pub fn import_fairy(ini: &str, name: &str) -> Result<Definition, ImportError> {
    let mut import = Import::new(ini::settings(ini, name)?);
    let text = import.text(name);
    if !import.unsayable.is_empty() {
        return Err(ImportError::Unsayable(import.unsayable));
    }
    Definition::parse(&text).map_err(ImportError::Text)
}

/// Settings that do not affect the rules.
const BESIDE: &[&str] = &[
    "variantTemplate",
    "pieceToCharTable",
    "pocketSize",
    "pieceValueMg",
    "pieceValueEg",
    "nMoveRuleTypes",
    "nMoveRuleTypesWhite",
    "nMoveRuleTypesBlack",
    // Settings for the pawn of chess, which is unknown here.
    "doubleStep",
    "pawnTypes",
    "promotionPawnTypes",
    "promotionPieceTypes",
    "mandatoryPawnPromotion",
    "firstRankPawnDrops",
    "promotionZonePawnDrops",
    // Without castling rights in the start position there is no castling.
    "castling",
];

/// Settings that the text expresses; the importer looks them up one by one.
const SAID: &[&str] = &[
    "maxRank",
    "maxFile",
    "startFen",
    "promotionRegionWhite",
    "promotionRegionBlack",
    "promotedPieceType",
    "mandatoryPiecePromotion",
    "piecePromotionOnCapture",
    "pieceDemotion",
    "dropPromoted",
    "dropNoDoubled",
    "dropNoDoubledCount",
    "immobilityIllegal",
    "shogiPawnDropMateIllegal",
    "stalemateValue",
    "nFoldRule",
    "nFoldValue",
    "nFoldValueAbsolute",
    "perpetualCheckIllegal",
    "mustCapture",
    "flyingGeneral",
    "flagPiece",
    "flagPieceSafe",
    "flagRegionWhite",
    "flagRegionBlack",
    "whiteDropRegion",
    "blackDropRegion",
    "dropRegionWhite",
    "dropRegionBlack",
];

/// Settings that must have a certain value, with that value, their default and the reason.
const FIXED: &[(&str, &str, &str, &str)] = &[
    ("pieceDrops", "true", "false", "captured pieces are always dropped here"),
    ("capturesToHand", "true", "false", "captured pieces always change sides here"),
    ("nMoveRule", "0", "50", "there is no draw here after some number of moves"),
    ("checkmateValue", "loss", "loss", "a player who is checkmated has always lost here"),
];

/// Reasons for settings, by the beginning of their names.
const REASONS: &[(&str, &str)] = &[
    ("mustDrop", "no rule here makes a drop a duty"),
    ("flag", "a goal here is for the king, which wins as soon as it comes there"),
    ("extinction", "just one kind is royal here, and each player has one of it"),
    ("checkCounting", "checks are not counted here"),
    ("connect", "lines of pieces do not decide a game here"),
    ("promotionLimit", "a piece may promote however many there are here"),
];

const PAWN_OF_CHESS: &str = "the pawn of chess also moves two squares and promotes to a choice of pieces; \
    its other moves are those of customPiece1 = p:fmWfcF";
const NEVER_DROPPED: &str =
    "immobilityIllegal forbids every drop of a piece that never moves, and here it may be dropped";
const STILL_CAPTURES: &str = "immobilityIllegal keeps a piece from squares where it can only capture, \
    and here just from those where it can do nothing";

/// A piece by its letter.
struct Piece {
    betza: String,
    line: Option<usize>,
    setting: String,
}

/// A variant that is being imported.
struct Import {
    settings: BTreeMap<String, Setting>,
    pieces: BTreeMap<char, Piece>,
    royal: Option<char>,
    /// The letter of the back for the letter of a front.
    backs: BTreeMap<char, char>,
    unsayable: Vec<Unsayable>,
}

impl Import {
    /// Reads the settings in order: a later one replaces an earlier one of its name.
    fn new(settings: Vec<Setting>) -> Self {
        let mut import = Self {
            settings: BTreeMap::new(),
            pieces: BTreeMap::new(),
            royal: None,
            backs: BTreeMap::new(),
            unsayable: Vec::new(),
        };
        for setting in settings {
            import.add(setting);
        }
        import
    }

    fn add(&mut self, setting: Setting) {
        let Setting { key, value, line } = &setting;
        let custom = key.starts_with("customPiece");
        if let Some(betza) = betza::of_name(key).or(custom.then_some("")) {
            let (letter, own) = value.split_once(':').unwrap_or((value, ""));
            // Each piece has one letter, and a letter stands for one piece.
            self.pieces.retain(|_, piece| piece.setting.split(' ').next() != Some(key));
            if key == "king" {
                self.royal = None;
            }
            let mut letters = letter.trim().chars().filter(char::is_ascii_alphabetic);
            if let Some(letter) = letters.next().map(|letter| letter.to_ascii_uppercase()) {
                let betza = if own.trim().is_empty() { betza } else { own.trim() };
                let setting = format!("{key} = {value}");
                self.pieces.insert(letter, Piece { betza: betza.into(), line: *line, setting });
                match self.royal {
                    _ if key == "king" => self.royal = Some(letter),
                    Some(royal) if royal == letter => self.royal = None,
                    _ => {}
                }
            }
        } else if key == "promotedPieceType" {
            for (front, back) in value.split_whitespace().filter_map(|pair| pair.split_once(':')) {
                let letter = |text: &str| text.chars().next().map(|c| c.to_ascii_uppercase());
                match (letter(front), letter(back)) {
                    (Some(front), Some('-')) => drop(self.backs.remove(&front)),
                    (Some(front), Some(back)) => drop(self.backs.insert(front, back)),
                    _ => {}
                }
            }
        } else {
            self.settings.insert(key.clone(), setting);
        }
    }

    /// Notes a setting that a text cannot express.
    fn refuse(&mut self, line: Option<usize>, setting: String, reason: impl Into<String>) {
        self.unsayable.push(Unsayable { line, setting, reason: reason.into() });
    }

    fn refuse_key(&mut self, key: &str, default: &str, reason: impl Into<String>) {
        let found = self.settings.get(key);
        let (line, setting) = match found {
            Some(Setting { value, line, .. }) => (*line, format!("{key} = {value}")),
            None => (None, format!("{key} = {default} (by default)")),
        };
        self.refuse(line, setting, reason);
    }

    fn value(&self, key: &str) -> Option<&str> {
        self.settings.get(key).map(|setting| setting.value.as_str())
    }

    fn is_true(&self, key: &str) -> bool {
        self.value(key) == Some("true")
    }

    /// The text of the variant; notes the settings that it cannot express.
    fn text(&mut self, name: &str) -> String {
        self.check_others();
        let (width, height) = (self.size("maxFile"), self.size("maxRank"));
        let (board, hands) = self.start(width, height);
        let kinds = self.kinds(&board, &hands);
        let plain: String = name
            .to_ascii_lowercase()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' })
            .collect();
        let mut text = format!("name = \"{plain}\"\n");
        if plain != name {
            text += &format!("title = \"{}\"\n", name.replace(['"', '\\'], ""));
        }
        text += &format!("start = \"{board} b {} 1\"\n", written_hands(&hands));
        text += &self.promotion(height, &kinds);
        match self.value("stalemateValue").unwrap_or("draw") {
            "loss" => {}
            "draw" => text += "stalemate = \"draw\"\n",
            _ => self.refuse_key("stalemateValue", "draw", "who cannot move draws or loses here"),
        }
        text += &self.goal(height);
        text += "\n[pieces]\n";
        text += &self.piece_lines(&kinds, (width, height));
        text += &self.drops(&kinds);
        text += &self.duties();
        text + &self.repetition()
    }

    /// Notes the other settings that no text can express.
    fn check_others(&mut self) {
        for &(key, needed, default, reason) in FIXED {
            if self.value(key).unwrap_or(default) != needed {
                self.refuse_key(key, default, reason);
            }
        }
        let keys: Vec<String> = self.settings.keys().cloned().collect();
        for key in keys {
            let known = BESIDE.contains(&&*key)
                || SAID.contains(&&*key)
                || key.starts_with("mobilityRegion")
                || FIXED.iter().any(|(fixed, ..)| *fixed == key);
            let is_off = matches!(self.value(&key), Some("false" | "-" | "none" | ""));
            if !known && !is_off {
                let found = REASONS.iter().find(|(start, _)| key.starts_with(start));
                let reason = found.map_or("no text can say this", |(_, reason)| reason);
                self.refuse_key(&key, "", reason);
            }
        }
    }

    /// The number of files or ranks, which may be a letter.
    fn size(&mut self, key: &str) -> usize {
        let value = self.value(key).unwrap_or("8").trim().to_owned();
        let letter = value.chars().next().filter(|c| value.len() == 1 && c.is_ascii_lowercase());
        match letter.map(|c| usize::from(c as u8 - b'a') + 1).or_else(|| value.parse().ok()) {
            Some(size) if (1..=15).contains(&size) => size,
            _ => {
                self.refuse_key(key, "8", "a board has at most 15 files and ranks here");
                8
            }
        }
    }

    /// The board in SFEN, and the number of pieces in each hand.
    fn start(&mut self, width: usize, height: usize) -> (String, BTreeMap<char, usize>) {
        let fen = self.value("startFen").unwrap_or_default().to_owned();
        let mut fields = fen.split_whitespace();
        let first = fields.next().unwrap_or_default();
        let (board, hands) = match first.split_once('[') {
            Some((board, hands)) => (board, hands.trim_end_matches(']')),
            None => (first, ""),
        };
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '/' || c == '+';
        if board.is_empty() || !board.chars().all(is_allowed) {
            self.refuse_key("startFen", "of chess", "this is no board of pieces and empty squares");
        } else if !is_of_size(board, width, height) {
            let reason = format!("the board has not {width} files and {height} ranks");
            self.refuse_key("startFen", "of chess", reason);
        }
        match fields.next() {
            None | Some("w") => {}
            Some(_) => self.refuse_key("startFen", "", "Sente moves first here in an import"),
        }
        let rights = fields.next().unwrap_or("-");
        if rights.chars().any(|c| c.is_ascii_alphabetic()) {
            self.refuse_key("startFen", "", "there is no castling and no gating here");
        }
        let mut held = BTreeMap::new();
        for letter in hands.chars().filter(char::is_ascii_alphabetic) {
            *held.entry(letter).or_insert(0) += 1;
        }
        (board.into(), held)
    }

    /// The letters of the kinds, the least valuable first.
    fn kinds(&mut self, board: &str, hands: &BTreeMap<char, usize>) -> Vec<char> {
        let on_board = board.chars().filter(char::is_ascii_alphabetic);
        let letters: BTreeSet<char> =
            on_board.chain(hands.keys().copied()).map(|c| c.to_ascii_uppercase()).collect();
        let mut kinds: Vec<char> = letters.into_iter().collect();
        let weight = |import: &Self, letter: &char| {
            let reach = import.pieces.get(letter).and_then(|piece| Reach::of(&piece.betza).ok());
            let is_royal = import.royal == Some(*letter);
            (is_royal, reach.map_or(0, |reach| reach.weight()), *letter)
        };
        kinds.sort_by_key(|letter| weight(self, letter));
        for letter in &kinds {
            if !self.pieces.contains_key(letter) {
                let reason = format!("no piece has the letter {:?}", letter.to_ascii_lowercase());
                self.refuse_key("startFen", "of chess", reason);
            }
        }
        if self.royal.is_none_or(|royal| !kinds.contains(&royal)) {
            self.refuse(
                None,
                "king".into(),
                "just one kind is royal here, and each player has one of it",
            );
        }
        kinds
    }

    /// The lines of the pieces.
    fn piece_lines(&mut self, kinds: &[char], board: (usize, usize)) -> String {
        let mut text = String::new();
        let drop_region = self.drop_region(board);
        for &letter in kinds {
            let Some((front, captures)) = self.movement(letter, board) else { continue };
            text += &format!("{letter} = {{ front = \"{front}\"");
            if let Some(captures) = captures {
                text += &format!(", captures = \"{captures}\"");
            }
            let region = self.region(letter, board);
            if let Some(&back) = self.backs.get(&letter) {
                if self.pieces.contains_key(&back) && self.region(back, board) != region {
                    let reason = format!(
                        "the pieces {letter} and {back} are the faces of one here, which stand on the same squares"
                    );
                    self.refuse(None, "mobilityRegion".into(), reason);
                }
                match self.movement(back, board) {
                    Some((back, captures)) => {
                        text += &format!(", back = \"{back}\"");
                        if let Some(captures) = captures {
                            text += &format!(", back_captures = \"{captures}\"");
                        }
                    }
                    None if self.pieces.contains_key(&back) => {}
                    None => {
                        let reason =
                            format!("no piece has the letter {:?}", back.to_ascii_lowercase());
                        self.refuse(None, "promotedPieceType".into(), reason);
                    }
                }
            }
            let royal = self.royal == Some(letter);
            let regions = [("region", &region), ("drop_region", &drop_region)];
            for (key, region) in regions.into_iter().take(if royal { 1 } else { 2 }) {
                if let Some(region) = region {
                    text += &format!(", {key} = \"{region}\"");
                }
            }
            text += if royal { ", royal = true }\n" } else { " }\n" };
        }
        text
    }

    /// The movement of a piece, if a text can define it.
    fn movement(
        &mut self,
        letter: char,
        (width, height): (usize, usize),
    ) -> Option<(String, Option<String>)> {
        let stuck_is_illegal = self.is_true("immobilityIllegal");
        let Piece { betza, line, setting } = self.pieces.get(&letter)?;
        let pawn_of_chess = setting.starts_with("pawn ");
        let reach = match Reach::of(betza) {
            _ if pawn_of_chess => Err(PAWN_OF_CHESS),
            Ok(reach) if stuck_is_illegal && reach.is_immobile() => Err(NEVER_DROPPED),
            Ok(reach) if stuck_is_illegal && reach.only_captures_somewhere(width, height) => {
                Err(STILL_CAPTURES)
            }
            reach => reach,
        };
        match reach {
            Ok(reach) => Some(reach.in_words()),
            Err(reason) => {
                let (line, setting) = (*line, setting.clone());
                if !self.unsayable.iter().any(|one| one.setting == setting) {
                    self.refuse(line, setting, reason);
                }
                None
            }
        }
    }

    /// The part on when and where pieces promote.
    fn promotion(&mut self, height: usize, kinds: &[char]) -> String {
        if !kinds.iter().any(|kind| self.backs.contains_key(kind)) {
            return "promotion.when = \"never\"\n".into();
        }
        let forced = self.is_true("mandatoryPiecePromotion");
        let (back_and_forth, capture) =
            (self.is_true("pieceDemotion"), self.is_true("piecePromotionOnCapture"));
        let zone = self.zone(height);
        match (forced, back_and_forth, capture) {
            (true, true, _) if zone != height => {
                self.refuse_key(
                    "promotionRegionWhite",
                    "*8",
                    "pieces turn back and forth everywhere here",
                );
                String::new()
            }
            (true, true, true) => "promotion.when = \"capture\"\n".into(),
            (true, true, false) => "promotion.when = \"every move\"\n".into(),
            (false, true, _) => {
                self.refuse_key(
                    "pieceDemotion",
                    "false",
                    "pieces that turn back and forth have no choice here",
                );
                String::new()
            }
            (_, false, true) => {
                let reason = "pieces that promote at captures turn back and forth here";
                self.refuse_key("piecePromotionOnCapture", "false", reason);
                String::new()
            }
            (true, false, false) => {
                format!("promotion.when = \"forced\"\npromotion.zone = {zone}\n")
            }
            (false, false, false) => format!("promotion.zone = {zone}\n"),
        }
    }

    /// The number of ranks of the promotion zone.
    fn zone(&mut self, height: usize) -> usize {
        let ranks = |value: Option<&str>, default: usize| -> Option<BTreeSet<usize>> {
            let Some(value) = value else { return Some(BTreeSet::from([default])) };
            value.split_whitespace().map(|rank| rank.strip_prefix('*')?.parse().ok()).collect()
        };
        let white = ranks(self.value("promotionRegionWhite"), 8);
        let black = ranks(self.value("promotionRegionBlack"), 1);
        let zone = white.as_ref().map_or(0, BTreeSet::len);
        let far: BTreeSet<usize> = (height + 1 - zone.min(height)..=height).collect();
        if white != Some(far) {
            self.refuse_key(
                "promotionRegionWhite",
                "*8",
                "the zone is of whole ranks at the far side here",
            );
        }
        if black != Some((1..=zone).collect()) {
            self.refuse_key("promotionRegionBlack", "*1", "both players have the same zone here");
        }
        zone
    }

    /// The part on drops and dead ends.
    fn drops(&mut self, kinds: &[char]) -> String {
        let mut text = "\n[drops]\n".to_owned();
        if self.is_true("dropPromoted") {
            text += "face = \"either\"\n";
        }
        let limited = self.value("dropNoDoubled").and_then(|value| value.chars().next());
        let limited = limited.filter(|&c| c != '-').map(|c| c.to_ascii_uppercase());
        let is_pawn = |import: &Self, letter: char| {
            let reach = import.pieces.get(&letter).and_then(|piece| Reach::of(&piece.betza).ok());
            reach.is_some_and(|reach| reach.is_pawn())
        };
        match limited {
            None => text += "pawns_on_a_file = \"any\"\n",
            Some(letter) if kinds.contains(&letter) && is_pawn(self, letter) => {
                let most = self.value("dropNoDoubledCount").unwrap_or("1").to_owned();
                if most == "0" {
                    self.refuse_key(
                        "dropNoDoubledCount",
                        "1",
                        "a pawn is allowed on each file here",
                    );
                }
                text += &format!("pawns_on_a_file = {most}\n");
            }
            Some(letter) if !kinds.contains(&letter) => text += "pawns_on_a_file = \"any\"\n",
            Some(_) => {
                self.refuse_key(
                    "dropNoDoubled",
                    "-",
                    "pieces on a file are limited where they move as pawns",
                );
            }
        }
        if !self.is_true("shogiPawnDropMateIllegal") {
            text += "pawn_mate = \"legal\"\n";
        }
        if self.is_true("immobilityIllegal") {
            return text;
        }
        text + "dead_end = \"legal\"\n"
    }

    /// The part on repetition.
    fn repetition(&mut self) -> String {
        let absolute = self.is_true("nFoldValueAbsolute");
        let result = match (self.value("nFoldValue").unwrap_or("draw"), absolute) {
            ("win", true) => "sente wins",
            ("loss", true) => "gote wins",
            // The other player has caused the repetition.
            ("win", false) => "repeater loses",
            ("draw", _) => "draw",
            _ => {
                self.refuse_key(
                    "nFoldValue",
                    "draw",
                    "no rule here has the player lose who did not repeat",
                );
                "draw"
            }
        };
        let times = self.value("nFoldRule").unwrap_or("3").to_owned();
        if times == "0" {
            self.refuse_key("nFoldRule", "3", "a repetition ends every game here");
        }
        let mut text = format!("\n[repetition]\ntimes = {times}\nresult = \"{result}\"\n");
        if !self.is_true("perpetualCheckIllegal") {
            text += "perpetual_check = \"legal\"\n";
        }
        text
    }
}

/// The hands in SFEN: pieces with their numbers.
fn written_hands(hands: &BTreeMap<char, usize>) -> String {
    let written = |(letter, count): (&char, &usize)| match count {
        1 => letter.to_string(),
        _ => format!("{count}{letter}"),
    };
    let text: String = hands.iter().map(written).collect();
    if text.is_empty() { "-".into() } else { text }
}

/// Whether a board has this number of files and ranks.
fn is_of_size(board: &str, width: usize, height: usize) -> bool {
    let squares = |rank: &str| {
        let (mut squares, mut empty) = (0, 0);
        for c in rank.chars() {
            match c.to_digit(10) {
                Some(digit) => empty = 10 * empty + digit as usize,
                None => {
                    squares += core::mem::take(&mut empty) + usize::from(c != '+');
                }
            }
        }
        squares + empty
    };
    board.split('/').count() == height && board.split('/').all(|rank| squares(rank) == width)
}
