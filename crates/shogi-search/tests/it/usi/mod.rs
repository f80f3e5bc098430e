//! Conversations with the engine, over pipes in memory.

mod ends;
mod errors;
mod limits;
mod sessions;

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use shogi_rules::shogi_core::Position;
use shogi_rules::{Dobutsu, Game, KyotoShogi, Minishogi, Rules, Shogi, Shogi34, parse_usi};
use shogi_search::usi::{Config, EngineVariant, run};
use shogi_search::{Action, Control, Evaluator, Limits, Player, Score, Settings, Values};

/// The reading end of a pipe.
struct Reading(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Reading {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let count = buffer.len().min(self.1.len());
        buffer[..count].copy_from_slice(&self.1[..count]);
        self.1.drain(..count);
        Ok(count)
    }
}

/// The writing end, which passes on whole lines.
struct Writing(Sender<String>, Vec<u8>);

impl Write for Writing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8(std::mem::take(&mut self.1)).unwrap();
                self.0.send(line).map_err(|_| io::ErrorKind::BrokenPipe)?;
            } else {
                self.1.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The other side of an engine.
pub struct Client {
    to: Sender<Vec<u8>>,
    from: Receiver<String>,
}

/// Longest time that an answer may take which takes none.
const AT_ONCE: Duration = Duration::from_secs(10);

impl Client {
    pub fn say(&self, line: &str) {
        self.to.send(format!("{line}\n").into_bytes()).unwrap();
    }

    /// Waits for a line that begins so; all lines up to it.
    #[track_caller]
    pub fn hear(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.from.recv_timeout(AT_ONCE);
            let line = line.unwrap_or_else(|_| panic!("no {start:?} after {lines:?}"));
            let last = line.starts_with(start);
            lines.push(line);
            if last {
                return lines;
            }
        }
    }

    #[track_caller]
    fn last(&self, start: &str) -> String {
        self.hear(start).pop().unwrap()
    }

    /// Whether nothing was said that has not been heard, for a while.
    fn is_quiet(&self) -> bool {
        let heard = self.from.recv_timeout(Duration::from_millis(150));
        heard.is_err() || heard.is_ok_and(|line| line.starts_with("info"))
    }
}

/// Speaks with an engine; it must end well and say nothing more than was heard.
pub fn with_engine(config: &Config, speak: impl FnOnce(&Client)) {
    let (to, input) = mpsc::channel();
    let (output, from) = mpsc::channel();
    thread::scope(|scope| {
        let engine = scope.spawn(move || {
            run(BufReader::new(Reading(input, Vec::new())), Writing(output, Vec::new()), config)
        });
        let client = Client { to, from };
        speak(&client);
        client.say("quit");
        engine.join().unwrap().unwrap();
        let rest: Vec<_> = client.from.try_iter().collect();
        assert!(rest.iter().all(|line| line.starts_with("info")), "{rest:?}");
    });
}

const VARIANTS: &[EngineVariant] = &[
    EngineVariant::of::<Shogi>(),
    EngineVariant::of::<Minishogi>(),
    EngineVariant::of::<KyotoShogi>(),
    EngineVariant::of::<Shogi34>(),
    EngineVariant::of::<Dobutsu>(),
];

/// An engine that begins with these rules.
pub fn engine<R: Rules>() -> Config {
    Config::new(VARIANTS, EngineVariant::of::<R>())
}

/// Answers a script, which need not end with `quit`.
pub fn script(config: &Config, input: impl AsRef<[u8]>) -> Vec<String> {
    let mut output = Vec::new();
    run(input.as_ref(), &mut output, config).unwrap();
    String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
}

/// Counts moves.
struct Freedom(Values);

impl Default for Freedom {
    fn default() -> Self {
        Self(Values::standard::<Minishogi>())
    }
}

impl Evaluator<Minishogi> for Freedom {
    type State = ();

    fn evaluate(&self, (): &(), position: &Position<Minishogi>) -> i32 {
        4 * (position.count_moves() as i32 - position.pass().count_moves() as i32)
    }

    fn values(&self) -> &Values {
        &self.0
    }
}

#[test]
fn an_engine_plays_by_an_evaluation_of_its_user() {
    const FREEDOM: EngineVariant = EngineVariant::with_evaluation::<Minishogi, Freedom>();
    let mut config = Config::new(&[FREEDOM], FREEDOM);
    (config.name, config.author) = ("Freedom", "Ada");
    let lines = script(&config, "usi\nposition startpos\ngo depth 3\n");
    assert_eq!(lines[..2], ["id name Freedom", "id author Ada"]);
    // There is nothing to choose from.
    let chooses = |line: &String| line.contains("name Eval") || line.contains("FV_SCALE");
    assert!(!lines.iter().any(chooses));
    assert!(script(&engine::<Minishogi>(), "usi\n").iter().any(chooses));

    let mut player = Player::new(Freedom::default(), Settings::default());
    let game = Game::<Minishogi>::from_start();
    let best = player.think(&game, &Limits::depth(3), &Control::new(), |_| {});
    let (Action::Play(mv), Score::Value(value)) = (best.action, best.score) else {
        panic!("nobody mates in three plies: {best:?}")
    };
    assert!(lines.last().unwrap().starts_with(&format!("bestmove {mv}")));
    let score = format!(" score cp {value} ");
    assert!(lines[lines.len() - 2].contains(&score), "{score}, {lines:?}");
    let standard = script(&engine::<Minishogi>(), "position startpos\ngo depth 3\n");
    assert!(!standard[standard.len() - 2].contains(&score));
}

#[test]
fn the_engine_introduces_itself() {
    let lines = script(&engine::<Shogi>(), "usi\nisready\n");
    assert!(lines[0].starts_with("id name ") && lines[1].starts_with("id author "));
    for option in
        ["USI_Hash type spin", "USI_Variant type combo", "MultiPV", "USI_Ponder type check"]
    {
        assert!(lines.iter().any(|line| line.starts_with(&format!("option name {option}"))));
    }
    assert_eq!(lines[lines.len() - 2..], ["usiok", "readyok"]);
}

/// A line without what differs from machine to machine and from version to version.
fn lasting(line: &str) -> String {
    let line = line.replace(env!("CARGO_PKG_VERSION"), "VERSION");
    let mut before = "";
    let word = |word| {
        let counted = ["nodes", "nps", "time"].contains(&std::mem::replace(&mut before, word));
        if counted { "#" } else { word }
    };
    line.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// Lines to the engine begin with `<`, its own with `>`.
#[test]
fn a_written_session_runs_as_expected() {
    let mut config = engine::<Shogi>();
    (config.max_hash, config.max_threads) = (1024, 4);
    with_engine(&config, |client| {
        for line in include_str!("conversation.txt").lines() {
            match line.split_once(' ') {
                Some(("<", said)) => client.say(said),
                Some((">", expected)) => assert_eq!(lasting(&client.last("")), expected),
                _ => assert!(line.is_empty() || line.starts_with('#'), "{line}"),
            }
        }
    });
}

#[test]
fn networks_of_the_community_are_played_with() {
    is_played_with("nn.bin", 81 * 1548, [0x3E5A_A6EE, 0x5D69_D7B8]);
    is_played_with("kp-nn.bin", 1548 + 2 * 81, [0x5C64_64A9, 0x3F57_15FF]);
}

/// A network with so many inputs, and the hashes of itself and of its first layer.
fn is_played_with(name: &str, inputs: u64, [of_network, of_layer]: [u32; 2]) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut file = File::create(&path).unwrap();
    // All weights are zero, and so are all biases but the last.
    let mut write = |at: u64, number: u32| {
        file.seek(SeekFrom::Start(at)).unwrap();
        file.write_all(&number.to_le_bytes()).unwrap();
    };
    let layers = 16 + 512 * (1 + inputs);
    let last = layers + 4 + 32 * (4 + 512) + 32 * (4 + 32);
    for (at, number) in [
        (0, 0x7AF3_2F16),
        (4, of_network),
        (12, of_layer),
        (layers, 0x6333_7156),
        (last, 1440),
        (last + 4 + 28, 0),
    ] {
        write(at, number);
    }
    let answers_to = |variant: &str, scale: u32| {
        let options = [("USI_Variant", variant), ("EvalFile", path.to_str().unwrap())];
        let options = options.map(|(name, value)| format!("setoption name {name} value {value}\n"));
        let scale = format!("setoption name FV_SCALE value {scale}\n");
        script(&engine::<Shogi>(), options.concat() + &scale + "position startpos\ngo depth 1\n")
    };
    let scored = |lines: &[String], score: &str| lines.iter().any(|line| line.contains(score));
    // The opponent, who is to move, is a pawn ahead wherever the move leads.
    assert!(scored(&answers_to("shogi", 16), " score cp -100 "));
    assert!(scored(&answers_to("shogi", 32), " score cp -50 "));
    let refused = answers_to("minishogi", 16);
    assert!(scored(&refused, "nn.bin: it is for shogi, but minishogi is wanted"));
    assert!(refused.last().unwrap().starts_with("bestmove "));
    fs::remove_file(&path).unwrap();
}

#[test]
fn whole_games_are_legal_in_every_variant_and_dialect() {
    fn play<R: Rules>(dialect: &str) {
        with_engine(&engine::<Shogi>(), |client| {
            client.say(&format!("setoption name UCI_Variant value {}", R::NAME));
            client.say(&format!("setoption name Dialect value {dialect}"));
            client.say("setoption name Hash value 1");
            client.say("usinewgame");
            let mut game = Game::<R>::from_start();
            let mut moves = String::new();
            while game.outcome().is_none() && game.moves().len() < 60 {
                client.say(&format!("position startpos moves{moves}"));
                client.say("go nodes 300");
                let answer = client.last("bestmove ");
                let mv = answer.split(' ').nth(1).unwrap();
                if ["resign", "win"].contains(&mv) {
                    break;
                }
                game.play(parse_usi(mv).unwrap()).unwrap();
                moves += &format!(" {mv}");
            }
            assert!(game.moves().len() > 4);
        });
    }
    play::<Minishogi>("variant");
    play::<KyotoShogi>("lishogi");
    play::<KyotoShogi>("fairy");
    play::<Shogi>("variant");
    play::<shogi_rules::Shogi34>("variant");
    play::<shogi_rules::Dobutsu>("fairy");
    play::<shogi_rules::Dobutsu>("lishogi");
}

#[test]
fn memory_that_the_system_refuses_is_an_error_and_a_move_is_found_with_less() {
    let mut config = engine::<Minishogi>();
    // More than there are addresses.
    config.max_hash = u32::MAX;
    let hash = format!("setoption name USI_Hash value {}\n", u32::MAX);
    let error = "info string error: the system refuses ";
    let lines = script(&config, format!("{hash}isready\nposition startpos\ngo depth 3\n"));
    assert!(lines[0].starts_with(error) && lines[0].contains(" 1 MiB "), "{lines:?}");
    // A report is not repeated.
    assert_eq!(lines.iter().filter(|line| line.starts_with(error)).count(), 1);
    assert_eq!(lines[1], "readyok");
    let answer = lines.last().unwrap();
    assert!(answer.starts_with("bestmove ") && !answer.contains("resign"), "{answer}");
    let problem = "position sfen 4k/5/4G/5/K4 b R 1\ngo mate infinite\n";
    let lines = script(&config, hash + problem);
    assert!(lines[0].starts_with(error) && lines[1].starts_with("checkmate R*"), "{lines:?}");
}

#[test]
fn openings_vary_with_the_seed_and_the_game() {
    /// The first six plies of six games against itself.
    fn openings(plies: usize, seed: u32) -> Vec<String> {
        let mut games = Vec::new();
        with_engine(&engine::<Minishogi>(), |client| {
            client.say(&format!("setoption name OpeningPlies value {plies}"));
            client.say(&format!("setoption name OpeningSeed value {seed}"));
            client.say("setoption name OpeningMargin value 100");
            for _ in 0..6 {
                client.say("usinewgame");
                let mut moves = String::new();
                for _ in 0..6 {
                    client.say(&format!("position startpos moves{moves}"));
                    client.say("go depth 4");
                    let lines = client.hear("bestmove ");
                    let mv = lines[lines.len() - 1].split(' ').nth(1).unwrap();
                    // One line was searched for, and the last one reported begins with the move.
                    assert!(lines.iter().all(|line| !line.contains("multipv")), "{lines:?}");
                    assert!(lines[lines.len() - 2].contains(&format!(" pv {mv}")), "{lines:?}");
                    moves += &format!(" {mv}");
                }
                games.push(moves);
            }
        });
        games
    }
    let number = |mut games: Vec<String>| {
        games.sort();
        games.dedup();
        games.len()
    };
    assert_eq!(number(openings(0, 1)), 1);
    let drawn = openings(4, 1);
    assert!(number(drawn.clone()) >= 3, "{drawn:?}");
    assert_eq!(openings(4, 1), drawn);
    assert_ne!(openings(4, 2), drawn);
}

#[test]
fn information_is_complete_and_its_lines_can_be_played() {
    let lines = script(
        &engine::<Minishogi>(),
        "setoption name MultiPV value 3\nposition startpos moves 5d5c\ngo depth 5\n",
    );
    let info: Vec<_> = lines.iter().filter(|line| line.starts_with("info depth")).collect();
    assert!(info.len() >= 15, "{lines:?}");
    for line in info {
        for word in ["depth", "seldepth", "multipv", "nodes", "nps", "time", "hashfull"] {
            let value = line.split(' ').skip_while(|&found| found != word).nth(1);
            assert!(value.is_some_and(|value| value.parse::<u64>().is_ok()), "{word}: {line}");
        }
        assert!(line.contains(" score cp ") || line.contains(" score mate "), "{line}");
        let mut game = Game::<Minishogi>::from_start();
        game.play(parse_usi("5d5c").unwrap()).unwrap();
        for mv in line.split(" pv ").nth(1).unwrap().split(' ') {
            game.play(parse_usi(mv).unwrap()).unwrap();
        }
    }
    let best = lines.last().unwrap();
    assert!(best.starts_with("bestmove ") && best.contains(" ponder "), "{best}");
}
