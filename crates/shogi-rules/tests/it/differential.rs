//! The generator against the naive oracle, on random games and scattered positions.
//!
//! Perft numbers are no proof: a generator that misses drop-pawn mates passes all published ones.
//! So every test here also counts how often the rules that are easy to get wrong were really at
//! stake, and fails if its sample has become too tame.

use std::collections::HashSet;
use std::ops::ControlFlow;

use shogi_rules::shogi_core::{Move, Origin, Placement, Position, Role, RuleTable};
use shogi_rules::{
    Dobutsu, Gorogoro, GorogoroPlus, Judkins, KyotoShogi, MicroShogi, Minishogi, Rules, Shogi,
    Shogi34, ToriShogi, parse_position,
};
use testing::naive::{Board, Illegal};
use testing::random::Random;
use testing::sample::{Style, legal, scatter};
use testing::tables;

/// The contents of a sample.
#[derive(Default, Debug)]
pub(super) struct Tally {
    pub(super) positions: usize,
    pub(super) checks: usize,
    double_checks: usize,
    /// Positions without a legal move, in check and not.
    pub(super) mates: usize,
    pub(super) stalemates: usize,
    /// Candidates refused, by reason.
    pub(super) immobile: usize,
    pub(super) nifu: usize,
    pub(super) king_left_in_check: usize,
    pub(super) drop_pawn_mates: usize,
    pub(super) duties: usize,
    /// Legal pawn drops that give check.
    pawn_drop_checks: usize,
}

impl Tally {
    /// Compares the generator with the oracle in one position, and plays every legal move.
    pub(super) fn compare<R: RuleTable>(&mut self, position: &Position<R>) {
        let board = Board::from(position.placement());
        let mut expected = Vec::new();
        for candidate in board.candidates() {
            let (mv, judged) = (Move::from(candidate), board.judge(candidate));
            assert_eq!(position.is_legal(mv), judged.is_ok(), "{mv:?} in {position:?}");
            match judged {
                Ok(next) => {
                    let played = position.play_unchecked(mv);
                    assert_eq!(Board::from(played.placement()), next, "{mv:?} in {position:?}");
                    assert_eq!(played.key(), played.recompute_key(), "{mv:?} in {position:?}");
                    self.pawn_drop_checks += usize::from(is_pawn_drop(mv) && played.is_check());
                    expected.push(mv);
                }
                Err(Illegal::Immobile) => self.immobile += 1,
                Err(Illegal::Nifu) => self.nifu += 1,
                Err(Illegal::KingLeftInCheck) => self.king_left_in_check += 1,
                Err(Illegal::DropPawnMate) => self.drop_pawn_mates += 1,
                Err(Illegal::MustCapture) => self.duties += 1,
            }
        }
        let mut found = listed(position);
        Move::sort(&mut found);
        assert_eq!(found, expected, "{position:?}");
        compare_narrowed(position, &expected);

        let checks = board.checks(position.side());
        assert_eq!(position.is_check(), checks > 0, "{position:?}");
        assert_eq!(position.count_moves(), expected.len() as u64, "{position:?}");
        assert_eq!(position.has_no_move(), expected.is_empty(), "{position:?}");
        assert_eq!(position.is_mate(), expected.is_empty() && checks > 0, "{position:?}");

        self.positions += 1;
        self.checks += usize::from(checks > 0);
        self.double_checks += usize::from(checks > 1);
        self.mates += usize::from(position.is_mate());
        self.stalemates += usize::from(expected.is_empty() && checks == 0);
    }

    /// Fails unless drop-pawn mates came up this often, and everything else in proportion.
    fn assert_at_stake(&self, drop_pawn_mates: usize) {
        assert!(self.drop_pawn_mates >= drop_pawn_mates, "{self:#?}");
        assert!(self.pawn_drop_checks >= 5 * drop_pawn_mates, "{self:#?}");
        assert!(self.mates >= 5 * drop_pawn_mates, "{self:#?}");
        assert!(self.stalemates >= drop_pawn_mates / 10, "{self:#?}");
        let refused = [self.immobile, self.nifu, self.king_left_in_check, self.double_checks];
        assert!(refused.into_iter().all(|count| count >= 5 * drop_pawn_mates), "{self:#?}");
    }

    /// Plays games of random moves from a position, up to `plies` long, until `positions` have
    /// been compared.
    fn play<R: RuleTable>(
        &mut self,
        random: &mut Random,
        start: &Position<R>,
        plies: usize,
        positions: usize,
    ) {
        let until = self.positions + positions;
        while self.positions < until {
            let mut position = *start;
            for _ in 0..plies {
                self.compare(&position);
                let moves = position.legal_moves();
                // A captured king ends the game where the rules know no check.
                if moves.is_empty() || !position.faults().is_empty() {
                    break;
                }
                position = position.play_unchecked(random.pick(&moves));
            }
        }
    }

    /// Compares `positions` scattered positions.
    fn scatter<R: RuleTable>(&mut self, random: &mut Random, style: Style, positions: usize) {
        for _ in 0..positions {
            self.compare(&legal::<R>(random, style));
        }
    }
}

/// The moves of pieces that show their back, and the captures of others, are those of the legal moves.
fn compare_narrowed<R: RuleTable>(position: &Position<R>, legal: &[Move<R>]) {
    let enemies = position.of(!position.side());
    let mut found = Vec::new();
    let _: ControlFlow<()> = position.generate_on_board(
        |face, squares| if face.promoted { squares } else { squares & enemies },
        |batch| {
            assert!(!batch.is_empty(), "an empty batch in {position:?}");
            found.extend(batch.moves());
            ControlFlow::Continue(())
        },
    );
    Move::sort(&mut found);
    let wanted = |mv: &Move<R>| match *mv {
        Move::Board { from, to, .. } => {
            enemies.contains(to) || position.piece(from).is_some_and(|piece| piece.face.promoted)
        }
        Move::Drop { .. } => false,
    };
    let expected: Vec<Move<R>> = legal.iter().copied().filter(wanted).collect();
    assert_eq!(found, expected, "{position:?}");
}

fn is_pawn_drop<R: RuleTable>(mv: Move<R>) -> bool {
    matches!(mv, Move::Drop { face, .. }
        if face.kind.spec::<R>().role == Role::Pawn && !face.promoted)
}

/// The moves of all batches, which must each be non-empty and true to the board.
fn listed<R: RuleTable>(position: &Position<R>) -> Vec<Move<R>> {
    let mut moves = Vec::new();
    let _: ControlFlow<()> = position.generate(|batch| {
        assert!(!batch.is_empty(), "an empty batch in {position:?}");
        assert_eq!(batch.len() as usize, batch.moves().count());
        if let Origin::Board(from) = batch.origin {
            assert_eq!(position.piece(from).map(|piece| piece.face), Some(batch.face));
        }
        moves.extend(batch.moves());
        ControlFlow::Continue(())
    });
    assert_eq!(position.legal_moves().to_vec(), moves);
    moves
}

/// Games of Minishogi from the start and from sieges; ten tenths are 100,000 positions.
fn games_of_minishogi(tenths: usize) {
    let mut tally = Tally::default();
    let mut random = Random::new(1);
    let start = parse_position(Minishogi::START).unwrap();
    tally.play::<Minishogi>(&mut random, &start, 200, 6_000 * tenths);
    for _ in 0..100 * tenths {
        let start = legal(&mut random, Style::SIEGE);
        tally.play::<Minishogi>(&mut random, &start, 40, 40);
    }
    assert!(tally.positions >= 10_000 * tenths, "{tally:#?}");
    tally.assert_at_stake(20 * tenths);
}

/// Scattered positions of Minishogi, nearly half of them sieges; ten tenths are 220,000.
fn scattered_minishogi(tenths: usize) {
    let mut tally = Tally::default();
    let mut random = Random::new(2);
    for style in Style::ALL {
        tally.scatter::<Minishogi>(&mut random, style, 3_000 * tenths);
    }
    tally.scatter::<Minishogi>(&mut random, Style::SIEGE, 10_000 * tenths);
    assert!(tally.positions >= 22_000 * tenths, "{tally:#?}");
    tally.assert_at_stake(50 * tenths);
}

#[test]
fn minishogi_games() {
    games_of_minishogi(1);
}

#[test]
fn minishogi_scattered() {
    scattered_minishogi(1);
}

macro_rules! samples {
    ($($(#[$attribute:meta])? $test:ident: $table:ty, $positions:literal, [$($at_stake:ident),+];)*) => {$(
        #[test]
        $(#[$attribute])?
        fn $test() {
            let mut tally = Tally::default();
            let mut random = Random::new(3);
            for style in Style::ALL {
                tally.scatter::<$table>(&mut random, style, $positions);
                let start = legal::<$table>(&mut random, style);
                tally.play(&mut random, &start, 40, $positions / 4);
            }
            $(assert!(tally.$at_stake > 0, "{tally:#?}");)+
        }
    )*};
}
samples! {
    kyotoshogi: KyotoShogi, 5_000, [mates];
    shogi: Shogi, 1_000, [mates, immobile, nifu, drop_pawn_mates];
    shogi34: Shogi34, 5_000, [mates, immobile, nifu];
    dobutsu: Dobutsu, 5_000, [checks];
    gorogoro: Gorogoro, 3_000, [mates, immobile, nifu, drop_pawn_mates];
    gorogoroplus: GorogoroPlus, 1_000, [mates, immobile, nifu, drop_pawn_mates];
    judkins: Judkins, 2_000, [mates, immobile, nifu, drop_pawn_mates];
    micro: MicroShogi, 3_000, [mates];
    torishogi: ToriShogi, 500, [mates, immobile, nifu, drop_pawn_mates];
    turning: tables::Turning, 3_000, [mates];
    capture: tables::Capture, 3_000, [checks];
    large: tables::Large, 500, [mates, immobile, nifu, drop_pawn_mates];
    shallow: tables::Shallow, 3_000, [mates, immobile, nifu];
    mixed: tables::Mixed, 3_000, [mates, drop_pawn_mates];
    birds: tables::Birds, 2_000, [mates, immobile, nifu, drop_pawn_mates];
    flipping: tables::Flipping, 2_000, [mates, immobile, drop_pawn_mates];
    advancing: tables::Advancing, 3_000, [mates, immobile, nifu];
    jumping: tables::Jumping, 3_000, [mates, immobile, nifu];
}

/// The same test in more positions, which takes minutes.
mod at_length {
    use super::*;

    #[test]
    #[ignore = "long, see docs/contributing.md"]
    fn minishogi_games() {
        games_of_minishogi(10);
    }

    #[test]
    #[ignore = "long, see docs/contributing.md"]
    fn minishogi_scattered() {
        scattered_minishogi(10);
    }

    samples! {
        #[ignore = "long, see docs/contributing.md"]
        kyotoshogi: KyotoShogi, 50_000, [mates];
        #[ignore = "long, see docs/contributing.md"]
        shogi: Shogi, 50_000, [mates, immobile, nifu, drop_pawn_mates];
        #[ignore = "long, see docs/contributing.md"]
        shogi34: Shogi34, 50_000, [mates, immobile, nifu];
        #[ignore = "long, see docs/contributing.md"]
        dobutsu: Dobutsu, 50_000, [checks];
    }
}

/// `faults` and the oracle agree on what is a position, in all scattered placements.
fn faults_agree<R: RuleTable>(positions: usize) {
    let mut random = Random::new(4);
    let mut legal = 0;
    for _ in 0..positions {
        let style = random.pick(&Style::ALL);
        let placement = scatter::<R>(&mut random, style);
        let is_position = Board::from(&placement).is_position();
        assert_eq!(placement.faults().is_empty(), is_position, "{placement:?}");
        legal += usize::from(is_position);
    }
    assert!(legal > positions / 20 && legal < positions * 19 / 20, "{legal} of {positions}");
}

#[test]
fn faults() {
    faults_agree::<Minishogi>(20_000);
    faults_agree::<tables::Turning>(5_000);
    faults_agree::<tables::Large>(2_000);
    faults_agree::<tables::Shallow>(5_000);
    faults_agree::<tables::Mixed>(5_000);
    faults_agree::<tables::Advancing>(5_000);
}

/// Two positions of a random game have the same key only if they are the same.
#[test]
fn keys_are_distinct() {
    let mut random = Random::new(5);
    let (mut placements, mut keys) = (HashSet::new(), HashSet::new());
    for _ in 0..50_000 {
        let style = random.pick(&Style::ALL);
        let position = legal::<Minishogi>(&mut random, style);
        assert_eq!(placements.insert(*position.placement()), keys.insert(position.key()));
    }
}

/// The rules know neither left from right nor Sente from Gote.
fn symmetric<R: RuleTable>(positions: usize) {
    let mut random = Random::new(6);
    for _ in 0..positions {
        let style = random.pick(&Style::ALL);
        let position = legal::<R>(&mut random, style);
        let placement = *position.placement();
        let children = |of: &Placement<R>| -> HashSet<_> {
            of.legal_moves().into_iter().map(|mv| of.play_unchecked(mv)).collect()
        };
        let mirrored: HashSet<_> = children(&placement).iter().map(Placement::mirror).collect();
        assert_eq!(children(&placement.mirror()), mirrored, "{placement:?}");
        let exchanged: HashSet<_> =
            children(&placement).iter().map(Placement::exchange_colours).collect();
        assert_eq!(children(&placement.exchange_colours()), exchanged, "{placement:?}");
    }
}

#[test]
fn symmetries() {
    symmetric::<Minishogi>(10_000);
    symmetric::<tables::Capture>(3_000);
    symmetric::<tables::Large>(1_000);
}
