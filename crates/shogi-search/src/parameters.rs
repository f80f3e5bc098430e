//! The parameters of the search, tuned by matches for each game. They are options of the engine, so that a
//! tuner need not compile anything.

use std::fmt;

/// One of the [`Parameters`], by its name.
///
/// ```
/// use shogi_search::{Parameter, Parameters};
/// let mut parameters = Parameters::default();
/// for parameter in Parameter::ALL {
///     parameter.set(&mut parameters, parameter.least);
/// }
/// assert_ne!(parameters, Parameters::default());
/// ```
#[derive(Clone, Copy)]
pub struct Parameter {
    /// The name of the option.
    pub name: &'static str,
    /// The value for games without parameters of their own.
    pub standard: i32,
    /// The least sensible value.
    pub least: i32,
    /// The greatest sensible value.
    pub most: i32,
    place: fn(&mut Parameters) -> &mut i32,
}

impl Parameter {
    /// Sets the parameter to a value, clamped to its bounds.
    pub fn set(&self, parameters: &mut Parameters, value: i32) {
        *(self.place)(parameters) = value.clamp(self.least, self.most);
    }

    /// The value of the parameter.
    pub fn of(&self, mut parameters: Parameters) -> i32 {
        *(self.place)(&mut parameters)
    }
}

impl fmt::Debug for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ({} to {})", self.name, self.standard, self.least, self.most)
    }
}

macro_rules! parameters {
    (
        $($(#[doc = $doc:literal])+ $field:ident $name:literal
            $standard:literal $shogi:literal $minishogi:literal $kyotoshogi:literal $nn_bin:literal $bounds:expr;)+
    ) => {
        /// The numbers by which the search prunes, reduces and extends. Margins are in hundredths
        /// of a pawn.
        ///
        /// ```
        /// use shogi_search::{Parameters, Settings};
        /// let parameters = Parameters { aspiration_window: 60, ..Parameters::of_game("minishogi") };
        /// let settings = Settings { parameters: Some(parameters), ..Settings::default() };
        /// assert_ne!(settings, Settings::default());
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Parameters {
            $($(#[doc = $doc])+ pub $field: i32,)+
        }

        impl Default for Parameters {
            fn default() -> Self {
                Self { $($field: $standard,)+ }
            }
        }

        impl Parameters {
            /// The parameters that were tuned for the game of this name; the default ones for other games.
            ///
            /// ```
            /// use shogi_search::Parameters;
            /// assert_ne!(Parameters::of_game("minishogi"), Parameters::default());
            /// assert_eq!(Parameters::of_game("a game of one's own"), Parameters::default());
            /// ```
            pub fn of_game(name: &str) -> Self {
                match name {
                    "shogi" => Self { $($field: $shogi,)+ },
                    "minishogi" => Self { $($field: $minishogi,)+ },
                    "kyotoshogi" => Self { $($field: $kyotoshogi,)+ },
                    _ => Self::default(),
                }
            }

            /// The parameters that were tuned for networks of shogi in the format `nn.bin`.
            ///
            /// ```
            /// use shogi_search::Parameters;
            /// assert_ne!(Parameters::of_nn_bin(), Parameters::of_game("shogi"));
            /// ```
            pub const fn of_nn_bin() -> Self {
                Self { $($field: $nn_bin,)+ }
            }
        }

        impl Parameter {
            /// All parameters.
            pub const ALL: &[Self] = &[
                $(Self {
                    name: $name,
                    standard: $standard,
                    least: $bounds[0],
                    most: $bounds[1],
                    place: |parameters| &mut parameters.$field,
                },)+
            ];
        }
    };
}

impl Parameters {
    /// The reward in history of a move that was better than alpha at a depth.
    #[inline]
    pub(crate) fn bonus(&self, depth: i32) -> i32 {
        (self.history_bonus * depth - self.history_bonus / 2).clamp(0, self.history_bonus_most)
    }

    /// The punishment of a move that was searched in vain before it.
    #[inline]
    pub(crate) fn malus(&self, depth: i32) -> i32 {
        (7 * self.history_bonus * depth - 3 * self.history_bonus / 2)
            .clamp(0, 7 * self.history_bonus_most / 5)
    }
}

// By columns: the name; the values of games without their own, of shogi, of Minishogi, of Kyoto shogi and of networks in
// the format nn.bin; the bounds.
parameters! {
    /// Aspiration: the distance of the first window's bounds from the mean of the best move's scores.
    aspiration_window "AspirationWindow" 100 76 19 22 27 [1, 2_000];
    /// Razoring: how far below alpha an evaluation is given up at depth 0.
    razoring_base "RazoringBase" 471 484 494 448 856 [0, 10_000];
    /// Razoring: what is added to that for the square of the depth.
    razoring_slope "RazoringSlope" 252 239 244 261 238 [1, 10_000];
    /// Reverse futility pruning: the margin for each ply of depth.
    reverse_futility_margin "ReverseFutilityMargin" 96 73 75 118 124 [1, 1_000];
    /// Null-move pruning: the excess over beta that an evaluation needs at depth 0; each ply of depth needs 16 less.
    null_move_margin "NullMoveMargin" 320 386 275 366 371 [1, 10_000];
    /// ProbCut: the excess over beta that a shallow search must find.
    prob_cut_margin "ProbCutMargin" 189 171 157 221 200 [1, 10_000];
    /// Futility pruning: the margin for each ply of reduced depth.
    futility_margin "FutilityMargin" 42 6 64 19 50 [1, 1_000];
    /// Futility pruning: a constant added to the margin.
    futility_base "FutilityBase" 61 66 82 40 18 [0, 1_000];
    /// History pruning: the history score, times the depth, below which a quiet move is left out.
    history_pruning "HistoryPruning" 3_460 1_635 4_213 2_706 2_066 [1, 32_768];
    /// Futility and static exchange pruning: the history score that is worth one ply of reduced depth.
    history_plies "HistoryPlies" 5_628 5_930 6_011 5_245 2_708 [256, 65_536];
    /// Late-move pruning: moves searched at depth 0, where the position improves.
    late_move_pruning_base "LateMovePruningBase" 3 3 4 2 2 [1, 100];
    /// Late-move pruning: hundredths of a move for the square of the depth.
    late_move_pruning_slope "LateMovePruningSlope" 77 120 83 71 86 [1, 1_000];
    /// Static exchange pruning: the loss that a capture, promotion or check may have for each ply of depth.
    see_pruning_tactical "SeePruningTactical" 134 147 157 110 291 [0, 1_000];
    /// Static exchange pruning: the loss that a quiet move may have, times the square of the reduced depth.
    see_pruning_quiet "SeePruningQuiet" 36 65 36 37 24 [0, 1_000];
    /// Late-move reductions: the product of the logarithms of depth and number of the move, in hundredths of a ply.
    late_move_reduction_slope "LateMoveReductionSlope" 38 44 43 32 34 [1, 500];
    /// Late-move reductions: the additional reduction where a cutoff is expected, in hundredths of a ply.
    late_move_reduction_cut "LateMoveReductionCut" 410 344 423 397 483 [0, 1_000];
    /// Late-move reductions: the history score that reduces a move by one ply less.
    late_move_reduction_history "LateMoveReductionHistory" 13_062 12_182 11_241 14_884 6_113 [256, 65_536];
    /// Singular extension: the margin below the table's score for each ply of depth, in hundredths.
    singular_margin "SingularMargin" 84 150 71 96 86 [1, 1_000];
    /// Quiescence search: by how much the evaluation and the captured piece may fall short of alpha.
    delta_margin "DeltaMargin" 333 216 440 226 279 [0, 10_000];
    /// Quiescence search: number of moves out of check after which quiet ones are left out.
    quiet_evasions "QuietEvasions" 2 2 2 1 1 [1, 600];
    /// Correction history: the most that each of its six errors adds to an evaluation.
    correction_most "CorrectionMaximum" 94 101 67 130 88 [0, 1_000];
    /// The cost of a draw by repetition to the player if the root is known to be drawn.
    known_draw_contempt "KnownDrawContempt" 1_000 1_000 1_000 1_000 1_000 [0, 10_000];
    /// History: the bonus of a cutoff for each ply of depth.
    history_bonus "HistoryBonus" 170 166 180 159 62 [1, 1_000];
    /// History: the greatest bonus.
    history_bonus_most "HistoryBonusMaximum" 2_239 2_284 1_890 2_588 1_235 [1, 16_384];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_sets_its_own_field() {
        for (number, parameter) in Parameter::ALL.iter().enumerate() {
            let mut parameters = Parameters::default();
            parameter.set(&mut parameters, parameter.standard);
            assert_eq!(parameters, Parameters::default(), "{parameter:?}");
            parameter.set(&mut parameters, i32::MAX);
            assert_eq!(*(parameter.place)(&mut parameters), parameter.most);
            let others = Parameter::ALL.iter().enumerate().filter(|&(other, _)| other != number);
            for (_, other) in others {
                assert_ne!(other.name, parameter.name);
                assert_eq!(*(other.place)(&mut parameters), other.standard, "{other:?}");
            }
        }
    }
}
