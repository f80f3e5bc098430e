//! Archives of games: what is read back, and what is refused.

use std::ops::ControlFlow;

use shogi_files::sealed::CHECKSUM_BYTES;
use shogi_learn::LearnReason;
use shogi_learn::archive::{Archive, read_head};
use shogi_learn::self_play::{Effort, SelfPlay, play_games};
use shogi_rules::{Dobutsu, Minishogi, Rules, Verdict};
use shogi_search::{Material, Player, Values};
use testing::for_every_variant;

fn player<R: Rules>(settings: &SelfPlay) -> Player<R, Material<R>> {
    Player::new(Material::new(Values::by_freedom::<R>()), settings.player())
}

fn archive<R: Rules>(games: u32, threads: usize, settings: SelfPlay) -> Archive<R> {
    let start = R::start();
    let mut archive = Archive::new(start, settings, "material".to_owned());
    let player = || player(&settings);
    let end = play_games(&start, &settings, 0..games, threads, player, |game| {
        archive.games.push(game);
        ControlFlow::Continue(())
    });
    assert_eq!(end, ControlFlow::Continue(()));
    archive
}

fn written<R: Rules>(archive: &Archive<R>) -> Vec<u8> {
    let mut file = Vec::new();
    archive.write(&mut file).unwrap();
    file
}

const QUICK: SelfPlay = SelfPlay {
    seed: 7,
    opening: 6,
    effort: Effort::Nodes(60),
    plies: 80,
    hash_bytes: 1 << 16,
    mate_probe: false,
};

fn comes_back_whatever_the_threads<R: Rules>() {
    let archive = archive::<R>(6, 1, QUICK);
    assert_eq!(self::archive::<R>(6, 3, QUICK), archive);
    let file = written(&archive);
    assert_eq!(Archive::<R>::read(&file).unwrap(), archive);
    assert_eq!(read_head(&file).unwrap().games, 6);
    let mut openings = Vec::new();
    for game in &archive.games {
        assert_eq!(game.samples().count(), game.game().moves().len() - game.opening());
        assert!((5..=6).contains(&game.opening()));
        openings.push(&game.game().moves()[..game.opening()]);
        // One player's win is the other's loss, ply by ply.
        for sample in game.samples() {
            let expected = match game.winner() {
                None => Verdict::Draw,
                Some(winner) if winner == sample.position.side() => Verdict::Win,
                Some(_) => Verdict::Loss,
            };
            assert_eq!(sample.result, expected);
        }
        let record = game.record();
        assert_eq!(record.moves().len(), game.game().moves().len());
        assert!(record.ending().is_some());
        assert_eq!(record.winner(), game.winner());
    }
    openings.dedup();
    assert!(openings.len() > 1);
}

for_every_variant!(every_archive_comes_back: comes_back_whatever_the_threads());

#[test]
fn every_damage_is_found() {
    let file = written(&archive::<Dobutsu>(2, 1, QUICK));
    for place in 0..file.len() {
        let mut damaged = file.clone();
        damaged[place] ^= 0x41;
        let reason = Archive::<Dobutsu>::read(&damaged).unwrap_err().reason;
        assert!(matches!(reason, LearnReason::Flaw(_)), "byte {place}: {reason}");
        assert!(Archive::<Dobutsu>::read(&file[..place]).is_err(), "cut at {place}");
    }
    let error = Archive::<Minishogi>::read(&file).unwrap_err();
    assert!(error.to_string().contains("for dobutsu, but minishogi is wanted"), "{error}");
}

#[test]
fn forged_games_are_refused_where_they_are_wrong() {
    let file = written(&archive::<Dobutsu>(2, 1, QUICK));
    let length = u32::from_le_bytes(file[10..14].try_into().unwrap()) as usize;
    let first = 14 + length;
    let forged = |place: usize, byte: u8| {
        let mut content = file[..file.len() - CHECKSUM_BYTES].to_vec();
        content[place] = byte;
        let checksum = blake3::hash(&content);
        content.extend(checksum.as_bytes());
        Archive::<Dobutsu>::read(&content).unwrap_err()
    };
    assert!(matches!(forged(first + 4, 9).reason, LearnReason::Field("end of a game")));
    let error = forged(first + 5, 0x7f);
    assert!(matches!(error.reason, LearnReason::Packed { game: 1, ply: 1, .. }), "{error}");
    assert_eq!(error.offset, first as u64 + 7);
    // From the second square to the first, where Sente has nothing.
    let error = forged(first + 5, 0);
    assert!(matches!(error.reason, LearnReason::Play { game: 1, ply: 1, .. }), "{error}");
    let finish = file[first + 4];
    let error = forged(first + 4, if finish == 0 { 1 } else { 0 });
    assert!(matches!(error.reason, LearnReason::Game { game: 1, .. }), "{error}");
}

#[test]
fn games_can_be_broken_off_and_gone_on_with() {
    let whole = archive::<Minishogi>(8, 1, QUICK);
    let start = *whole.start();
    let player = || player(&QUICK);
    let mut games = Vec::new();
    let end = play_games(&start, &QUICK, 0..8, 2, player, |game| {
        games.push(game);
        if games.len() == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((end, games.len()), (ControlFlow::Break(()), 3));
    let _ = play_games(&start, &QUICK, 3..8, 2, player, |game| {
        games.push(game);
        ControlFlow::Continue(())
    });
    assert_eq!(games, whole.games);
}
