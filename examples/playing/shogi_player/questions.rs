//! The matches: what each idea of the text is worth in games.

use anyhow::Result;
use serde::Serialize;
use shogi_rules::{Minishogi, Rules, Shogi};
use shogi_search::{Evaluation, Evaluator, Material, Player, Settings, Values};

use crate::contestants::TextPlayer;
use crate::matches::{Match, Terms, compare, rules, table};
use crate::selective::{Depths, Selective};
use crate::strategic::{NAMES, Parts, Strategic};

/// Matches about learning and about the table have this many times the nodes, and fewer games.
const LONGER: u64 = 4;
const FEWER: u32 = 4;
/// Matches about selective deepening, which needs some thousand nodes to consider all moves, have even more nodes.
const LONGEST: u64 = 20;
const FEWEST: u32 = 10;

/// The matches of the page, by what they are about.
#[derive(Serialize, Debug)]
pub struct Matches {
    material: Vec<Match>,
    selective: Vec<Match>,
    deepening: Vec<Match>,
    table: Vec<Match>,
    learnt: Vec<Match>,
}

/// Plays all matches.
pub fn play(terms: Terms) -> Result<Matches> {
    let longer = |nodes, fewer| Terms {
        games: terms.games.div_ceil(fewer),
        nodes: terms.nodes.saturating_mul(nodes),
        ..terms
    };
    let (searches, longest) = (longer(LONGER, FEWER), longer(LONGEST, FEWEST));
    Ok(Matches {
        material: material(terms)?,
        selective: text_deepening(longest)?,
        deepening: vec![deepening::<Shogi>(longest)?, deepening::<Minishogi>(longest)?],
        table: vec![cache::<Shogi>(searches)?, cache::<Minishogi>(searches)?],
        learnt: learnt(searches)?,
    })
}

/// A player with a table for as many nodes as the matches have.
fn player<R: Rules, E: Evaluator<R>>(evaluation: E) -> Player<R, E> {
    Player::new(evaluation, Settings { hash_bytes: 1 << 20, ..Settings::default() })
}

fn text(parts: Parts) -> Strategic<Shogi> {
    Strategic::new(Values::standard::<Shogi>(), parts)
}

/// Each part of the evaluation against material alone.
fn material(terms: Terms) -> Result<Vec<Match>> {
    let mut contestants = vec![("hands".to_owned(), Parts::HANDS)];
    for (number, name) in NAMES.into_iter().enumerate() {
        contestants.push((format!("hands and {name}"), Parts::term(number)));
    }
    contestants.push(("all".to_owned(), Parts::ALL));
    let mut matches = Vec::new();
    for (name, parts) in contestants {
        let (mut first, mut second) = (player(text(parts)), player(text(Parts::NONE)));
        let names = [&*name, "material alone"];
        matches.push(compare::<Shogi>(names, [&mut first, &mut second], terms)?);
    }
    Ok(matches)
}

/// The text's search with the text's pair of depths against all moves to one depth.
fn text_deepening(terms: Terms) -> Result<Vec<Match>> {
    let evaluation = Material::tanigawa();
    let mut matches = Vec::new();
    for (name, depth) in [("depth 2", 2), ("depth 4", 4)] {
        let selective = Depths { minimum: 2, maximum: 4 };
        let mut first = TextPlayer::new(&evaluation, selective);
        let mut second = TextPlayer::new(&evaluation, Depths { minimum: depth, maximum: depth });
        let names = ["selective 2 to 4", name];
        matches.push(compare::<Shogi>(names, [&mut first, &mut second], terms)?);
    }
    Ok(matches)
}

/// Iterative against selective deepening, which only the nodes end.
fn deepening<R: Rules>(terms: Terms) -> Result<Match> {
    let depths = Depths { minimum: 60, maximum: 60 };
    let mut first = player::<R, _>(Evaluation::standard());
    let mut second = Selective { player: player::<R, _>(Evaluation::standard()), depths };
    compare::<R>(["iterative", "selective"], [&mut first, &mut second], terms)
}

/// With a table against one of four positions, the least there is.
fn cache<R: Rules>(terms: Terms) -> Result<Match> {
    let mut first = player::<R, _>(Evaluation::standard());
    let settings = Settings { hash_bytes: 0, ..Settings::default() };
    let mut second = Player::new(Evaluation::<R>::standard(), settings);
    compare::<R>(["with the table", "without"], [&mut first, &mut second], terms)
}

/// What was learnt from games against what the text proposes.
fn learnt(terms: Terms) -> Result<Vec<Match>> {
    let mut matches = Vec::new();
    for (name, parts) in [("material and hands", Parts::HANDS), ("all of the text", Parts::ALL)] {
        let mut first = player(Evaluation::<Shogi>::standard());
        let mut second = player(text(parts));
        matches.push(compare::<Shogi>(["learnt", name], [&mut first, &mut second], terms)?);
    }
    Ok(matches)
}

impl Matches {
    /// The tables.
    pub fn page(&self, Terms { nodes, .. }: Terms) -> String {
        let longer = nodes * LONGER;
        let mut page = format!(
            "## Games: the evaluation\n\nEach part of the text's evaluation against **material alone**, in which a piece in hand \
             counts as on the board: {nodes} nodes a move by the library's player. {}",
            rules()
        );
        page += &table(&self.material);
        page += "## Games: selective deepening\n\nThe text's search with all ideas of the first table and its own depths, all \
                 moves to 2 and the best to 4, against all moves to one depth. It does not look at repetitions.\n\n";
        page += &table(&self.selective);
        page += &format!(
            "The same idea on top of the library's player, {} nodes a move: the position after each move is searched by the player, \
             and only the nodes end it.\n\n",
            nodes * LONGEST
        );
        page += &table(&self.deepening);
        page += &format!(
            "## Games: what is learnt\n\nThe library's standard evaluation against the text's, {longer} nodes a move each; \
             the text's takes less time for a node.\n\n"
        );
        page += &table(&self.learnt);
        page += &format!(
            "## Games: the table\n\nThe library's player with its table of positions and without, {longer} nodes a move.\n\n"
        );
        page + &table(&self.table)
    }
}
