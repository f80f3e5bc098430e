//! The table of replies.

use std::fmt::Write as _;

use serde::Serialize;

/// What is known after a reply.
#[derive(Serialize)]
pub struct Row {
    /// The reply to 1e1d+.
    pub reply: String,
    /// Plies to the end at most, if it is proved.
    pub plies: Option<u32>,
    /// Entries of the proof file: positions with Sente to move.
    pub entries: Option<usize>,
    /// Its size.
    pub bytes: Option<usize>,
    /// Sente's first move in the proof, or the one that is followed.
    pub answer: Option<String>,
    /// Nodes of all runs.
    pub nodes: u64,
    /// Seconds of the last run.
    pub seconds: f64,
    /// Proof and disproof number after the last search of the position itself, if it is open.
    pub numbers: Option<(u32, u32)>,
    /// Gote's replies to the move that is followed, if it is open.
    pub replies: Vec<SubReply>,
}

/// A reply to Sente's second move.
#[derive(Serialize)]
pub struct SubReply {
    /// The move.
    pub reply: String,
    /// Whether Sente's win is proved.
    pub proved: bool,
}

impl Row {
    /// One line of text.
    pub fn line(&self) -> String {
        let Self { reply, nodes, seconds, .. } = self;
        match (self.plies, self.entries, self.bytes) {
            (Some(plies), Some(entries), Some(bytes)) => format!(
                "{reply}: won in at most {plies} plies, {entries} entries, {bytes} bytes, {nodes} \
                 nodes, {seconds:.1} s"
            ),
            _ => format!("{reply}: open after {nodes} nodes, {seconds:.1} s"),
        }
    }
}

/// The whole table.
pub fn markdown(rows: &[Row]) -> String {
    let mut text = String::from(
        "| reply | value | first answer | plies at most | entries | bytes | nodes | seconds |\n\
         |---|---|---|---:|---:|---:|---:|---:|\n",
    );
    let number = |number: Option<usize>| number.map_or_else(String::new, |n| n.to_string());
    for row in rows {
        let value = if row.plies.is_some() { "won by Sente" } else { "open" };
        let answer = row.answer.as_deref().unwrap_or_default();
        let plies = number(row.plies.map(|plies| plies as usize));
        let (entries, bytes) = (number(row.entries), number(row.bytes));
        let Row { reply, nodes, seconds, .. } = row;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {reply} | {value} | {answer} | {plies} | {entries} | {bytes} | {nodes} | {seconds:.1} |"
        );
    }
    let open: Vec<_> = rows.iter().filter(|row| row.plies.is_none()).collect();
    if !open.is_empty() {
        text += "\n| open | proof number | disproof number | followed by | its replies proved | left |\n\
                 |---|---:|---:|---|---|---|\n";
    }
    for row in open {
        let (proof, disproof) = row.numbers.unwrap_or((1, 1));
        let proved = row.replies.iter().filter(|reply| reply.proved).count();
        let left: Vec<_> =
            row.replies.iter().filter(|reply| !reply.proved).map(|reply| &*reply.reply).collect();
        let _ = writeln!(
            text,
            "| {} | {proof} | {disproof} | {} | {proved} of {} | {} |",
            row.reply,
            row.answer.as_deref().unwrap_or_default(),
            row.replies.len(),
            left.join(", "),
        );
    }
    text
}
