//! The parts of a text on rules beyond movements: regions, duties, and the goal of the king.

use alloc::borrow::ToOwned as _;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString as _};

use super::Import;
use super::region::{self, Squares};

impl Import {
    /// The squares on which a piece may stand, if not on all.
    pub(super) fn region(&mut self, letter: char, board: (usize, usize)) -> Option<String> {
        let name = self.pieces.get(&letter)?.setting.split(' ').next()?.to_owned();
        let (first, rest) = name.split_at_checked(1)?;
        let key =
            |player: &str| format!("mobilityRegion{player}{}{rest}", first.to_ascii_uppercase());
        self.region_of_both([key("White"), key("Black")], board)
    }

    /// The squares on which pieces are dropped, if not on all.
    pub(super) fn drop_region(&mut self, board: (usize, usize)) -> Option<String> {
        let pairs =
            [["whiteDropRegion", "blackDropRegion"], ["dropRegionWhite", "dropRegionBlack"]];
        let set = |pair: &[&str; 2]| pair.iter().any(|key| self.settings.contains_key(*key));
        let pair = pairs.into_iter().rfind(set)?;
        self.region_of_both(pair.map(String::from), board)
    }

    /// A region that White and Black have in two settings, each its own half turn of the other's.
    fn region_of_both(&mut self, keys: [String; 2], board: (usize, usize)) -> Option<String> {
        let mut regions = [None, None];
        for (region, key) in regions.iter_mut().zip(&keys) {
            let Some(value) = self.value(key) else { continue };
            *region = region::squares(value, board);
            if region.is_none() {
                self.refuse_key(key, "", "squares are written such as e5, and ranks such as *5");
                return None;
            }
        }
        let [white, black] = regions;
        let turned = |squares: &Squares| {
            squares.iter().map(|&square| region::turned(square, board)).collect()
        };
        if white.is_none() && black.is_none() {
            return None;
        }
        if white.as_ref() != black.as_ref().map(turned).as_ref() {
            let key = keys.iter().find(|key| self.settings.contains_key(*key))?.clone();
            let reason = "both players have the same region here, turned by half";
            self.refuse_key(&key, "", reason);
        }
        Some(region::in_words(&white?, board))
    }

    /// The part on where pieces may and must move.
    pub(super) fn duties(&self) -> String {
        let mut text = String::new();
        if !self.is_true("immobilityIllegal") {
            text += "dead_end = \"legal\"\n";
        }
        if self.is_true("flyingGeneral") {
            text += "facing_kings = \"illegal\"\n";
        }
        if self.is_true("mustCapture") {
            text += "captures = \"forced\"\n";
        }
        if text.is_empty() { text } else { format!("\n[moves]\n{text}") }
    }

    /// The goal of the king, if there is one: whole ranks at the far side.
    pub(super) fn goal(&mut self, height: usize) -> String {
        let keys = ["flagRegionWhite", "flagRegionBlack"];
        let is_set = |key: &&str| self.value(key).is_some_and(|value| value.trim() != "-");
        if !keys.iter().any(is_set) && self.value("flagPiece").is_none_or(|piece| piece == "-") {
            return String::new();
        }
        let royal = self.royal.map(|royal| royal.to_ascii_lowercase().to_string());
        if self.value("flagPiece").map(str::trim) != royal.as_deref() {
            self.refuse_key("flagPiece", "*", "a goal here is for the king");
            return String::new();
        }
        let [white, black] = keys.map(|key| {
            let ranks = self.value(key).unwrap_or_default().split_whitespace();
            ranks
                .map(|rank| rank.strip_prefix('*')?.parse().ok())
                .collect::<Option<BTreeSet<usize>>>()
        });
        let ranks = white.as_ref().map_or(0, BTreeSet::len).min(height);
        if white != Some((height + 1 - ranks..=height).collect())
            || black != Some((1..=ranks).collect())
        {
            let reason = "a goal is of whole ranks at the far side here, the same for both players";
            self.refuse_key("flagRegionWhite", "-", reason);
        }
        format!("goal = {ranks}\n")
    }
}
