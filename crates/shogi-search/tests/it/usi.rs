//! Conversations with the engine, over pipes in memory.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use shogi_rules::shogi_core::Position;
use shogi_rules::{
    Dobutsu, Game, KyotoShogi, Minishogi, Reason, Rules, Shogi, Shogi34, parse_position,
    parse_problem, parse_usi,
};
use shogi_search::usi::{Config, EngineVariant, HostedSession, run, run_in_order};
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
fn an_engine_with_an_evaluation_of_ones_own_plays_by_it() {
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
fn a_conversation_goes_as_it_is_written_down() {
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
    // What was reported once is not reported again.
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

#[test]
fn a_session_in_order_on_one_thread_says_the_same() {
    // What depends on the speed of the machine is left out.
    let timeless = |line: &str| {
        let mut words: Vec<_> = line.split(' ').collect();
        for name in ["nps", "time"] {
            if let Some(at) = words.iter().position(|&word| word == name) {
                words.drain(at..at + 2);
            }
        }
        words.join(" ")
    };
    let in_order = |input: &str| -> Vec<String> {
        let mut output = Vec::new();
        run_in_order(input.as_bytes(), &mut output, &engine::<Minishogi>()).unwrap();
        std::str::from_utf8(&output).unwrap().lines().map(timeless).collect()
    };
    let set_up = "usi\nsetoption name MultiPV value 3\nisready\nposition startpos moves 5d5c\n";
    for go in ["go depth 5", "go nodes 2000", "go mate 1000"] {
        let input = format!("{set_up}{go}\n");
        let lines = script(&engine::<Minishogi>(), &input);
        let lines: Vec<_> = lines.iter().map(|line| timeless(line)).collect();
        assert_eq!(in_order(&input), lines);
    }
    // The second search waits for the end of the first, where a session on threads would stop it.
    let twice = in_order("position startpos\ngo depth 5\ngo depth 5\n");
    let depths = twice.iter().filter(|line| line.starts_with("info depth 5 ")).count();
    assert!(depths >= 2, "{twice:?}");
    // Its time begins when it is read.
    let started = Instant::now();
    in_order("position startpos\ngo movetime 200\ngo movetime 200\n");
    assert!(started.elapsed() >= Duration::from_millis(350));
}

#[test]
fn a_session_in_order_answers_line_by_line() {
    let (to, input) = mpsc::channel();
    let (output, from) = mpsc::channel();
    let client = Client { to, from };
    thread::scope(|scope| {
        scope.spawn(|| {
            let input = BufReader::new(Reading(input, Vec::new()));
            run_in_order(input, Writing(output, Vec::new()), &engine::<Minishogi>()).unwrap();
        });
        client.say("usi");
        client.hear("usiok");
        client.say("position startpos");
        client.say("go depth 2");
        client.hear("bestmove ");
        client.say("quit");
    });
}

/// Brings the search that a session has begun to its end, on a thread that is not the session's; meanwhile the session
/// hears lines.
fn search_while(session: &mut HostedSession<'_>, lines: &[&str]) {
    let search = session.take_search().unwrap();
    thread::scope(|scope| {
        let searching = scope.spawn(search);
        for line in lines {
            session.line(line).unwrap();
        }
        searching.join().unwrap();
    });
    session.end_search().unwrap();
}

#[test]
fn a_host_that_runs_the_searches_hears_what_a_session_on_threads_says() {
    let set_up = ["usi", "setoption name USI_Hash value 1", "isready", "position startpos"];
    let searches = ["go depth 4", "go nodes 2000", "go mate 1000", "go depth x"];
    let input: Vec<_> = set_up.into_iter().chain(searches).collect();
    let config = engine::<Minishogi>();
    let output = Mutex::new(Vec::new());
    let mut session = HostedSession::new(&config, &output);
    for line in &input {
        session.line(line).unwrap();
        assert_eq!(session.has_begun(), line.starts_with("go"), "{line}");
        if session.has_begun() {
            search_while(&mut session, &[]);
        }
    }
    drop(session);
    let output = String::from_utf8(output.into_inner().unwrap()).unwrap();
    // What depends on the time is left out, and the last search, which has a limit of time.
    let heard = |lines: &str| -> Vec<String> {
        let lines = lines.lines().filter(|line| !line.starts_with("info depth"));
        lines.map(str::to_owned).take_while(|line| !line.contains("error")).collect()
    };
    let mut in_order = Vec::new();
    run_in_order((input.join("\n") + "\n").as_bytes(), &mut in_order, &config).unwrap();
    assert_eq!(heard(&output), heard(std::str::from_utf8(&in_order).unwrap()));
    assert_eq!(output.lines().filter(|line| line.starts_with("bestmove ")).count(), 3);
}

#[test]
fn a_host_hears_answers_while_a_search_of_its_own_runs() {
    let config = engine::<Minishogi>();
    let output = Mutex::new(Vec::new());
    let take = || String::from_utf8(std::mem::take(&mut *output.lock().unwrap())).unwrap();
    let answers = |said: &str| said.lines().filter(|line| !line.starts_with("info")).count();
    let mut session = HostedSession::new(&config, &output);
    session.line("position startpos").unwrap();

    session.line("go infinite").unwrap();
    search_while(&mut session, &["isready", "stop", "stop"]);
    let said = take();
    assert!(said.contains("readyok\n") && said.contains("bestmove "), "{said}");
    assert_eq!(answers(&said), 2);

    // A search on the opponent's time that is over has no answer before `stop`.
    session.line("go ponder depth 1").unwrap();
    search_while(&mut session, &[]);
    assert_eq!(answers(&take()), 0);
    assert!(!session.has_begun() && !session.is_stopped());
    session.line("stop").unwrap();
    assert_eq!(answers(&take()), 1);

    // Limits that come with `ponderhit` begin a search in the place of that one, which has no answer.
    session.line("go ponder").unwrap();
    let search = session.take_search().unwrap();
    session.line("ponderhit nodes 100").unwrap();
    session.line("isready").unwrap();
    assert!(session.is_stopped() && !session.has_begun());
    search();
    session.end_search().unwrap();
    assert!(session.has_begun() && !session.is_stopped());
    search_while(&mut session, &[]);
    let said = take();
    let places = ["readyok\n", "bestmove "].map(|text| said.find(text));
    assert!(places.is_sorted() && places[0].is_some() && answers(&said) == 2, "{said}");

    // Lines that need the engine wait in their order, for an answer first.
    session.line("go infinite").unwrap();
    let search = session.take_search().unwrap();
    for line in ["position startpos moves 1a1b", "go depth 1", "isready"] {
        session.line(line).unwrap();
    }
    assert!(session.is_stopped() && !session.has_begun());
    search();
    session.end_search().unwrap();
    let said = take();
    let places = ["bestmove ", "the position is refused", "readyok"].map(|text| said.find(text));
    assert!(places.is_sorted() && places[0].is_some(), "{said}");
    assert!(session.has_begun() && !session.is_stopped());
    search_while(&mut session, &[]);
    assert!(take().ends_with("bestmove resign\n"));
}

#[test]
fn limits_that_do_not_bind_the_player_end_all_the_same() {
    with_engine(&engine::<Minishogi>(), |client| {
        for (position, go, answer) in [
            ("startpos", "go wtime 60000", "bestmove "),
            ("startpos", "go movestogo 20 btime soon", "bestmove "),
            ("startpos", "go mate soon", "checkmate "),
            ("startpos moves 5d5c", "go btime 60000 wtime soon", "bestmove "),
        ] {
            client.say(&format!("position {position}"));
            client.say(go);
            client.hear(answer);
        }
    });
}

#[test]
fn quit_stops_a_search_and_sends_its_answer() {
    for go in ["go nodes 1000000000", "go infinite", "go ponder btime 1000 wtime 1000"] {
        let lines =
            script(&engine::<Minishogi>(), format!("position startpos\n{go}\nquit\ngo depth 1\n"));
        let answers = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(answers, 1, "{lines:?}");
        assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{lines:?}");
    }
}

#[test]
fn an_endless_search_waits_for_stop() {
    with_engine(&engine::<Minishogi>(), |client| {
        for go in ["go infinite", "go"] {
            client.say("position startpos");
            client.say(go);
            client.hear("info depth 3");
            client.say("isready");
            client.hear("readyok");
            client.say("stop");
            client.last("bestmove ");
        }
        // There is one move only, and then nothing to search: the answer is kept all the same.
        client.say("position sfen 4k/5/4G/5/K4 b R 1");
        client.say("go infinite");
        client.hear("info depth 1");
        assert!(client.is_quiet());
        client.say("stop");
        client.last("bestmove ");
        // A stop too many is no question.
        client.say("stop");
        client.say("ponderhit");
        assert!(client.is_quiet());
    });
}

#[test]
fn pondering_ends_with_ponderhit_or_stop() {
    with_engine(&engine::<Minishogi>(), |client| {
        let ponder = "go ponder btime 100 wtime 100 byoyomi 50";
        client.say("position startpos moves 5d5c 2a3b");
        client.say(ponder);
        thread::sleep(Duration::from_millis(300));
        client.say("isready");
        assert!(client.hear("readyok").iter().all(|line| !line.starts_with("bestmove")));
        let start = Instant::now();
        client.say("ponderhit");
        client.last("bestmove ");
        assert!(start.elapsed() < Duration::from_secs(3), "the clock runs from here");
        client.say(ponder);
        client.say("stop");
        client.last("bestmove ");
        // The next question ends a search that nobody has ended.
        client.say("go infinite");
        client.say("position startpos");
        client.last("bestmove ");
        client.say("go nodes 10");
        client.last("bestmove ");
    });
}

/// As ShogiHome plays: it ponders without limits, which come with the move.
#[test]
fn limits_that_come_with_ponderhit_count_from_there() {
    with_engine(&engine::<Minishogi>(), |client| {
        for moves in ["5d5c 2a3b", "5d5c"] {
            client.say(&format!("position startpos moves {moves}"));
            client.say("go ponder");
            client.hear("info depth 3");
            client.say("ponderhit btime 100 wtime 100 byoyomi 50");
            client.last("bestmove ");
            client.say("isready");
            assert_eq!(client.hear("readyok").len(), 1, "one answer only");
        }
        // Words that are not understood do not keep the search on the opponent's time.
        client.say("go ponder nodes 1000");
        client.say("ponderhit btime soon");
        client.last("bestmove ");
    });
}

#[test]
fn an_error_names_what_is_wrong_with_a_position() {
    for (position, words) in [
        ("position startpos moves 5d5c 5d5c", "move 2, \"5d5c\": illegal move"),
        ("position startpos moves 5d5c 9z", "move 2, \"9z\": at character 1"),
        ("position sfen 5/5/5/5 b - 1", "in the SFEN, at character 8"),
        ("position sfen rbsgk/4p/5/P4/KGSBR", "the side to move"),
        ("position sfen K3k/5/5/PP3/P4 b - 1", "breaks the rules"),
        ("position sfen", "in the SFEN, at character 1"),
    ] {
        let lines = script(&engine::<Minishogi>(), format!("{position}\ngo nodes 10\n"));
        assert!(lines[0].starts_with("info string error: the position is refused: "), "{lines:?}");
        assert!(lines[0].contains(words), "{lines:?}");
        assert_eq!(lines.last().unwrap(), "bestmove resign");
        let lines = script(&engine::<Minishogi>(), format!("{position}\ngo mate 100\n"));
        assert_eq!(lines.last().unwrap(), "checkmate timeout");
        // And the next one is played.
        let lines =
            script(&engine::<Minishogi>(), format!("{position}\nposition startpos\ngo nodes 10\n"));
        let best = lines.last().unwrap();
        assert!(best.starts_with("bestmove ") && best != "bestmove resign", "{lines:?}");
    }
}

#[test]
fn what_is_no_command_changes_nothing() {
    let mut input =
        b"\xff\xfe\0\nposition\nsetoption\nsetoption name Absent value 3\nperft 5\n".to_vec();
    input.extend(vec![b'x'; (1 << 20) + 7]);
    input.extend(b"\nsetoption name Hash value 99999999999999999999\nposition startpos\r\n");
    input.extend(b"go depth 2 \xff\ngo byoyomi soon\nisready");
    let lines = script(&engine::<Minishogi>(), input);
    let errors = lines.iter().filter(|line| line.starts_with("info string error: ")).count();
    assert_eq!(errors, 9, "{lines:?}");
    let answers = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
    assert_eq!(answers, 2, "{lines:?}");
    assert!(lines.contains(&"readyok".to_owned()));
}

#[test]
fn limits_behind_a_word_that_does_not_fit_hold() {
    let input = "position startpos\ngo depth 60 foo nodes 100\n";
    let lines = script(&engine::<Minishogi>(), input);
    let error =
        "info string error: at character 13: \"foo\" stands where a limit of the search should";
    assert_eq!(lines[0], error);
    let nodes = lines.iter().rev().find_map(|line| line.split(" nodes ").nth(1)).unwrap();
    let nodes: u64 = nodes.split(' ').next().unwrap().parse().unwrap();
    assert!(nodes <= 200, "{lines:?}");
}

#[test]
fn a_byte_order_mark_before_the_first_line_is_passed_over() {
    let lines = script(&engine::<Minishogi>(), "\u{feff}isready\n");
    assert!(lines.contains(&"readyok".to_owned()), "{lines:?}");
}

#[test]
fn mates_are_counted_in_plies_and_found_without_an_attackers_king() {
    let mate = |sfen: &str, go: &str| {
        script(&engine::<Minishogi>(), format!("position sfen {sfen}\n{go}\n")).pop().unwrap()
    };
    let sfen = "r1k2/2p2/5/2P2/2K2 b RBGSbgs 1";
    let found = mate(sfen, "go mate 60000");
    let mut game = Game::<Minishogi>::new(parse_position(sfen).unwrap());
    for mv in found.strip_prefix("checkmate ").unwrap().split(' ') {
        game.play(parse_usi(mv).unwrap()).unwrap();
    }
    assert_eq!(game.outcome().unwrap().reason, Reason::Checkmate, "{found}");
    assert!(mate("4k/5/4G/5/5 b R 1", "go mate infinite").starts_with("checkmate R*"));
    assert_eq!(mate("4k/5/5/5/K4 b R 1", "go mate"), "checkmate nomate");
    assert_eq!(mate("rbsgk/4p/5/P4/KGSBR b - 1", "go mate 60000"), "checkmate nomate");
    let mut config = engine::<Minishogi>();
    config.max_nodes = 10;
    let hard = "position sfen r1k2/2p2/5/2P2/2K2 b RBGSbgs 1\ngo mate 1000\n";
    assert_eq!(script(&config, hard).pop().unwrap(), "checkmate timeout");
    let info = script(&engine::<Minishogi>(), "position sfen 4k/5/4G/5/K4 b R 1\ngo depth 4\n");
    assert!(info.iter().any(|line| line.contains("score mate 1 ")), "{info:?}");
}

/// The answer to a short search after a `position` line, and what was said before it.
fn answer_after(config: &Config, options: &str, position: &str) -> (String, Vec<String>) {
    let mut lines = script(config, format!("{options}position {position}\ngo nodes 100\n"));
    (lines.pop().unwrap(), lines)
}

/// Asserts that a legal move is answered after a `position` line whose game has ended by a rule that
/// another program may not know.
#[track_caller]
fn assert_played_on<R: Rules>(options: &str, sfen: &str, moves: &str, end: &str) {
    let position = format!("sfen {sfen} moves {moves}");
    let (best, lines) = answer_after(&engine::<R>(), options, &position);
    assert_eq!(lines[0], format!("info string the game is over: {end}"), "{lines:?}");
    let mv = best.strip_prefix("bestmove ").unwrap().split(' ').next().unwrap();
    let after = moves.split_whitespace().fold(parse_position::<R>(sfen).unwrap(), |before, mv| {
        before.try_play(parse_usi(mv).unwrap()).unwrap()
    });
    let legal = parse_usi(mv).is_ok_and(|mv| after.try_play(mv).is_some());
    assert!(legal, "{best} after {position}");
}

#[test]
fn a_game_that_a_rule_on_its_history_ends_is_played_on() {
    let drawn = "no result (repetition)";
    let rounds = "2h3h 8b7b 3h2h 7b8b ".repeat(3);
    assert_played_on::<Shogi>("", Shogi::START, &rounds, drawn);
    assert_played_on::<Dobutsu>(
        "",
        Dobutsu::START,
        &"2d3c 2a1b 3c2d 1b2a ".repeat(2),
        "draw (repetition)",
    );
    // Whoever has won or lost by the rule: Sente loses a repetition, and both may be to move.
    let rounds = "1e1d 5a5b 1d1e 5b5a ".repeat(3);
    assert_played_on::<Minishogi>("", Minishogi::START, &rounds, "Gote wins (repetition)");
    let rounds = format!("5d5c {}", "5a5b 1e1d 5b5a 1d1e ".repeat(3));
    assert_played_on::<Minishogi>("", Minishogi::START, &rounds, "Gote wins (repetition)");
    let end = "Gote wins (perpetual check)";
    let checks = "2c1c 1a2a 1c2c 2a1a ".repeat(3);
    assert_played_on::<Minishogi>("", "4k/5/3+R1/5/K4 b - 1", &checks, end);
    let checks = "1a2a 1c2c 2a1a 2c1c ".repeat(3);
    assert_played_on::<Minishogi>("", "4k/5/4+R/5/K4 w - 1", &checks, end);
    let tried = "setoption name EnteringKingRule value TryRule\n";
    assert_played_on::<Shogi>(tried, "9/5K3/9/9/9/9/9/9/8k b - 1", "4b5a", "Sente wins (try)");
    // And goes on being played on.
    for rounds in ["1e1d 5a5b 1d1e 5b5a ".repeat(4), "1e1d 5a5b 1d1e 5b5a ".repeat(150)] {
        let (best, _) =
            answer_after(&engine::<Minishogi>(), "", &format!("startpos moves {rounds}"));
        assert!(best.starts_with("bestmove ") && best != "bestmove resign", "{best}");
    }
    // A mate is looked for in the position alone.
    let checks = "2c1c 1a2a 1c2c 2a1a ".repeat(3) + "2c1c 1a2a";
    let mate = format!("position sfen 4k/5/3+R1/5/K4 b - 1 moves {checks}\ngo mate 1000\n");
    assert_eq!(script(&engine::<Minishogi>(), mate).pop().unwrap(), "checkmate nomate");
}

/// What has ended on the board has no legal move.
#[test]
fn only_a_lost_game_without_a_legal_move_is_resigned() {
    let resigns = "bestmove resign";
    for (answer, position) in [
        (resigns, "sfen 4k/5/3GP/5/K4 b G 1 moves G*1b"),
        (resigns, "sfen 4k/5/2G1K/5/5 b - 1 moves 3c3b"),
    ] {
        assert_eq!(answer_after(&engine::<Minishogi>(), "", position).0, answer, "{position}");
    }
    let stalemate = "sfen 1+L1sk/3+pn/4L/1+SN2/2K2 b P 1 moves +P*3a";
    assert_eq!(answer_after(&engine::<KyotoShogi>(), "", stalemate).0, resigns);
    for (answer, position) in [
        // The lion is captured, or stands safe on the last rank.
        (resigns, "sfen 1l1/1G1/3/1L1 b - 1 moves 2b2a"),
        (resigns, "sfen 2l/L2/3/3 b - 1 moves 3b3a"),
        ("bestmove win", "sfen 1L1/3/1l1/3 b - 1"),
        // Both lions do.
        ("bestmove (none)", "sfen 2L/3/3/l2 b - 1"),
    ] {
        let (found, lines) = answer_after(&engine::<Dobutsu>(), "", position);
        assert_eq!(found, answer, "{position}");
        assert!(lines[0].starts_with("info string the game is over: "), "{lines:?}");
    }
}

#[test]
fn a_lost_position_is_resigned_only_by_the_option() {
    // The only move is mated by the drop of the other gold.
    let position = "sfen 4k/5/4G/5/K4 w G 1";
    let resign = "setoption name ResignValue value 20000\n";
    let (best, lines) = answer_after(&engine::<Minishogi>(), "", position);
    assert!(lines.last().unwrap().contains(" score mate -"), "{lines:?}");
    assert!(best.starts_with("bestmove 1a2a"), "{best}");
    assert_eq!(answer_after(&engine::<Minishogi>(), resign, position).0, "bestmove resign");
}

#[test]
fn words_that_end_a_game_are_named_where_a_move_should_stand() {
    for word in ["resign", "win"] {
        let line = format!("position startpos moves 7g7f 3c3d {word}\n");
        let expected = format!(
            "info string error: the position is refused: move 3, \"{word}\": at character 1: \
             \"{word}\" ends the record of a game and is no move"
        );
        assert_eq!(script(&engine::<Shogi>(), line), [expected]);
    }
}

#[test]
fn an_entered_king_declares() {
    // Ten pieces beside the king, and far more than 28 points.
    let camp = "sfen +R+R+B+BK4/PPPPPP3/9/9/9/9/9/9/8k b 4G4S4N4L12P 1";
    assert_eq!(answer_after(&engine::<Shogi>(), "", camp).0, "bestmove win");
}

/// Games that have come to these positions with 14 and 12 points of odds.
const ODDS: [&str; 2] = [
    "K6n1/+PG1P5/+P3G4/1P+P6/9/9/4P4/1p+pp1p+ppp/1+p1+pkb3 w GSNL3Pr2n3l 1",
    "5+B+P2/K+P1+P+R+P3/+P+P+NPP4/9/9/9/2p+p+pgsg1/1+p1+n1+n1kg/9 w G2SNL3Psl3p 1",
];

#[test]
fn declarations_follow_the_rule_that_is_set() {
    // 30 points of Sente's, with all pieces there.
    let thirty = "+P+P+P+PK+P+P+P+P/+P+P7/9/9/9/9/9/9/4k4 b 2RB5P4g4s4n4lb3p 1";
    let win = "bestmove win";
    let declares = |rule: &str, sfen: &str| {
        let option = format!("setoption name EnteringKingRule value {rule}\n");
        let (best, lines) = answer_after(&engine::<Shogi>(), &option, &format!("sfen {sfen}"));
        assert!(best.starts_with("bestmove ") && best != "bestmove resign", "{lines:?}");
        assert!(!lines.iter().any(|line| line.contains("error")), "{lines:?}");
        best == win
    };
    for (rule, expected) in [
        ("NoEnteringKing", [false, false, false]),
        // 38 and 27 points with those of odds, 24 and 15 without.
        ("CSARule24", [false, false, false]),
        ("CSARule24H", [false, true, false]),
        ("CSARule27", [true, false, false]),
        ("CSARule27H", [true, true, true]),
        ("TryRule", [false, false, false]),
    ] {
        let found = [declares(rule, thirty), declares(rule, ODDS[0]), declares(rule, ODDS[1])];
        assert_eq!(found, expected, "{rule}");
    }
    for sfen in ODDS {
        assert_eq!(answer_after(&engine::<Shogi>(), "", &format!("sfen {sfen}")).0, win);
    }
}

#[test]
fn a_declaration_that_the_rule_allows_is_seen_by_the_search() {
    // Sente's king enters with the next move and declares after any reply; Gote has nothing to stop it.
    let sfen = "+R+R+B+B1+P+P+P+P/+P+P+P+P5/9/4K4/9/9/9/9/4k4 b - 1";
    let sees_win = |rule: &str| {
        let option = format!("setoption name EnteringKingRule value {rule}\n");
        let input = format!(
            "{option}setoption name MateProbe value false\nposition sfen {sfen}\ngo depth 4\n"
        );
        let lines = script(&engine::<Shogi>(), input);
        lines.iter().any(|line| line.contains(" score mate 2 "))
    };
    assert!(sees_win("CSARule27"));
    assert!(!sees_win("NoEnteringKing"));
}

#[test]
fn by_the_try_rule_the_king_is_moved_to_its_goal() {
    let option = "setoption name EnteringKingRule value TryRule\n";
    let free = "sfen 9/5K3/9/9/9/9/9/9/8k b - 1";
    let (best, lines) = answer_after(&engine::<Shogi>(), option, free);
    assert_eq!(best, "bestmove 4b5a", "{lines:?}");
    assert!(lines.last().unwrap().contains(" score mate 1 "), "{lines:?}");
    assert!(!answer_after(&engine::<Shogi>(), "", free).1.last().unwrap().contains("mate"));
    // The goal is guarded, or an own piece stands there.
    for guarded in ["3g5/5K3/9/9/9/9/9/9/8k b - 1", "4G4/5K3/9/9/9/9/9/9/8k b - 1"] {
        let best = answer_after(&engine::<Shogi>(), option, &format!("sfen {guarded}")).0;
        assert_ne!(best, "bestmove 4b5a", "{guarded}");
    }
}

/// Mate problems are set without the attacker's king; the attacker may have to move, and so may
/// the defender.
#[test]
fn positions_with_one_king_are_played() {
    let problem = "8k/9/8P/9/9/9/9/9/9";
    for evaluation in ["standard", "network", "material", "weighted"] {
        for sfen in [
            format!("{problem} b G2r2b3g4s4n4l17p 1"),
            format!("{problem} w G2r2b3g4s4n4l17p 1"),
            "4k4/9/9/9/9/9/9/9/4L4 w RB 1".to_owned(),
            "9/9/9/9/9/9/9/9/4K4 w rb 1".to_owned(),
        ] {
            let option = format!("setoption name Evaluation value {evaluation}\n");
            let (best, lines) = answer_after(&engine::<Shogi>(), &option, &format!("sfen {sfen}"));
            let mv = best.strip_prefix("bestmove ").unwrap().split(' ').next().unwrap();
            let position = parse_problem::<Shogi>(&sfen).unwrap();
            let is_legal = parse_usi(mv).is_ok_and(|mv| position.try_play(mv).is_some());
            assert!(is_legal, "{evaluation}, {sfen}: {best} {lines:?}");
        }
    }
    let mate = format!("position sfen {problem} b G2r2b3g4s4n4l17p 1\ngo mate 1000\n");
    assert_eq!(script(&engine::<Shogi>(), mate), ["checkmate G*1b"]);
    let lines = script(&engine::<Shogi>(), "position sfen 9/9/9/9/9/9/9/9/9 b R 1\n");
    assert!(lines[0].contains("Sente has no king; Gote has no king"), "{lines:?}");
}

#[test]
fn stop_is_heard_while_every_thread_thinks() {
    with_engine(&engine::<Shogi>(), |client| {
        client.say("setoption name Threads value 2");
        client.say("setoption name ResignValue value 0");
        client.say("position startpos moves 7g7f");
        client.say("go infinite");
        client.hear("info depth 2");
        client.say("stop");
        client.last("bestmove ");
    });
}
