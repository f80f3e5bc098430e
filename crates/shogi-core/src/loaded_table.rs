//! Rule tables loaded at run time: what other tables work out at compile time is looked up.

use core::ops::ControlFlow;

use crate::attack::{face_moves, slide_attacks};
use crate::bitboard::Bitboard;
use crate::colour::Colour;
use crate::movement::{Movement, Slide};
use crate::moves::{Batch, Origin};
use crate::notation::{Dialect, Notation};
use crate::placement::Placement;
use crate::runtime_board::{LookupSource, RuntimeBoard};
use crate::spec::TableSpec;
use crate::square::Square;
use crate::table::{Face, Kind, KindSpec, Promotion, RuleTable, Turning};
use crate::word::Word;

/// A set of squares of the board of `L`.
type Set<L> = Bitboard<RuntimeBoard<L>>;

/// Functions that return a value of the table.
macro_rules! looked_up {
    (|$lookup:ident| $($name:ident: $type:ty = $value:expr;)*) => {$(
        #[inline(always)]
        fn $name() -> $type {
            let $lookup = L::lookup();
            $value
        }
    )*};
}

impl<L: LookupSource> RuleTable for L {
    type Geometry = RuntimeBoard<L>;
    const KINDS: &'static [KindSpec] = &[];
    const RUNTIME: bool = true;

    looked_up! { |lookup|
        spec: Option<&'static TableSpec> = Some(lookup.spec());
        notation: &'static Notation = lookup.notation();
        kinds: &'static [KindSpec] = &lookup.spec().kinds;
        lishogi_letters: &'static [(char, Face)] = &lookup.spec().letters;
        promotion: Promotion = lookup.spec().promotion;
        zone: u8 = lookup.spec().zone;
        pawns_on_a_file: Option<u8> = lookup.spec().pawns_on_a_file;
        allows_drop_pawn_mate: bool = lookup.spec().allows_drop_pawn_mate;
        allows_immobile: bool = lookup.spec().allows_immobile;
        allows_immobile_drops: bool = lookup.spec().allows_immobile_drops;
        goal: Option<u8> = lookup.spec().goal;
        safe_goal: u8 = lookup.spec().safe_goal;
        forbids_facing_kings: bool = lookup.spec().forbids_facing_kings;
        must_capture: bool = lookup.spec().must_capture;
        dialect: Dialect = lookup.spec().dialect;
        royal_safety: bool = lookup.royal_safety;
        can_be_over: bool = lookup.can_be_over;
        drops_either_face: bool = lookup.drops_either_face;
        has_kind_rules: bool = lookup.has_kind_rules;
        is_mirror_symmetric: bool = lookup.is_mirror_symmetric;
        royal: Option<Kind> = Some(lookup.royal);
        pawn_kinds: u8 = lookup.pawn_kinds;
        jumps_along_lines: bool = lookup.jumps_along_lines;
    }

    #[inline(always)]
    fn is_over(placement: &Placement<L>) -> bool {
        Self::can_be_over() && is_decided(placement)
    }

    #[inline(always)]
    fn compiled_or_loaded<T>(_: impl FnOnce() -> T, loaded: impl FnOnce() -> T) -> T {
        loaded()
    }

    #[inline(always)]
    fn looked_up_faces() -> impl Iterator<Item = (Face, Movement)> {
        let lookup = L::lookup();
        lookup.order.iter().map(move |&face| (face, lookup.movement(face)))
    }

    #[inline(always)]
    fn steps_ahead((face, _): (Face, Movement)) -> bool {
        L::lookup().face(face).is_pawn_step
    }

    #[inline(always)]
    fn turning(face: Face) -> Turning {
        L::lookup().face(face).turning
    }

    #[inline(always)]
    fn zone_squares(colour: Colour) -> Set<L> {
        Bitboard::from_table(L::lookup().zones[colour.index()])
    }

    #[inline(always)]
    fn leaps(
        (face, _): (Face, Movement),
        colour: Colour,
        square: Square<RuntimeBoard<L>>,
    ) -> Set<L> {
        let leaps = &L::lookup().face(face).leaps;
        Bitboard::from_table(leaps[colour.index()][square.index() & 127])
    }

    #[inline(always)]
    fn slides(
        (face, _): (Face, Movement),
        colour: Colour,
        square: Square<RuntimeBoard<L>>,
        occupied: Set<L>,
    ) -> Set<L> {
        let lookup = L::lookup();
        let face = lookup.face(face);
        if !face.is_slider {
            return Bitboard::EMPTY;
        }
        Bitboard::from_table(lookup.slide(face, colour, square.index(), occupied.word()))
    }

    #[inline(always)]
    fn sources(
        (face, _): (Face, Movement),
        by: Colour,
        square: Square<RuntimeBoard<L>>,
        occupied: Set<L>,
    ) -> [Set<L>; 2] {
        let lookup = L::lookup();
        let face = lookup.face(face);
        let leaps = face.leap_sources[by.index()][square.index() & 127];
        let slides = match face.is_slider {
            true => lookup.slide_sources(face, by, square.index(), occupied.word()),
            false => L::Word::ZERO,
        };
        [leaps, slides].map(Bitboard::from_table)
    }

    #[inline(always)]
    fn quiet_moves(
        face: Face,
        colour: Colour,
        square: Square<RuntimeBoard<L>>,
        occupied: Set<L>,
    ) -> Option<Set<L>> {
        let lookup = L::lookup();
        let quiet = lookup.face(face).quiet.as_ref()?;
        let reached = lookup.reached(quiet, colour, square.index(), occupied.word());
        Some(Bitboard::from_table(reached) - occupied)
    }

    #[inline(always)]
    fn quiet_sources(
        face: Face,
        by: Colour,
        square: Square<RuntimeBoard<L>>,
        occupied: Set<L>,
    ) -> Option<Set<L>> {
        let lookup = L::lookup();
        let quiet = lookup.face(face).quiet.as_ref()?;
        let sources = lookup.sources(quiet, by, square.index(), occupied.word());
        Some(Bitboard::from_table(sources))
    }

    #[inline(always)]
    fn allows_drop(face: Face, colour: Colour, square: Square<RuntimeBoard<L>>) -> bool {
        let region = L::lookup().face(face).drop_region[colour.index()];
        Bitboard::from_table(region).contains(square)
    }

    fn has_outsider(placement: &Placement<L>) -> bool {
        let lookup = L::lookup();
        lookup.has_regions
            && lookup.order.iter().any(|&face| {
                let region = lookup.face(face).region.map(Bitboard::from_table);
                let outside = (placement.of(Colour::Sente) - region[0])
                    | (placement.of(Colour::Gote) - region[1]);
                outside.meets(placement.face(face))
            })
    }

    #[inline(always)]
    fn dead_squares(face: Face, colour: Colour) -> Set<L> {
        Bitboard::from_table(L::lookup().face(face).dead[colour.index()])
    }

    #[inline(always)]
    fn dead_ends_of_king(colour: Colour) -> Set<L> {
        Bitboard::from_table(L::lookup().dead_ends_of_king[colour.index()])
    }

    #[inline(always)]
    fn anywhere_dead(colour: Colour) -> Set<L> {
        Bitboard::from_table(L::lookup().dead[colour.index()])
    }

    #[inline(always)]
    fn leapers(placement: &Placement<L>, target: Square<RuntimeBoard<L>>, by: Colour) -> Set<L> {
        let lookup = L::lookup();
        let (player, square) = (by.index(), target.index() & 127);
        let near = Bitboard::from_table(lookup.leap_sources[player][square]) & placement.of(by);
        let mut set = Bitboard::EMPTY;
        if near.is_empty() {
            return set;
        }
        for &face in &lookup.order {
            let leaps = lookup.face(face).leap_sources[player][square];
            set |= Bitboard::from_table(leaps) & placement.face(face);
        }
        set & near
    }

    #[inline(always)]
    fn snipers(placement: &Placement<L>, target: Square<RuntimeBoard<L>>, by: Colour) -> Set<L> {
        let lookup = L::lookup();
        let (player, square) = (by.index(), target.index() & 127);
        let in_line = Bitboard::from_table(lookup.line_sources[player][square]) & placement.of(by);
        let mut set = Bitboard::EMPTY;
        if Self::forbids_facing_kings() && placement.royals().contains(target) {
            let line = Bitboard::from_table(lookup.line(false, square));
            set |= line & placement.royals();
        }
        if in_line.is_empty() {
            return set;
        }
        for &face in &lookup.sliders {
            let lines = lookup.face(face).line_sources[player][square];
            set |= Bitboard::from_table(lines) & placement.face(face);
        }
        set & placement.of(by)
    }

    // To find all attacked squares at once costs less than to test square by square.
    fn king_targets(placement: &Placement<L>, king: Square<RuntimeBoard<L>>) -> Set<L> {
        let (us, lookup) = (placement.side(), L::lookup());
        let enemies = placement.of(!us);
        // Sliders see through the square that the king leaves.
        let occupied = placement.occupied() - Bitboard::of(king);
        let face = (Face::front(lookup.royal), lookup.movement(Face::front(lookup.royal)));
        let steps = face_moves::<L>(face, us, king, occupied, enemies);
        let mut targets = steps - placement.of(us) - Self::dead_ends_of_king(us);
        for &face in &lookup.order {
            let looked_up = lookup.face(face);
            for from in placement.face(face) & enemies {
                let leaps = looked_up.leaps[(!us).index()][from.index() & 127];
                targets -= Bitboard::from_table(leaps);
                if looked_up.is_slider {
                    let slides = lookup.slide(looked_up, !us, from.index(), occupied.word());
                    targets -= Bitboard::from_table(slides);
                }
            }
            if targets.is_empty() {
                break;
            }
        }
        if Self::forbids_facing_kings()
            && let Some(other) = placement.king(!us)
        {
            // The squares from which the kings would face each other, without a piece between them.
            targets -= slide_attacks(Slide::Orthogonal, !us, other, occupied);
        }
        targets
    }

    #[inline(always)]
    fn generate_drops<B>(
        placement: &Placement<L>,
        targets: Set<L>,
        sink: &mut impl FnMut(Batch<L>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let us = placement.side();
        let held = placement.hand(us).bits();
        for drop in &L::lookup().drops {
            if held & drop.in_hand == 0 {
                continue;
            }
            let mut keep = targets - Bitboard::from_table(drop.dead[us.index()]);
            if drop.is_pawn {
                keep = placement.pawn_drops(keep, drop.face);
            }
            if !keep.is_empty() {
                let (origin, turn) = (Origin::Hand, Bitboard::EMPTY);
                sink(Batch { origin, face: drop.face, colour: us, keep, turn })?;
            }
        }
        ControlFlow::Continue(())
    }
}

// Few tables have a goal: the loops of the others stay small.
#[inline(never)]
fn is_decided<L: LookupSource>(placement: &Placement<L>) -> bool {
    placement.is_decided()
}
