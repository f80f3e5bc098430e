//! A board loaded at run time.

use core::fmt::Debug;
use core::hash::Hash;
use core::marker::PhantomData;

use crate::colour::Colour;
use crate::geometry::{Geometry, Sealed};
use crate::lookup::Lookup;
use crate::movement::Step;
use crate::square::Square;
use crate::steps::Direction;
use crate::word::Word;

/// A rule table on a [`RuntimeBoard`], loaded at run time.
///
/// The answer must be the same for as long as values of that board are in use: a square, a position or a
/// move has a meaning only together with it.
pub trait LookupSource: Copy + Eq + Ord + Hash + Debug + Default + Send + Sync + 'static {
    /// The word that holds one bit for each square.
    type Word: Word;

    /// The tables in use.
    fn lookup() -> &'static Lookup<Self::Word>;
}

/// A board of any width and height, which `L` supplies at run time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct RuntimeBoard<L>(PhantomData<L>);

impl<L: LookupSource> Sealed for RuntimeBoard<L> {}

impl<L: LookupSource> Geometry for RuntimeBoard<L> {
    /// The most files that the word allows.
    const WIDTH: u8 = (L::Word::BITS / 8) as u8;
    const HEIGHT: u8 = 8;
    type Word = L::Word;
    const FULL: L::Word = L::Word::ZERO;

    #[inline(always)]
    fn width() -> u8 {
        L::lookup().spec().width
    }
    #[inline(always)]
    fn height() -> u8 {
        L::lookup().spec().height
    }
    #[inline(always)]
    fn area() -> usize {
        L::lookup().spec().area()
    }
    #[inline(always)]
    fn full() -> L::Word {
        L::lookup().full
    }
    #[inline(always)]
    fn file_word(square: Square<Self>) -> L::Word {
        L::lookup().file(square.index())
    }
    #[inline(always)]
    fn step_word(step: Step, colour: Colour, square: usize) -> L::Word {
        L::lookup().step(step, colour, square)
    }
    #[inline(always)]
    fn ray_word(direction: Direction, square: usize) -> L::Word {
        L::lookup().ray(direction, square)
    }
    #[inline(always)]
    fn line_word(diagonal: bool, square: usize) -> L::Word {
        L::lookup().line(diagonal, square)
    }
    #[inline(always)]
    fn between_word(a: usize, b: usize) -> L::Word {
        L::lookup().between(a, b)
    }
    #[inline(always)]
    fn camp_word(colour: Colour, ranks: usize) -> L::Word {
        L::lookup().camp(colour, ranks)
    }
}
