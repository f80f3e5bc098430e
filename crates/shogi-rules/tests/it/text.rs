//! Positions, moves, hands and games are printed as people write them, and read back.

use shogi_rules::shogi_core::{Colour, Hands, Move, Placement, Position};
use shogi_rules::{Game, GameError, Minishogi, Rules, Shogi, parse_sfen};
use testing::for_every_variant;
use testing::random::Random;

/// Plays a random game and has everything on the way printed and read.
fn all_is_read_back<R: Rules>() {
    let mut random = Random::new(7);
    let mut game = Game::<R>::from_start();
    while game.moves().len() < 60 && game.outcome().is_none() {
        let position = *game.position();
        let text = position.to_string();
        assert_eq!(text.parse::<Position<R>>().unwrap(), position);
        assert_eq!(text.parse::<Placement<R>>().unwrap(), *position.placement());
        assert_eq!(format!("{position:?} {:?}", position.placement()), format!("{text} {text}"));
        let hands = position.hands();
        assert_eq!(hands.to_string().parse::<Hands<R>>().unwrap(), hands);
        assert_eq!(text.split(' ').nth(2), Some(&*format!("{hands:?}")));

        let moves = position.legal_moves();
        for &mv in &moves {
            assert_eq!(mv.to_string().parse::<Move<R>>().unwrap(), mv);
            assert_eq!(format!("{mv:?}"), mv.to_string());
        }
        game.play(random.pick(&moves)).unwrap();
    }
    assert!(game.moves().len() > 5, "{game}");
    assert_eq!(game.to_string().parse::<Game<R>>().unwrap(), game);
    let middle = Game::new(game.positions()[3]).numbered_from(4);
    assert!(middle.to_string().ends_with(" 4"), "{middle}");
    assert_eq!(middle.to_string().parse::<Game<R>>().unwrap(), middle);
    assert!(!format!("{game:?}{middle:?}").contains('\n'));
}

for_every_variant!(what_is_printed_is_read_back: all_is_read_back());

#[test]
fn a_picture_shows_board_hands_and_player() {
    let (placement, _) = parse_sfen::<Minishogi>("r2k1/1+P3/5/5/K3+b w R2pBs 1").unwrap();
    let picture = "\
Gote's hand:  s px2
   5   4   3   2   1
 +---+---+---+---+---+
 | r |   |   | k |   | a
 +---+---+---+---+---+
 |   |+P |   |   |   | b
 +---+---+---+---+---+
 |   |   |   |   |   | c
 +---+---+---+---+---+
 |   |   |   |   |   | d
 +---+---+---+---+---+
 | K |   |   |   |+b | e
 +---+---+---+---+---+
Sente's hand: R B
Gote to move";
    assert_eq!(format!("{placement:#}"), picture);
}

#[test]
fn an_unmove_shows_what_it_puts_back() {
    let start: Position<Shogi> = Shogi::start();
    let next: Vec<_> = ["7g7f", "3c3d", "8h2b+"].iter().map(|mv| mv.parse().unwrap()).collect();
    let position = next.into_iter().fold(start, |position, mv| position.play_unchecked(mv));
    let unmoves = position.unmoves();
    assert!(unmoves.iter().any(|unmove| format!("{unmove:?}") == "8h2b+xB"), "{unmoves:?}");
}

#[test]
fn a_game_shows_how_it_ended() {
    let mut game: Game<Minishogi> = "startpos moves 5d5c".parse().unwrap();
    game.resign(Colour::Gote).unwrap();
    assert_eq!(format!("{game:?}"), "position startpos moves 5d5c, Sente wins (resignation)");
}

#[test]
fn a_text_that_is_no_game_is_refused_with_its_place() {
    let read = |text: &str| text.parse::<Game<Minishogi>>().unwrap_err();
    assert_eq!(read(""), GameError::Start);
    assert_eq!(read("rbsgk/4p/5/P4/KGSBR b - 1"), GameError::Start);
    assert_eq!(read("startpos 5d5c"), GameError::Trailing("5d5c".into()));
    let cases = [
        ("sfen rbsgk/4p/5/P4/KGSXR b - 1", "in the SFEN, at character 18: no piece has"),
        ("sfen 5/5/5/5/5 b - 1 moves", "in the SFEN, illegal position: Sente has no king"),
        ("startpos moves 5d5c 5x5b", r#"move 2, "5x5b": at character 2: a square is"#),
        ("startpos moves 5d5c 5d5c", r#"move 2, "5d5c": illegal move: "#),
    ];
    for (text, expected) in cases {
        let error = read(text).to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}
