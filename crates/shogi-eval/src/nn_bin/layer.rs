//! A layer above the sums of rows: inputs from 0 to 127, and weights of one byte.
//!
//! Processors of x86-64-v2 multiply bytes (SSSE3), twice as many at a time as numbers of 16 bits, and half as much is read
//! from the cache. Elsewhere the layer multiplies as any [`Dense`].

use crate::network::Dense;

/// An input of a layer.
#[cfg(not(target_feature = "ssse3"))]
pub(super) type Input = i16;
/// An input of a layer.
#[cfg(target_feature = "ssse3")]
pub(super) type Input = u8;

/// A layer with `I` inputs and `O` outputs, whose weights are those of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Layer<const I: usize, const O: usize> {
    dense: Dense<I, O>,
    #[cfg(target_feature = "ssse3")]
    bytes: bytes::Bytes<I, O>,
}

impl<const I: usize, const O: usize> From<Dense<I, O>> for Layer<I, O> {
    /// A layer from weights that fit in a byte.
    fn from(dense: Dense<I, O>) -> Self {
        Self {
            #[cfg(target_feature = "ssse3")]
            bytes: bytes::Bytes::of(&dense),
            dense,
        }
    }
}

impl<const I: usize, const O: usize> Layer<I, O> {
    /// The layer as programs that fit and write it take it.
    pub(super) const fn dense(&self) -> &Dense<I, O> {
        &self.dense
    }

    /// The exact outputs, for inputs from 0 to 127.
    #[inline]
    pub(super) fn outputs(&self, inputs: &[Input; I]) -> [i32; O] {
        #[cfg(target_feature = "ssse3")]
        let outputs = self.bytes.outputs(self.dense.bias(), inputs);
        #[cfg(not(target_feature = "ssse3"))]
        let outputs = self.dense.outputs(inputs);
        outputs
    }
}

#[cfg(target_feature = "ssse3")]
mod bytes {
    // The processor's multiplication of bytes, the sums of two products each, and sums of four.
    #[cfg(not(target_feature = "avx2"))]
    use safe_arch::mul_u8i8_add_horizontal_saturating_m128i as multiply;
    #[cfg(target_feature = "avx2")]
    use safe_arch::mul_u8i8_add_horizontal_saturating_m256i as multiply;
    use safe_arch::{add_horizontal_i32_m128i as add_neighbours, m128i};
    #[cfg(not(target_feature = "avx2"))]
    use wide::{i16x8 as Pairs, i32x4 as Sums};
    #[cfg(target_feature = "avx2")]
    use wide::{i16x16 as Pairs, i32x8 as Sums};
    use wide::{i32x4, i32x8};

    use super::super::MAX_INPUT;
    use super::{Dense, Input};

    /// Number of bytes that are multiplied at a time.
    const LANES: usize = size_of::<Pairs>();
    /// Number of outputs that are computed at a time, each from the same inputs.
    const OUTPUTS: usize = 8;

    /// Weights that are multiplied at a time. The instruction reads them from memory, as they are aligned.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[cfg_attr(not(target_feature = "avx2"), repr(align(16)))]
    #[cfg_attr(target_feature = "avx2", repr(align(32)))]
    struct Lanes([i8; LANES]);

    /// The weights of a layer in bytes: those of the first eight outputs for the first inputs, for the next inputs, and so on;
    /// then those of the next eight outputs. Missing outputs have zeros.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub(super) struct Bytes<const I: usize, const O: usize> {
        weights: Vec<[Lanes; OUTPUTS]>,
        /// How many of them have products that are added up in 16 bits, for each eight outputs.
        together: Vec<usize>,
    }

    /// The bound of the sum of the positive weights, and of that of the negative ones, of inputs whose products fit in 16 bits
    /// together.
    const SMALL: i32 = i16::MAX as i32 / MAX_INPUT as i32;

    impl<const I: usize, const O: usize> Bytes<I, O> {
        const CHUNKS: usize = I / LANES;

        pub(super) fn of(layer: &Dense<I, O>) -> Self {
            let zeros = [Lanes([0; LANES]); OUTPUTS];
            let mut weights = vec![zeros; O.div_ceil(OUTPUTS) * Self::CHUNKS];
            for (at, &weight) in layer.weight_list().iter().enumerate() {
                let (output, input) = (at / I, at % I);
                let chunk = output / OUTPUTS * Self::CHUNKS + input / LANES;
                weights[chunk][output % OUTPUTS].0[input % LANES] = weight as i8;
            }
            let together = weights.chunks_exact(Self::CHUNKS).map(added_together).collect();
            Self { weights, together }
        }

        #[inline]
        pub(super) fn outputs(&self, bias: &[i32; O], inputs: &[Input; I]) -> [i32; O] {
            const { assert!(I.is_multiple_of(LANES)) };
            let mut outputs = *bias;
            let blocks = self.weights.chunks_exact(Self::CHUNKS).zip(&self.together);
            for (outputs, (weights, &together)) in outputs.chunks_mut(OUTPUTS).zip(blocks) {
                let sums = match together {
                    8 => sums::<I, 8>(inputs, weights),
                    4 => sums::<I, 4>(inputs, weights),
                    2 => sums::<I, 2>(inputs, weights),
                    _ => sums::<I, 1>(inputs, weights),
                };
                add(outputs, totals(sums));
            }
            outputs
        }
    }

    /// How many of these weights have products that may be added up in 16 bits.
    fn added_together(weights: &[[Lanes; OUTPUTS]]) -> usize {
        [8, 4, 2].into_iter().find(|&number| fit_together(weights, number)).unwrap_or(1)
    }

    /// Whether the products of so many weights at a time fit in 16 bits together.
    fn fit_together(weights: &[[Lanes; OUTPUTS]], number: usize) -> bool {
        let mut groups = weights.chunks_exact(number);
        groups.remainder().is_empty()
            && groups.all(|group| {
                (0..OUTPUTS).all(|at| (0..LANES).step_by(2).all(|lane| pair_fits(group, at, lane)))
            })
    }

    /// Whether the products of an output's weights of a pair of lanes fit in 16 bits together.
    fn pair_fits(group: &[[Lanes; OUTPUTS]], output: usize, lane: usize) -> bool {
        let of_pair = |weights: &[Lanes; OUTPUTS]| [0, 1].map(|at| weights[output].0[lane + at]);
        let weights = || group.iter().flat_map(of_pair).map(i32::from);
        weights().map(|weight| weight.max(0)).sum::<i32>() <= SMALL
            && weights().map(|weight| weight.min(0)).sum::<i32>() >= -SMALL
    }

    /// The products of the inputs and the weights of eight outputs, in a few sums for each. The products of `N` times
    /// [`LANES`] inputs are added up in 16 bits first.
    #[inline(always)]
    fn sums<const I: usize, const N: usize>(
        inputs: &[Input; I],
        weights: &[[Lanes; OUTPUTS]],
    ) -> [Sums; OUTPUTS] {
        let (inputs, _) = inputs.as_chunks::<LANES>();
        let (inputs, _) = inputs.as_chunks::<N>();
        let (weights, _) = weights.as_chunks::<N>();
        let mut sums = [Sums::ZERO; OUTPUTS];
        for (inputs, weights) in inputs.iter().zip(weights) {
            for (output, sum) in sums.iter_mut().enumerate() {
                let mut pairs = Pairs::ZERO;
                for (inputs, weights) in inputs.iter().zip(weights) {
                    pairs += products(*inputs, weights[output]);
                }
                *sum += pairs.dot(Pairs::ONE);
            }
        }
        sums
    }

    /// The products of inputs and weights, two added up each. They are at most 2 x 127 x 128 together, which fits in 16 bits,
    /// so that saturation loses nothing.
    #[inline(always)]
    fn products(inputs: [Input; LANES], weights: Lanes) -> Pairs {
        Pairs::new(multiply(inputs.into(), weights.0.into()).into())
    }

    /// The total of each output's sums.
    #[inline(always)]
    fn totals(sums: [Sums; OUTPUTS]) -> i32x8 {
        let [a, b, c, d, e, f, g, h] = sums.map(|sums| m128i::from(narrowed(sums).to_array()));
        let four = |a, b, c, d| add_neighbours(add_neighbours(a, b), add_neighbours(c, d));
        let [first, last]: [[i32; 4]; 2] = [four(a, b, c, d), four(e, f, g, h)].map(m128i::into);
        let mut totals = i32x8::ZERO;
        totals.as_mut_array()[..4].copy_from_slice(&first);
        totals.as_mut_array()[4..].copy_from_slice(&last);
        totals
    }

    /// Four sums with the same total.
    #[cfg(not(target_feature = "avx2"))]
    #[inline(always)]
    const fn narrowed(sums: Sums) -> i32x4 {
        sums
    }

    /// Four sums with the same total.
    #[cfg(target_feature = "avx2")]
    #[inline(always)]
    fn narrowed(sums: Sums) -> i32x4 {
        let [a, b, c, d, e, f, g, h] = sums.to_array();
        i32x4::new([a, b, c, d]) + i32x4::new([e, f, g, h])
    }

    /// Adds totals to as many outputs.
    #[inline(always)]
    fn add(outputs: &mut [i32], totals: i32x8) {
        match outputs.first_chunk_mut::<OUTPUTS>() {
            Some(outputs) => *outputs = (i32x8::new(*outputs) + totals).to_array(),
            None => outputs
                .iter_mut()
                .zip(totals.to_array())
                .for_each(|(output, total)| *output += total),
        }
    }
}

#[cfg(test)]
mod tests {
    use testing::random::Random;

    use super::*;

    /// Outputs against the sums written plainly, with inputs and weights at their bounds and anywhere between.
    fn sums_up<const I: usize, const O: usize>(random: &mut Random) {
        // The products of weights whose sum is 258 fit in 16 bits together: of four weights, of eight or of sixteen.
        let bounds = [
            [-128, -128],
            [127, 127],
            [-128, 127],
            [0, -128],
            [64, 65],
            [-65, -64],
            [-65, -65],
            [65, 65],
            [32, 32],
            [-33, -32],
            [16, 16],
            [-16, -16],
            [17, 16],
            [-17, -16],
        ];
        for round in 0..160 {
            let weight = |at: usize, random: &mut Random| match bounds.get(round / 8) {
                Some(bounds) => bounds[at % 2],
                None if round % 2 == 0 => random.below(129) as i16 - 64,
                None if round % 3 == 0 => random.below(33) as i16 - 16,
                None => random.below(256) as i16 - 128,
            };
            let weights: Vec<i16> = (0..I * O).map(|at| weight(at, random)).collect();
            let inputs: [Input; I] = std::array::from_fn(|_| match round % 4 {
                0 => 127,
                1 => 127 * random.below(2) as Input,
                _ => random.below(128) as Input,
            });
            let bias: [i32; O] = std::array::from_fn(|_| random.below(1 << 20) as i32);
            let outputs =
                Layer::from(Dense::<I, O>::new(&weights, &bias).unwrap()).outputs(&inputs);
            for (output, (row, bias)) in outputs.iter().zip(weights.chunks_exact(I).zip(bias)) {
                let products = row.iter().zip(inputs).map(|(&w, x)| i32::from(w) * i32::from(x));
                assert_eq!(*output, bias + products.sum::<i32>());
            }
        }
    }

    /// Weights whose sum is 259, one more than fits, side by side and 16 or 32 inputs apart.
    #[test]
    fn sums_just_above_sixteen_bits_are_exact() {
        let weights: Vec<i16> = (0..512 * 32)
            .map(|at| match at % 512 {
                0 | 1 | 16 | 32 => 65,
                17 | 33 => 64,
                _ => 0,
            })
            .collect();
        for sign in [1, -1] {
            let weights: Vec<i16> = weights.iter().map(|weight| sign * weight).collect();
            let layer = Layer::from(Dense::<512, 32>::new(&weights, &[0; 32]).unwrap());
            let sum = i32::from(sign) * 127 * (65 * 4 + 64 * 2);
            assert_eq!(layer.outputs(&[127; 512]), [sum; 32]);
        }
    }

    #[test]
    fn outputs_are_exact_sums_at_the_bounds_of_a_byte() {
        let mut random = Random::new(5);
        sums_up::<512, 32>(&mut random);
        sums_up::<32, 32>(&mut random);
        sums_up::<32, 1>(&mut random);
    }
}
