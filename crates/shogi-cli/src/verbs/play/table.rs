//! The table at which a person and the player sit: what is typed is obeyed, and what happens is said.

use std::io::{self, BufRead as _, IsTerminal as _, Read as _};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde::Serialize;
use shogi_rules::Dialect;
use shogi_rules::shogi_core::Colour;
use shogi_rules::threads;
use shogi_search::{Control, Level, Limits};
use shogi_variants::play::{AnyPlay, Choice, Hint, PlayedMove};

use super::clocks::Clocks;
use super::saved::{self, Saved};
use crate::board::Style;
use crate::end::chain_text;
use crate::interrupt::Interrupt;
use crate::print;

/// How often Ctrl-C and the clock are looked at while a person thinks.
const GLANCE: Duration = Duration::from_millis(50);
/// The longest line that is typed, in bytes; more of it is another line.
const MOST_LINE: u64 = 4_096;
/// Nodes of a hint.
const HINT_NODES: u64 = 50_000;

const HELP: &str = "\
A move: 7g7f or 77-76 by squares, P-7f or Gx3b, ７六歩 or 76歩(77); + promotes, = does not; a drop is P*5e or ５五歩打.
moves     lists the legal moves         hint     says what the player would do
board     draws the board again         explain  says what the position is worth, and why
undo      takes back your last move     go       lets the player move for you
declare   declares a win by points      resign   gives the game up
save [FILE]  writes the record          quit     leaves the game";

/// How a person has left the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The game is over.
    Over,
    /// The game is not over, and nothing more is typed.
    Left,
    /// Ctrl-C.
    Interrupted,
}

/// The action of a person.
enum Heard {
    Line(String),
    EndOfInput,
    Interrupt,
    TimeUp,
}

/// The table.
pub struct Table {
    game: AnyPlay,
    you: Colour,
    level: Level,
    style: Style,
    lines: Receiver<String>,
    interrupt: Interrupt,
    /// The name of the game.
    pub title: &'static str,
    /// Of the player's errors.
    pub seed: u64,
    /// The file that keeps the game.
    pub saved: Option<Saved>,
    /// The clocks, if it is played with some.
    pub clocks: Option<Clocks>,
    /// The notation of the output, if it is not the variant's own.
    pub dialect: Option<Dialect>,
    /// Whether all is said on standard error, since standard output has the answer.
    pub beside: bool,
}

/// A game that was played, or left, as one JSON object.
#[derive(Serialize)]
pub struct PlayedGame {
    variant: &'static str,
    side: Colour,
    level: u8,
    seed: u64,
    start: String,
    moves: Vec<String>,
    sfen: String,
    over: bool,
    winner: Option<Colour>,
    why: Option<String>,
}

impl Table {
    /// A table for a game, at which standard input and Ctrl-C are listened to.
    pub fn new(game: AnyPlay, you: Colour, level: Level, style: Style) -> Result<Self> {
        Ok(Self {
            game,
            you,
            level,
            style,
            lines: typed_lines()?,
            interrupt: Interrupt::listen()?,
            title: "",
            seed: 1,
            saved: None,
            clocks: None,
            dialect: None,
            beside: false,
        })
    }

    /// Plays to the end of the game or of the input.
    pub fn play(&mut self) -> Result<Ended> {
        self.greet()?;
        let mut drawn = false;
        while self.game.end().is_none() {
            if self.game.side() != self.you {
                self.let_player_move(false)?;
                self.keep();
                drawn = false;
                if self.interrupt.is_set() {
                    return Ok(Ended::Interrupted);
                }
                continue;
            }
            if !drawn {
                self.draw()?;
                drawn = true;
            }
            let began = Instant::now();
            match self.listen()? {
                Heard::Interrupt => return Ok(Ended::Interrupted),
                Heard::TimeUp => self.game.run_out_of_time(self.you),
                Heard::EndOfInput => return self.leave(),
                Heard::Line(line) => match line.trim() {
                    "" => {}
                    "quit" | "q" | "exit" => return self.leave(),
                    text => drawn = !self.obey(text, began.elapsed())?,
                },
            }
        }
        self.draw()?;
        self.announce()?;
        Ok(Ended::Over)
    }

    /// Saves the game, if a file keeps it.
    pub fn save(&self) -> Result<()> {
        self.saved.as_ref().map_or(Ok(()), |saved| saved::write(&self.game, saved.path()))
    }

    /// The kept part of a game that was interrupted.
    pub fn advice(&self) -> String {
        match &self.saved {
            Some(saved) => format!(
                "the game is saved in {}, and the same command resumes it",
                saved.path().display()
            ),
            None => "the game is not kept without --save FILE".to_owned(),
        }
    }

    /// The game as it stands.
    pub fn answer(&self, variant: &'static str) -> PlayedGame {
        let end = self.game.end();
        PlayedGame {
            variant,
            side: self.you,
            level: self.level.number(),
            seed: self.seed,
            start: self.game.start(self.dialect),
            moves: self.game.moves(self.dialect),
            sfen: self.game.diagram(self.dialect).sfen,
            over: end.is_some(),
            winner: end.as_ref().and_then(|end| end.winner),
            why: end.map(|end| end.why),
        }
    }

    /// Saves the game between two moves; what goes wrong is said, and the game goes on.
    fn keep(&self) {
        if let Err(error) = self.save() {
            print::note(format_args!("warning: {}", chain_text(&error)));
        }
    }

    fn say(&self, text: &str) -> Result<()> {
        if self.beside {
            print::note(text);
            return Ok(());
        }
        print::to_standard_output(format!("{text}\n").as_bytes())
    }

    fn greet(&self) -> Result<()> {
        let (you, level) = (self.you, self.level.number());
        let resumed = match (self.game.moves(None).len(), &self.saved) {
            (0, _) | (_, None) => String::new(),
            (moves, Some(saved)) => format!(
                " Resumed from {} after {}.",
                saved.path().display(),
                print::counted(moves as u64, "move", "moves")
            ),
        };
        self.say(&format!(
            "{}. You are {you}; the player is {}, level {level} of {}.{resumed} Type a move or help.",
            self.title,
            !you,
            Level::HIGHEST.number()
        ))
    }

    /// Draws the board and says whose turn it is.
    fn draw(&self) -> Result<()> {
        let dialect = if self.style.kanji { Some(Dialect::Lishogi) } else { self.dialect };
        let diagram = self.game.diagram(dialect);
        self.say(&self.style.draw(&diagram, self.game.last_target()))?;
        if self.game.end().is_some() {
            return Ok(());
        }
        let check = if self.game.is_check() { ", in check" } else { "" };
        let clocks = self.clocks.as_ref().map_or_else(String::new, |clocks| {
            let [sente, gote] = Colour::ALL.map(|colour| clocks.shown(colour));
            format!(" Clocks: Sente {sente}, Gote {gote}.")
        });
        self.say(&format!("{} to move{check}.{clocks}", self.game.side()))
    }

    /// Says how the game has ended.
    fn announce(&self) -> Result<()> {
        let Some(end) = self.game.end() else { return Ok(()) };
        let yours = match end.winner {
            Some(winner) if winner == self.you => " You have won.",
            Some(_) => " You have lost.",
            None => "",
        };
        let moves = print::counted(self.game.moves(None).len() as u64, "move", "moves");
        self.say(&format!("{end}, after {moves}.{yours}"))
    }

    /// Says that the game is left as it is.
    fn leave(&self) -> Result<Ended> {
        let moves = print::counted(self.game.moves(None).len() as u64, "move", "moves");
        let kept = match &self.saved {
            Some(saved) => format!("; it is saved in {}", saved.path().display()),
            None => String::new(),
        };
        self.say(&format!("The game is not over, after {moves}{kept}."))?;
        Ok(Ended::Left)
    }

    /// Waits for what a person types.
    fn listen(&self) -> Result<Heard> {
        if io::stdin().is_terminal() {
            let prompt = format!("{}> ", self.game.side());
            if self.beside {
                eprint!("{prompt}");
            } else {
                print::to_standard_output(prompt.as_bytes())?;
            }
        }
        let deadline = self.clocks.as_ref().and_then(|clocks| clocks.deadline(self.you));
        loop {
            match self.lines.recv_timeout(GLANCE) {
                Ok(line) => return Ok(Heard::Line(line)),
                Err(RecvTimeoutError::Disconnected) => return Ok(Heard::EndOfInput),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.interrupt.is_set() {
                return Ok(Heard::Interrupt);
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Ok(Heard::TimeUp);
            }
        }
    }

    /// Does what was typed after some time. Whether the board is to be drawn again.
    fn obey(&mut self, text: &str, time: Duration) -> Result<bool> {
        let (command, rest) = text.split_once(' ').unwrap_or((text, ""));
        match (command, rest.trim()) {
            ("help" | "?", "") => self.say(HELP)?,
            ("board", "") => return Ok(true),
            ("moves", "") => self.list_moves()?,
            ("hint", "") => self.hint()?,
            ("explain", "") => {
                for term in self.game.explain() {
                    self.say(&format!("  {term}"))?;
                }
            }
            ("undo", "") => return self.undo(),
            ("go", "") => {
                self.let_player_move(true)?;
                self.keep();
                return Ok(true);
            }
            ("resign", "") => drop(self.game.resign(self.you)),
            ("declare", "") => match self.game.declare() {
                Ok(()) => {}
                Err(error) => self.say(&format!("declare: {error}"))?,
            },
            ("save", path) => self.save_as(path)?,
            _ => return self.move_as_typed(text, time),
        }
        Ok(false)
    }

    fn move_as_typed(&mut self, text: &str, time: Duration) -> Result<bool> {
        let seconds = self.clocks.as_ref().map(|_| time.as_secs() as u32);
        match self.game.play(text, seconds) {
            Ok(_) => {
                self.run_clock(self.you, time);
                self.keep();
                Ok(true)
            }
            Err(error) => {
                self.say(&format!("{text}: {error}. Type another move, moves, or help."))?;
                Ok(false)
            }
        }
    }

    /// Takes time from a player's clock, who may have lost by that.
    fn run_clock(&mut self, player: Colour, time: Duration) {
        let late = self.clocks.as_mut().is_some_and(|clocks| !clocks.spend(player, time));
        if late && self.game.end().is_none() {
            self.game.run_out_of_time(player);
        }
    }

    /// Lets the player move, for the person if `for_you`.
    fn let_player_move(&mut self, for_you: bool) -> Result<()> {
        let side = self.game.side();
        let limits = self.clocks.as_ref().map(|clocks| clocks.limits(side)).unwrap_or_default();
        let began = Instant::now();
        let choice = self.choose(&limits);
        let who = if for_you { "For you, the player".to_owned() } else { side.to_string() };
        match choice {
            Choice::Played(played) => {
                self.say(&format!("{who} plays {}.", self.written(&played)))?
            }
            Choice::Declared => self.say(&format!("{who} declares."))?,
            Choice::Resigned => self.say(&format!("{who} resigns."))?,
        }
        self.run_clock(side, began.elapsed());
        Ok(())
    }

    fn choose(&mut self, limits: &Limits) -> Choice {
        let Self { game, level, seed, interrupt, .. } = self;
        stopped_by(interrupt, |control| game.choose(*level, *seed, limits, control))
    }

    /// A move in two notations.
    fn written(&self, played: &PlayedMove) -> String {
        let PlayedMove { usi, western, japanese } = played;
        format!("{usi} ({})", if self.style.kanji { japanese } else { western })
    }

    fn list_moves(&self) -> Result<()> {
        let moves = self.game.legal_moves(self.dialect);
        let texts: Vec<_> = moves.into_iter().map(|one| one.usi).collect();
        self.say(&print::counted(texts.len() as u64, "legal move", "legal moves"))?;
        texts.chunks(10).try_for_each(|line| self.say(&line.join(" ")))
    }

    fn hint(&mut self) -> Result<()> {
        let Self { game, interrupt, .. } = self;
        let hint = stopped_by(interrupt, |control| game.hint(HINT_NODES, control));
        let Hint { line, declares, score } = hint;
        let words = match line.split_first() {
            None if declares => "declare: you win".to_owned(),
            None => "resign".to_owned(),
            Some((first, then)) => {
                let then: Vec<_> = then.iter().take(4).map(|one| one.usi.as_str()).collect();
                let then = if then.is_empty() { "" } else { &format!(", then {}", then.join(" ")) };
                format!("{}{then}; {score} for you", self.written(first))
            }
        };
        self.say(&format!("Hint: {words}"))
    }

    /// Takes back the player's move and the person's before it.
    fn undo(&mut self) -> Result<bool> {
        if self.game.moves(None).len() < 2 {
            self.say("There is no move of yours to take back.")?;
            return Ok(false);
        }
        let undone = self.game.undo() && self.game.undo();
        self.keep();
        Ok(undone)
    }

    /// Writes the record to a file, or to the one that keeps the game.
    fn save_as(&self, path: &str) -> Result<()> {
        let own = self.saved.as_ref().map(|saved| saved.path());
        let Some(path) = (if path.is_empty() { own } else { Some(Path::new(path)) }) else {
            return self.say("save: give the name of a file");
        };
        let written = if own != Some(path) && path.exists() {
            Err("it exists; give another name".to_owned())
        } else {
            saved::write(&self.game, path).map_err(|error| chain_text(&error))
        };
        match written {
            Ok(()) => self.say(&format!("The record is in {}.", path.display())),
            Err(reason) => self.say(&format!("save {}: {reason}", path.display())),
        }
    }
}

/// The typed lines, which a thread reads, so that Ctrl-C and a clock are heard meanwhile.
fn typed_lines() -> io::Result<Receiver<String>> {
    let (send, lines) = sync_channel(1);
    threads::spawn("input", move || {
        loop {
            let mut line = Vec::new();
            let read = io::stdin().lock().take(MOST_LINE).read_until(b'\n', &mut line);
            let is_line = read.is_ok_and(|bytes| bytes > 0);
            if !is_line || send.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                break;
            }
        }
    })?;
    Ok(lines)
}

/// The result of `search`; Ctrl-C ends it early. Where the system refuses a thread, Ctrl-C is heard after the search.
fn stopped_by<T>(interrupt: &Interrupt, search: impl FnOnce(&Control) -> T) -> T {
    let (control, done) = (Control::new(), AtomicBool::new(false));
    thread::scope(|scope| {
        let watch = threads::spawn_scoped(scope, || {
            while !done.load(Ordering::Relaxed) {
                if interrupt.is_set() {
                    control.stop();
                }
                thread::park_timeout(GLANCE);
            }
        });
        let found = search(&control);
        done.store(true, Ordering::Relaxed);
        if let Ok(watch) = watch {
            watch.thread().unpark();
        }
        found
    })
}
