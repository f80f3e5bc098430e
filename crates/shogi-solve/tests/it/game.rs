//! Ways of rule sets to give children and to count moves, against the moves played one by one.

use shogi_rules::Rules;
use shogi_solve::{GameGraph, RulesGame};
use testing::for_every_variant;
use testing::random::Random;
use testing::sample::{Style, legal};

fn agree<R: Rules>(positions: usize) {
    let game = RulesGame::<R>::new();
    let mut random = Random::new(8);
    let mut most = 0;
    for _ in 0..positions {
        let style = random.pick(&Style::ALL);
        let position = legal::<R>(&mut random, style);
        let (mut moves, mut children) = (Vec::new(), Vec::new());
        game.moves(&position, &mut moves);
        game.children(&position, |mv, child| children.push((mv, child)));
        assert_eq!(game.count_moves(&position), moves.len(), "{position:?}");
        most = most.max(moves.len());
        let played = moves.into_iter().map(|mv| (mv, game.play(&position, mv)));
        assert!(played.eq(children), "{position:?}");
    }
    assert!(most > 10, "{most}");
}

for_every_variant!(children_are_the_positions_after_the_moves: agree(500; shogi: 100));
