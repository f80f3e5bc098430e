//! The attacks on a king while the board around it is filled square by square.
//!
//! A step gives check wherever it reaches the king; a slide only if nothing stands between. So each
//! of the eight rays from the king needs one bit. If the squares of a ray are filled from the king
//! outwards, the bit says whether a piece has been met: only the first one can attack. If they are
//! filled towards the king, it says whether the last piece so far attacks unless another follows.

use shogi_core::{Colour, Direction, Face, Piece};

use crate::table::{Table, has, members, set_of};

/// The demand on a ray.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Wanted {
    /// The first piece on the ray, if any, does not attack along it.
    NoAttack,
    /// There is a first piece, and it attacks along the ray.
    Attack,
}

/// The bits of the eight rays.
pub(crate) type Rays = u8;

/// The squares around a king, in the order in which they are filled, and what attacks it from there.
#[derive(Clone, Debug)]
pub(crate) struct KingView {
    attacker: Colour,
    /// By square.
    sights: Vec<Sight>,
    /// Those along which some piece slides to the king; nothing is remembered of the others.
    sliding: Rays,
    /// By layer, what is still to come after it.
    rest: Vec<Rest>,
}

/// How a square lies to the king.
#[derive(Clone, Copy, Default, Debug)]
struct Sight {
    /// The ray it is on.
    ray: Option<Ray>,
    /// The attacker's faces whose steps reach the king from here, bit 2 * kind + promoted.
    steps: u16,
    /// Those whose slides do, over an empty board.
    slides: u16,
}

#[derive(Clone, Copy, Debug)]
struct Ray {
    number: u8,
    /// Whether its squares are filled towards the king.
    inward: bool,
    /// Whether this is the last of them.
    is_last: bool,
}

/// The squares still to be filled.
#[derive(Clone, Copy, Default, Debug)]
struct Rest {
    /// Squares where steps attack, or on rays that are filled towards the king.
    is_near: bool,
    /// Rays with squares, filled outwards.
    outward: Rays,
}

fn face_bit(face: Face) -> u16 {
    1 << (2 * face.kind.index() + usize::from(face.promoted))
}

impl KingView {
    /// The view from `king`, attacked by `attacker`, with other squares filled in this order;
    /// along each ray it must go either outwards or towards the king. On squares that are not
    /// filled stands something that blocks rays and does not attack.
    pub(crate) fn new(table: &Table, king: u8, attacker: Colour, order: &[u8]) -> Self {
        let fixed = table.all_squares() & !set_of(order.iter().copied());
        let mut sights = vec![Sight::default(); table.area()];
        for (face, movement) in table.faces() {
            // A piece attacks the king from where the king, moving alike, would attack the piece.
            for square in members(table.step_attacks(movement.step, !attacker, king)) {
                sights[usize::from(square)].steps |= face_bit(face);
            }
            for square in members(table.slide_attacks(movement.slide, !attacker, king, fixed)) {
                sights[usize::from(square)].slides |= face_bit(face);
            }
        }
        let mut sliding = 0;
        let slides = sights.iter().zip(0..).filter(|(sight, _)| sight.slides != 0);
        let slides = set_of(slides.map(|(_, square)| square));
        for direction in Direction::ALL {
            let ray = table.ray_attacks(direction, king, fixed);
            if ray & slides == 0 {
                continue;
            }
            sliding |= 1 << direction as u8;
            let on_ray: Vec<u8> = order.iter().copied().filter(|&s| has(ray, s)).collect();
            let distance = |&square: &u8| {
                let columns = table.column(square).abs_diff(table.column(king));
                columns.max(table.rank(square).abs_diff(table.rank(king)))
            };
            let inward = on_ray.first().map(distance) > on_ray.last().map(distance);
            for (i, &square) in on_ray.iter().enumerate() {
                let is_last = i + 1 == on_ray.len();
                let ray = Ray { number: direction as u8, inward, is_last };
                sights[usize::from(square)].ray = Some(ray);
            }
        }
        let mut rest = vec![Rest::default(); order.len()];
        for layer in (1..order.len()).rev() {
            let sight = sights[usize::from(order[layer])];
            rest[layer - 1] = rest[layer];
            rest[layer - 1].is_near |= sight.steps != 0 || sight.ray.is_some_and(|ray| ray.inward);
            if let Some(Ray { number, inward: false, .. }) = sight.ray {
                rest[layer - 1].outward |= 1 << number;
            }
        }
        Self { attacker, sights, sliding, rest }
    }

    /// Whether any piece can attack along a ray from afar.
    pub(crate) const fn is_sliding(&self, ray: Direction) -> bool {
        self.sliding >> ray as u8 & 1 == 1
    }

    /// Whether some piece slides to the king from a square of an empty board.
    pub(crate) fn has_slides(&self, square: u8) -> bool {
        self.sights[usize::from(square)].slides != 0
    }

    /// How a piece on a square attacks the king over an empty board: bit 0 by a step, bit 1 by a
    /// slide. Pieces that do so alike are alike to [`fill`](Self::fill).
    pub(crate) fn attacks(&self, square: u8, piece: Piece) -> u8 {
        if piece.colour != self.attacker {
            return 0;
        }
        let (sight, face) = (&self.sights[usize::from(square)], face_bit(piece.face));
        u8::from(sight.steps & face != 0) | u8::from(sight.slides & face != 0) << 1
    }

    /// The rays after filling a square, `None` if something else was wanted.
    #[inline]
    pub(crate) fn fill(
        &self,
        rays: Rays,
        square: u8,
        content: Option<Piece>,
        wanted: impl Fn(u8) -> Wanted,
    ) -> Option<Rays> {
        let sight = &self.sights[usize::from(square)];
        let attacker = content.filter(|piece| piece.colour == self.attacker);
        let face = attacker.map_or(0, |piece| face_bit(piece.face));
        if sight.steps & face != 0 {
            return None;
        }
        let Some(Ray { number, inward, is_last }) = sight.ray else { return Some(rays) };
        let wants_attack = wanted(number) == Wanted::Attack;
        let slides = sight.slides & face != 0;
        let mut bit = rays >> number & 1 == 1;
        if inward {
            if content.is_some() {
                bit = slides;
            }
            if is_last && bit != wants_attack {
                return None;
            }
        } else {
            if content.is_some() && !bit {
                if slides != wants_attack {
                    return None;
                }
                bit = true;
            }
            if is_last && wants_attack && !bit {
                return None;
            }
        }
        let bit = bit && !is_last;
        Some(rays & !(1 << number) | u8::from(bit) << number)
    }

    /// Whether what is put on the squares after this layer can still matter to the king, if no
    /// attack is wanted anywhere.
    #[inline]
    pub(crate) fn is_open(&self, rays: Rays, layer: usize) -> bool {
        let rest = self.rest[layer];
        rest.is_near || rest.outward & !rays != 0
    }
}
