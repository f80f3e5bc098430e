//! A text with the rules of a compiled game gets that game's conventions for records: titles, names of pieces,
//! handicaps.

use shogi_core::Face;
use shogi_rules::text::Definition;
use shogi_rules::{
    Dobutsu, Gorogoro, GorogoroPlus, Judkins, KyotoShogi, MicroShogi, Minishogi, RuleSpec, Shogi,
    Shogi34, ToriShogi,
};

use crate::{Name, Recorded};

/// The conventions of a game for records: see [`Recorded`].
#[derive(Default)]
pub(super) struct Custom {
    pub(super) titles: &'static [&'static str],
    pub(super) names: &'static [Name],
    pub(super) handicaps: &'static [(&'static str, &'static str)],
    pub(super) in_hand: &'static [Face],
    pub(super) csa: bool,
}

impl Custom {
    /// The conventions of the compiled game with exactly these rules, including its name and start; empty if
    /// there is no such game.
    pub(super) fn of(rules: &RuleSpec) -> Self {
        let known: [fn(&RuleSpec) -> Option<Self>; 10] = [
            of_game::<Minishogi>,
            of_game::<KyotoShogi>,
            of_game::<Shogi>,
            of_game::<Shogi34>,
            of_game::<Dobutsu>,
            of_game::<Gorogoro>,
            of_game::<GorogoroPlus>,
            of_game::<Judkins>,
            of_game::<MicroShogi>,
            of_game::<ToriShogi>,
        ];
        known.iter().find_map(|of_game| of_game(rules)).unwrap_or_default()
    }

    /// The name of the face with these letters, if the text gives it this word, this kanji or no name.
    pub(super) fn name(&self, letters: &str, said: Option<&str>) -> Option<Name> {
        let name = self.names.iter().find(|name| name.letters == letters)?;
        let is_said = |said: &str| said == name.word || said.chars().eq([name.kanji]);
        said.is_none_or(is_said).then_some(*name)
    }
}

/// The conventions of a compiled game, if these are its rules.
fn of_game<R: Recorded>(rules: &RuleSpec) -> Option<Custom> {
    if rules.name != R::NAME || Definition::of::<R>(R::NAME).ok()?.rules != *rules {
        return None;
    }
    Some(Custom {
        titles: R::TITLES,
        names: R::NAMES,
        handicaps: R::HANDICAPS,
        in_hand: R::IN_HAND,
        csa: R::CSA,
    })
}
