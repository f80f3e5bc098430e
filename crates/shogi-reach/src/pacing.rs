//! Positions that are reachable by lemma L7: the kings pace while all other pieces are taken back.
//!
//! Most positions that a descent meets need no unmove generation. Let each king stand beside an empty square,
//! and let no piece see the other player's king or the square beside it, not even on a board that is otherwise
//! empty. Then each player can pass any number of times, by steps of the king to that square and back, and
//! removing a piece uncovers nothing. So all pieces that can have been dropped are taken back at once, and each
//! promoted piece needs only a way to the square where it turned over, on which it never sees the pacing king.
//! While one piece is on its way the other king may walk. `docs/how/ranking.md` has the proof.

use shogi_core::{
    Bitboard, Colour, Face, Geometry, Kind, Placement, RuleTable, Square, Step, between,
    face_attacks, for_each_face, step_attacks,
};

use crate::descent::{came_from, turned_from};

/// For each player, face and square a set of squares.
type Table<R> = [[[Bitboard<<R as RuleTable>::Geometry>; 128]; Face::MAX]; 2];

/// The squares that pieces see on an empty board, and those where they can have turned over.
pub(crate) struct Views<R: RuleTable> {
    /// The squares that a face attacks.
    seen: Table<R>,
    /// The squares from which a piece that shows its back can have moved when it turned over.
    turned: Table<R>,
}

impl<R: RuleTable> Views<R> {
    pub(crate) fn new() -> Box<Self> {
        let nothing = [[[Bitboard::EMPTY; 128]; Face::MAX]; 2];
        let mut views = Box::new(Self { seen: nothing, turned: nothing });
        for colour in Colour::ALL {
            for square in Square::all() {
                for_each_face!(R, |face, movement| {
                    let (player, face_index) = (colour.index(), face.index());
                    views.seen[player][face_index][square.index()] =
                        face_attacks::<R>((face, movement), colour, square, Bitboard::EMPTY);
                    if face.promoted {
                        views.turned[player][face_index][square.index()] =
                            turned_from::<R>(face.kind, colour, square, Bitboard::EMPTY);
                    }
                });
            }
        }
        views
    }

    /// The squares that a face sees from a square. A square is seen from exactly the squares that the other
    /// player's piece would see from it.
    #[inline(always)]
    fn seen(&self, face: Face, colour: Colour, from: Square<R::Geometry>) -> Bitboard<R::Geometry> {
        self.seen[colour.index()][face.index()][from.index() & 127]
    }

    /// Where a promoted piece can have come from and turned over, unless another piece is on the way.
    #[inline(always)]
    fn turned(&self, back: Face, colour: Colour, to: Square<R::Geometry>) -> Bitboard<R::Geometry> {
        self.turned[colour.index()][back.index()][to.index() & 127]
    }

    /// Whether lemma L7 applies to the position. `false` proves nothing.
    pub(crate) fn comes_apart(&self, placement: &Placement<R>) -> bool {
        let Some(paces) = self.paces(placement) else { return false };
        if R::drops_either_face() {
            return true;
        }
        let mut parting = Parting { views: self, placement, paces, left: placement.promoted() };
        loop {
            let before = parting.left;
            if before.is_empty() {
                return true;
            }
            for kind in Kind::all::<R>() {
                for square in before & placement.kind(kind) {
                    let colour = owner(placement, square);
                    if parting.goes(colour, kind, square) || parting.wanders(colour, kind, square) {
                        parting.left.remove(square);
                    }
                }
            }
            if parting.left == before {
                return false;
            }
        }
    }

    /// Two squares for each king to pace between, if it can.
    #[inline(always)]
    fn paces(&self, placement: &Placement<R>) -> Option<[Pair<R::Geometry>; 2]> {
        let sente = placement.king(Colour::Sente)?;
        let gote = placement.king(Colour::Gote)?;
        let mut seen = [Bitboard::EMPTY; 2];
        for_each_face!(R, |face, _movement| {
            for square in placement.face(face) - placement.royals() {
                let colour = owner(placement, square);
                seen[colour.index()] |= self.seen(face, colour, square);
            }
        });
        let [by_sente, by_gote] = seen;
        if by_sente.contains(gote) || by_gote.contains(sente) || near(sente).contains(gote) {
            return None;
        }
        // Far from the other king, so that it keeps room.
        let occupied = placement.occupied();
        let aside = near(sente) - near(gote) - occupied - by_gote;
        let sente = [sente, aside.iter().max_by_key(|square| square.manhattan(gote))?];
        let aside = near(gote) - beside(sente) - occupied - by_sente;
        let gote = [gote, aside.iter().max_by_key(|square| square.manhattan(sente[0]))?];
        Some([sente, gote])
    }
}

/// Two adjacent squares.
type Pair<G> = [Square<G>; 2];

/// Two adjacent squares of a set.
#[inline(always)]
fn pair<G: Geometry>(set: Bitboard<G>) -> Option<Pair<G>> {
    set.iter().find_map(|square| Some([square, (near(square) & set).first()?]))
}

/// A pair as a set.
#[inline(always)]
fn both<G: Geometry>([a, b]: Pair<G>) -> Bitboard<G> {
    Bitboard::of(a) | Bitboard::of(b)
}

/// The squares to which a king steps.
#[inline(always)]
fn near<G: Geometry>(king: Square<G>) -> Bitboard<G> {
    step_attacks(Step::King, Colour::Sente, king)
}

/// The squares to which a pacing king can step.
#[inline(always)]
fn beside<G: Geometry>([a, b]: Pair<G>) -> Bitboard<G> {
    near(a) | near(b)
}

/// The owner of the piece on a square.
#[inline(always)]
fn owner<R: RuleTable>(placement: &Placement<R>, square: Square<R::Geometry>) -> Colour {
    if placement.of(Colour::Gote).contains(square) { Colour::Gote } else { Colour::Sente }
}

/// A position during the argument: of the pieces besides the kings only promoted ones are left.
struct Parting<'a, R: RuleTable> {
    views: &'a Views<R>,
    /// The original position.
    placement: &'a Placement<R>,
    /// By player, where the king paces; it can be on either square when it is wanted there.
    paces: [Pair<R::Geometry>; 2],
    /// The promoted pieces that are left.
    left: Bitboard<R::Geometry>,
}

impl<R: RuleTable> Parting<'_, R> {
    /// Whether a promoted piece can go back to the square where it turned over while both kings pace.
    #[inline(always)]
    fn goes(&self, colour: Colour, kind: Kind, square: Square<R::Geometry>) -> bool {
        let kings = both(self.paces[0]) | both(self.paces[1]);
        let others = (self.left | kings) - Bitboard::of(square);
        let [a, b] = self.paces[(!colour).index()];
        let barred =
            |face| others | self.views.seen(face, !colour, a) | self.views.seen(face, !colour, b);
        let (front, back) = (barred(Face::front(kind)), barred(Face::back(kind)));
        let mut met = Bitboard::of(square);
        let mut open = met;
        while let Some(to) = open.pop() {
            for from in self.views.turned(Face::back(kind), colour, to) - front {
                if !between(from, to).meets(others) {
                    return true;
                }
            }
            let next = came_from::<R>(Face::back(kind), colour, to, others) - back - met;
            met |= next;
            open |= next;
        }
        false
    }

    /// Whether it can if the other king walks out of its sight in the meantime and paces elsewhere before the
    /// piece moves on.
    fn wanders(&mut self, colour: Colour, kind: Kind, square: Square<R::Geometry>) -> bool {
        let (front, back) = (Face::front(kind), Face::back(kind));
        let (own, king) = (self.paces[colour.index()], (!colour).index());
        let others = (self.left | both(own)) - Bitboard::of(square);
        let barred = others | beside(own) | self.seen_by_others(colour, square);
        // By where the piece is, where the king paces when it arrives.
        let mut paces = [own; 128];
        paces[square.index() & 127] = self.paces[king];
        let mut met = Bitboard::of(square);
        let mut open = met;
        while let Some(to) = open.pop() {
            let barred = barred | self.views.seen(back, colour, to) | Bitboard::of(to);
            let room = room(paces[to.index() & 127], barred);
            let room_for = |face, from| {
                let way = between(from, to) | Bitboard::of(from);
                pair(room - self.views.seen(face, colour, from) - way)
            };
            for from in self.views.turned(back, colour, to) - others {
                if between(from, to).meets(others) {
                    continue;
                }
                if let Some(pair) = room_for(front, from) {
                    self.paces[king] = pair;
                    return true;
                }
            }
            for from in came_from::<R>(back, colour, to, others) - met {
                if let Some(pair) = room_for(back, from) {
                    paces[from.index() & 127] = pair;
                    met.insert(from);
                    open.insert(from);
                }
            }
        }
        false
    }

    /// The squares that a player's remaining promoted pieces see, except the piece on a given square.
    fn seen_by_others(&self, colour: Colour, square: Square<R::Geometry>) -> Bitboard<R::Geometry> {
        let others = (self.left & self.placement.of(colour)) - Bitboard::of(square);
        let mut seen = Bitboard::EMPTY;
        for kind in Kind::all::<R>() {
            for from in others & self.placement.kind(kind) {
                seen |= self.views.seen(Face::back(kind), colour, from);
            }
        }
        seen
    }
}

/// The squares to which a king that paces between two squares can walk.
fn room<G: Geometry>(pair: Pair<G>, barred: Bitboard<G>) -> Bitboard<G> {
    let mut room = both(pair);
    let mut open = room;
    while let Some(square) = open.pop() {
        let next = near(square) - barred - room;
        room |= next;
        open |= next;
    }
    room
}
