//! The player inside another program, without USI: a judge of a position that shows several lines, a
//! match between two evaluations, and a search that another thread ends.
//!
//! ```text
//! cargo run --release --example engine_embedding -- --games 4 --nodes 2000
//! ```

use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use clap::Parser;
use shogi_rules::shogi_core::{Colour, Position};
use shogi_rules::{Game, Minishogi, Rules, parse_position, parse_usi, to_usi};
use shogi_search::{
    Action, Control, Evaluation, Evaluator, Limits, Player, Settings, Term, Values,
};
use shogi_variants_playing_examples::{exit_code, say};

/// Uses the player as a library.
#[derive(Parser)]
struct Arguments {
    /// Games of the match; each opening is played twice.
    #[arg(long, default_value_t = 8)]
    games: usize,
    /// Nodes for each move of the match.
    #[arg(long, default_value_t = 5_000)]
    nodes: u64,
}

fn main() -> ExitCode {
    exit_code("engine_embedding", run())
}

fn run() -> Result<()> {
    let arguments = Arguments::parse();
    judge()?;
    compare(&arguments)?;
    interrupt()
}

/// An evaluation of one's own: the number of moves, and the material besides.
struct Freedom<R: Rules> {
    material: Evaluation<R>,
}

impl<R: Rules> Freedom<R> {
    /// What a move more is worth, in hundredths of a pawn.
    const MOVE: i32 = 4;

    fn freedom(position: &Position<R>) -> i32 {
        let theirs = position.pass().count_moves();
        Self::MOVE * (position.count_moves() as i32 - theirs as i32)
    }
}

impl<R: Rules> Evaluator<R> for Freedom<R> {
    // Nothing that could be carried from move to move: the position is looked at.
    type State = ();

    fn evaluate(&self, _: &(), position: &Position<R>) -> i32 {
        let material = self.material.evaluate(&self.material.start(position), position);
        // Where the player to move is in check the count says nothing.
        if position.is_check() { material } else { material + Self::freedom(position) }
    }

    fn values(&self) -> &Values {
        self.material.values()
    }

    fn explain(&self, position: &Position<R>) -> Vec<Term> {
        let mut terms = self.material.explain(position);
        if !position.is_check() {
            terms.push(Term { name: "moves", value: Self::freedom(position) });
        }
        terms
    }
}

/// Shows the three best moves of a position, and what its evaluation is made of.
fn judge() -> Result<()> {
    let position = parse_position::<Minishogi>("r2gk/3bp/2S2/P1B2/KGS1R b - 1")?;
    let evaluation = Evaluation::standard();
    say!("What a position of Minishogi is worth at sight:");
    for term in evaluation.explain(&position) {
        say!("  {term}");
    }
    let settings = Settings { lines: 3, hash_bytes: 16 << 20, ..Settings::default() };
    let mut player = Player::new(evaluation, settings);
    let mut lines = vec![String::new(); 3];
    let choice = player.think(&Game::new(position), &Limits::depth(6), &Control::new(), |found| {
        let moves: Vec<_> = found.line.iter().map(|&mv| to_usi(mv)).collect();
        lines[found.line_number - 1] =
            format!("{:>10}  {}", found.score.to_string(), moves.join(" "));
    });
    say!("and after {} nodes, to depth {}:", choice.nodes, choice.depth);
    for line in lines {
        say!("  {line}");
    }
    Ok(())
}

/// Plays a match between the standard evaluation and [`Freedom`].
fn compare(arguments: &Arguments) -> Result<()> {
    let settings = Settings { hash_bytes: 4 << 20, ..Settings::default() };
    let limits = Limits::nodes(arguments.nodes);
    let openings = ["5d5c", "2e3d", "4e4d", "3e2d", "1e1d"];
    let mut points = [0.0; 2];
    for number in 0..arguments.games {
        let mut standard = Player::new(Evaluation::<Minishogi>::standard(), settings);
        let freedom = Freedom { material: Evaluation::standard() };
        let mut freedom = Player::new(freedom, settings);
        let mut game = Game::<Minishogi>::from_start();
        game.play(parse_usi(openings[number / 2 % openings.len()])?)?;
        let is_sente = number % 2 == 0;
        while game.outcome().is_none() && game.moves().len() < 200 {
            let side = game.position().side();
            let control = Control::new();
            let action = if (side == Colour::Sente) == is_sente {
                standard.think(&game, &limits, &control, |_| {}).action
            } else {
                freedom.think(&game, &limits, &control, |_| {}).action
            };
            match action {
                Action::Play(mv) => drop(game.play(mv)?),
                Action::Declare => drop(game.declare()?),
                Action::Resign => drop(game.resign(side)?),
            }
        }
        match game.outcome().and_then(|outcome| outcome.winner()) {
            Some(winner) => points[usize::from((winner == Colour::Sente) != is_sente)] += 1.0,
            None => points.iter_mut().for_each(|points| *points += 0.5),
        }
    }
    say!("The standard evaluation against one that counts moves: {} : {}", points[0], points[1]);
    Ok(())
}

/// Ends an endless search from another thread.
fn interrupt() -> Result<()> {
    let game = Game::<Minishogi>::from_start();
    let mut player = Player::new(Evaluation::standard(), Settings::default());
    let control = Control::new();
    let choice = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(100));
            control.stop();
        });
        player.think(&game, &Limits::default(), &control, |_| {})
    });
    say!(
        "Stopped after {} ms at depth {}, with {} as the best move.",
        choice.time.as_millis(),
        choice.depth,
        choice.line.first().map(|&mv| to_usi(mv)).unwrap_or_default()
    );
    Ok(())
}
