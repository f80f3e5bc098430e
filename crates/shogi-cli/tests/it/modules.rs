//! Modules of the program that stand alone, with their own tests.

#[allow(dead_code, reason = "the program uses what the tests do not")]
#[path = "../../src/amount.rs"]
mod amount;
#[allow(dead_code, reason = "the program uses what the tests do not")]
#[path = "../../src/bar.rs"]
mod bar;
#[allow(dead_code, reason = "the program uses what the tests do not")]
#[path = "../../src/diagram.rs"]
mod diagram;
