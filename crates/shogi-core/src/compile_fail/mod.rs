//! Misuses that must not compile, one in each file.
//!
//! They are documentation tests and not compiler output kept in files, because that output changes
//! with every compiler and these tests have to pass with all of them. A program can fail to compile
//! for any reason, so each misuse stands below a program that differs in nothing else and runs.

mod bitboards_of_two_boards;
mod moves_of_two_rule_sets;
mod placements_of_two_rule_sets;
mod square_of_another_board;
mod squares_of_two_boards;
mod unmove_of_another_rule_set;
mod word_too_small;
