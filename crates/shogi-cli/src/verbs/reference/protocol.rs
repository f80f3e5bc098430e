//! The behaviour of the engine where the protocol leaves it open: the second half of its page.

/// Behind the options.
pub const PROTOCOL: &str = r#"
## Time

`go` takes `btime` and `wtime`, `binc` and `winc`, `byoyomi`, `movestogo`, `movetime`, `nodes`, `depth`, `infinite`, and `ponder` with `ponderhit`, in
any combination. Without any limit it searches until `stop`.

| what is given | what a move gets |
|---|---|
| `btime`, `wtime` | a 25th of what is left less eight times `NetworkDelay`, or a larger part where `movestogo` is below 25; at least a 1,024th of what is left, as long as that is more than `NetworkDelay` |
| `binc`, `winc` | besides, three quarters of the increment |
| `byoyomi` | besides, nine tenths of it; all of it where nothing else is left |
| `movetime` | all of it, unless the search sees the game to its end |

On a clock no iteration is begun that would hardly end in this time, and one that takes longer is broken off: at four times the share of the clock
plus the whole increment and byoyomi, and at half of what is left where neither follows. A single legal move gets a tenth, for a score and an expected
reply. The clock is read every 512 nodes, and every 8 where a move has less than 10 ms. The time between the line `go` and the search counts. Limits may come with `ponderhit` instead of
with `go ponder`, as ShogiHome sends them; they count from there.

## First moves to search, and mates

`go searchmoves 7g7f 2g2f nodes 1000` searches these first moves alone, with any of the limits above and with `MultiPV`: no other move is played, neither
for a mate nor by a tablebase. A word in the list that is no legal move is answered by an error and left out; where none is left, all moves are searched.

`go mate` looks for a mate by checks. It is answered by `checkmate` with the moves, `checkmate nomate` or `checkmate timeout`, and takes no `searchmoves`.

The protocol does not say who attacks. It is the side to move, unless that side is in check, as after a move of a problem, or has the only king. Then `go mate`
finds out whether it is mated: `checkmate` is followed by a line that begins with its longest defence, and `checkmate nomate` means that a move helps. Before that
an `info string` names the moves that do, and a line of `info` with `score mate -N` gives the mate after each other one. As in KomoringHeights, with
`RootIsAndNodeIfChecked` false a side in check attacks, too, which a problem with two kings may need.

## Lines with mistakes

A value of `USI_Variant` that names no game is answered by an error, and nothing is played until the option has one that does: `position` is refused, and each
`go` is answered by `bestmove resign` (`go mate` by `checkmate timeout`), since a move of another game would be illegal.

A line that cannot be read is answered by `info string error: ...` with the character and the reason, and changes nothing. A `go` with a mistake is
answered all the same: words that do not fit are passed over, the rest is read, and where no limit is left the answer comes within a second. After a
`position` that cannot be read or reached the next `go` is answered by `bestmove resign`.

## Resigning, and games that are played on

`bestmove resign` is the answer to a mate, to a position without a legal move where that loses, and to a score as low as `ResignValue` says.
Any other position is answered by a legal move, also after a repetition or a perpetual check, whoever has lost by it. After `go` in
such a position an `info string` says how the game has ended by the rules of the variant; from then on the engine plays without a rule on repetition.
A game that has ended on the board is answered by `bestmove win` or `bestmove resign`, and by `bestmove (none)` where it is drawn, which only two safe
lions of Dobutsu shogi can cause.

## Kings that have entered

`EnteringKingRule` has the names and meanings of YaneuraOu's option (`Position::DeclarationWin`, `update_entering_point`), which other engines share. It
has to be the rule of the server: where the two differ, games are lost. The engine answers `bestmove win` where it wins by a declaration, and its search
sees declarations of both players.

| value | a declaration wins with | |
|---|---|---|
| `NoEnteringKing` | | there is none |
| `CSARule24` | 31 points | the rule of professional games; with 24 to 30 points a declaration draws, so the engine makes none |
| `CSARule27` | 28 points for Sente, 27 for Gote | the rule of the Computer Shogi Association and of amateur games |
| `CSARule24H`, `CSARule27H` | the same | in handicap games, points of the odds count as Gote's |
| `TryRule` | | a king wins by a safe move to the square where the other king stood at first; the engine plays the move |

For a declaration the king and ten other pieces must stand in the enemy camp, and the king must not be in check. Rooks and bishops there and in hand have
5 points each, other pieces 1. The odds of a handicap game follow from the position: they are what it lacks of a full set, since no piece leaves
a game, and count for Gote, who gives them (Japan Shogi Association, rules FAQ, on impasse). `shogi moves` goes by `CSARule27H` and answers
`"declaration": true`.

## Positions with one king

Mate problems are set without the attacker's king. Such a position is played like another one; the side without a king is never in check. The verbs
`moves`, `mate`, `show`, `perft` and `convert` take it as well. What needs both kings (`unmoves`, `rank`, `classify`, `solve`, `tablebase probe`) reports
which one is missing. A position without any king is refused.
"#;
