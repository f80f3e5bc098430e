//! No number from outside ends the process: stacks and memory have bounds.
#![cfg(all(feature = "parallel", feature = "search", feature = "solve"))]

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};

use shogi_variants::rules::{Minishogi, Shogi};
use shogi_variants::search::{Evaluation, MAX_LINES, MAX_THREADS, Player, Settings, SettingsError};
use shogi_variants::solve::{Budget, Options};
use shogi_variants::tasks::{MateTask, Session, Task as _};
use shogi_variants::{Error, Variant};

#[test]
fn the_deepest_count_fits_on_the_stack() {
    for &variant in Variant::ALL {
        let parts = AtomicU32::new(0);
        let count = |_: u64| match parts.fetch_add(1, Ordering::Relaxed) {
            0..20 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        };
        let counts = variant.rules().divide("startpos", u8::MAX, None, &count).unwrap();
        assert!(parts.into_inner() > 20 && counts.iter().all(|first| !first.complete), "{variant}");
    }
}

#[test]
fn memory_that_the_system_refuses_is_an_error() {
    let solving = Variant::Minishogi.solving();
    let options = Options { hash_bytes: usize::MAX, ..Options::default() };
    let refused = solving.solver("startpos", options).err();
    assert!(matches!(refused, Some(Error::Memory { bytes: usize::MAX })), "{refused:?}");
    let task = MateTask { hash: u32::MAX, ..MateTask::default() };
    let mut session = Session::new(Budget::nodes(1));
    let refused = task.answer(Variant::Minishogi, "startpos", &mut session).unwrap_err();
    assert_eq!(refused.to_string(), "the system refuses 4503599626321920 bytes for the tables");
}

#[test]
fn a_player_has_bounds() {
    let made = |settings| {
        let evaluation = Evaluation::<Shogi>::named("material").unwrap();
        Player::try_new(evaluation, settings).map(drop)
    };
    let settings = Settings { hash_bytes: 1 << 20, ..Settings::default() };
    assert_eq!(made(settings), Ok(()));
    assert_eq!(made(Settings { threads: 0, ..settings }), Err(SettingsError::Threads(0)));
    let threads = MAX_THREADS + 1;
    assert_eq!(made(Settings { threads, ..settings }), Err(SettingsError::Threads(257)));
    let lines = MAX_LINES + 1;
    assert_eq!(made(Settings { lines, ..settings }), Err(SettingsError::Lines(601)));
    let refused = made(Settings { hash_bytes: usize::MAX, ..settings });
    assert_eq!(refused, Err(SettingsError::Memory(usize::MAX)));
    let most = Settings { threads: MAX_THREADS, lines: MAX_LINES, ..settings };
    let evaluation = Evaluation::<Minishogi>::named("material").unwrap();
    assert!(Player::try_new(evaluation, most).is_ok());
}
