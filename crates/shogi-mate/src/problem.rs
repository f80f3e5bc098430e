//! Examination of problems by the custom of problem books.

use shogi_core::{Colour, Faults, Kind, Move, Piece, Position, Role, Square};
use shogi_rules::Rules;

use super::cooks::{self, Alternatives, BesideLine};
use super::interposition;
use super::solution::is_solution;
use super::{Book, MateAnswer, MateSearch, MateSolver, Status};
use crate::budget::Budget;

/// The result of [`MateSolver::examine`] for a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Examination<R: Rules> {
    /// The solution by the book's count.
    pub answer: MateAnswer<R>,
    /// Other mating moves beside it.
    pub others: Alternatives<R>,
    /// The useless interpositions at each ply of the line and at its end.
    pub useless: Vec<Useless<R>>,
    /// Pieces in the attacker's hand at the end of the line. A good problem leaves none.
    pub left: u32,
    /// Pieces without which the problem has the same single solution. They are searched only if there is a
    /// single solution.
    pub unnecessary: Vec<PieceOf<R>>,
    /// The unknown parts of this, since the budget ended first, in the order of [`Unknown::ALL`].
    pub unknown: Vec<Unknown>,
    /// Whether all of this is known: the budget did not end first.
    pub complete: bool,
}

/// An unknown part of an [`Examination`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// Whether there is a mate, or its length and line by the book's count.
    Solution,
    /// Whether other moves mate.
    Others,
    /// Which interpositions are useless.
    Useless,
    /// Which pieces are not needed.
    Pieces,
}

impl Unknown {
    /// All parts.
    pub const ALL: [Self; 4] = [Self::Solution, Self::Others, Self::Useless, Self::Pieces];

    /// `solution`, `others`, `useless` or `unnecessary`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Solution => "solution",
            Self::Others => "others",
            Self::Useless => "useless",
            Self::Pieces => "unnecessary",
        }
    }
}

/// An interposition that books do not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Useless<R: Rules> {
    /// Plies of the line before it; odd.
    pub ply: usize,
    /// The move.
    pub mv: Move<R>,
}

/// A piece of a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceOf<R: Rules> {
    /// A piece of either player on the board.
    OnBoard(Square<R::Geometry>),
    /// One of the attacker's pieces in hand.
    InHand(Kind),
}

impl<R: Rules> PieceOf<R> {
    /// The pieces of a problem that may be removed: all except kings, and one of several of a kind in hand.
    pub(super) fn all(problem: &Position<R>) -> Vec<Self> {
        let is_royal = |piece: &Piece| piece.face.kind.spec::<R>().role == Role::Royal;
        let on_board = problem.pieces().filter(|(_, piece)| !is_royal(piece));
        let mut pieces: Vec<_> = on_board.map(|(square, _)| Self::OnBoard(square)).collect();
        let hand = problem.hand(problem.side());
        pieces.extend(Kind::all::<R>().filter(|&kind| hand.has(kind)).map(Self::InHand));
        pieces
    }

    /// The problem with the piece in the defender's hand instead; `None` if that is not a legal position.
    pub(super) fn taken_off(self, problem: &Position<R>) -> Option<Position<R>> {
        let attacker = problem.side();
        let mut placement = *problem.placement();
        let kind = match self {
            Self::OnBoard(square) => placement.lift(square)?.face.kind,
            Self::InHand(kind) => {
                placement.hand_mut(attacker).take(kind);
                kind
            }
        };
        placement.hand_mut(!attacker).add(kind);
        Position::new_allowing(placement, Faults::MISSING_KING).ok()
    }
}

impl<R: Rules> Examination<R> {
    /// Whether the problem is known to have one solution, up to its last move.
    pub fn is_unique(&self) -> bool {
        is_unique(&self.answer, &self.others)
    }

    /// Whether it is a problem that books would print: a single solution, which uses up the attacker's hand,
    /// and no unnecessary piece.
    pub fn is_sound(&self) -> bool {
        self.complete && self.is_unique() && self.left == 0 && self.unnecessary.is_empty()
    }
}

fn is_unique<R: Rules>(answer: &MateAnswer<R>, others: &Alternatives<R>) -> bool {
    answer.exact && others.complete && others.first_moves.len() == 1 && others.cooks.is_empty()
}

/// The unknown parts before pieces are removed.
fn unknown<R: Rules>(
    answer: &MateAnswer<R>,
    others: &Alternatives<R>,
    knows_useless: bool,
) -> Vec<Unknown> {
    let is_solved = answer.exact || answer.status == Status::NoMate;
    // No piece is removed from a problem with several solutions.
    let may_be_unique = others.first_moves.len() <= 1 && others.cooks.is_empty();
    let is_open = |unknown: &Unknown| match unknown {
        Unknown::Solution => !is_solved,
        Unknown::Others => !others.complete,
        Unknown::Useless => !is_solved || !knows_useless,
        Unknown::Pieces => !others.complete && may_be_unique,
    };
    Unknown::ALL.into_iter().filter(is_open).collect()
}

/// Pieces in a player's hand.
pub(super) fn in_hand<R: Rules>(position: &Position<R>, player: Colour) -> u32 {
    Kind::all::<R>().map(|kind| u32::from(position.hand(player).count(kind))).sum()
}

impl<R: Rules> MateSolver<R> {
    /// Solves a problem by the book's count and examines it for other mating moves, useless interpositions and
    /// unnecessary pieces.
    ///
    /// ```
    /// use shogi_rules::Minishogi;
    /// use shogi_rules::parse_position;
    /// use shogi_mate::{Budget, MateSolver, Options, PieceOf};
    ///
    /// // The gold mates on 1b; the silver is there for nothing.
    /// let problem = parse_position::<Minishogi>("4k/5/4P/S4/K4 b G 1")?;
    /// let mut solver = MateSolver::new(Options { hash_bytes: 1 << 20, shortest: true });
    /// let found = solver.examine(&problem, &mut Budget::unlimited());
    /// assert_eq!((found.answer.plies, found.left, found.is_unique()), (Some(1), 0, true));
    /// assert_eq!(found.unnecessary.len(), 1);
    /// assert!(matches!(found.unnecessary[0], PieceOf::OnBoard(_)) && !found.is_sound());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn examine(&mut self, root: &Position<R>, budget: &mut Budget<'_>) -> Examination<R> {
        self.examine_beside(root, cooks::alternatives_by_the_book, budget)
    }

    /// Examines a problem, with this search for mates beside its line.
    pub(super) fn examine_beside(
        &mut self,
        root: &Position<R>,
        look: BesideLine<R>,
        budget: &mut Budget<'_>,
    ) -> Examination<R> {
        let answer = self.solve_by_the_book(root, budget);
        let useless = self.useless_interpositions(root, &answer, budget);
        let others = self.beside_line(root, &answer, budget, look);
        let end = answer.line.iter().fold(*root, |position, &mv| position.play_unchecked(mv));
        let unknown = unknown(&answer, &others, useless.is_some());
        let mut found = Examination {
            left: if answer.line.is_empty() { 0 } else { in_hand(&end, root.side()) },
            complete: unknown.is_empty(),
            unknown,
            answer,
            others,
            useless: useless.unwrap_or_default(),
            unnecessary: Vec::new(),
        };
        if found.is_unique() {
            let mut is_cut = false;
            for piece in PieceOf::all(root) {
                let Some(without) = piece.taken_off(root) else { continue };
                match self.is_solved_alike(&without, &found.answer, budget) {
                    Some(true) => found.unnecessary.push(piece),
                    Some(false) => {}
                    None => is_cut = true,
                }
            }
            if is_cut {
                found.complete = false;
                found.unknown.push(Unknown::Pieces);
            }
        }
        found
    }

    /// Whether a position has the solution of another one as its only one; `None` if the budget ends. The
    /// solution need not be the line found first, since the defender may have other replies that last as long.
    pub(super) fn is_solved_alike(
        &mut self,
        root: &Position<R>,
        answer: &MateAnswer<R>,
        budget: &mut Budget<'_>,
    ) -> Option<bool> {
        let found = self.solve_by_the_book(root, budget);
        if found.status == Status::NoMate {
            return Some(false);
        }
        if !found.exact {
            return None;
        }
        if found.line != answer.line {
            let mut search = MateSearch::new(&mut self.table, root.side());
            if !is_solution(&mut Book::new(&mut search, budget), root, &answer.line)? {
                return Some(false);
            }
        }
        let found = MateAnswer { line: answer.line.clone(), ..found };
        let others = self.beside_line(root, &found, budget, cooks::another_by_the_book);
        let is_open = !others.complete && others.first_moves.len() == 1 && others.cooks.is_empty();
        (!is_open).then(|| is_unique(&found, &others))
    }

    /// The useless interpositions along the line of the last answer; `None` if the budget ends.
    fn useless_interpositions(
        &mut self,
        root: &Position<R>,
        answer: &MateAnswer<R>,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<Useless<R>>> {
        let mut found = Vec::new();
        if !answer.exact {
            return Some(found);
        }
        let mut search = MateSearch::new(&mut self.table, root.side());
        let mut book = Book::new(&mut search, budget);
        let mut position = *root;
        for ply in 0..=answer.line.len() {
            if !book.is_attacking(&position) {
                let line = interposition::squares(&position);
                let left = (answer.line.len() - ply) as u16;
                for &mv in &position.legal_moves() {
                    if line.contains(mv.to()) && book.is_useless(&position, mv, left)? {
                        found.push(Useless { ply, mv });
                    }
                }
            }
            if let Some(&mv) = answer.line.get(ply) {
                position = position.play_unchecked(mv);
            }
        }
        Some(found)
    }
}
