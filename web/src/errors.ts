// The program's reasons in Japanese, by the words that it has for each. The program speaks English, so that
// what it says can be searched for; a reason that has no entry here stays as it is.

import { currentLanguage } from "./words";

/** What stands in a reason beside its words, and how the whole reads. */
type Entry = [RegExp, (...parts: string[]) => string];

/** Parts that stand in other reasons, the longest first. */
const PARTS: Entry[] = [
  // Texts of positions.
  [/no piece has the letter "?'?(.)'?"?/, (letter) => `「${letter}」という文字の駒はありません`],
  [/this piece does not promote/, () => "この駒は成れません"],
  [/a rank must have (\d+) squares/, (count) => `段には${count}升が必要です`],
  [/the board must have (\d+) ranks/, (count) => `盤には${count}段が必要です`],
  [/the side to move must be b or w/, () => "手番は b か w です"],
  [/a count in the hands must be 1 to (\d+) and stand before a piece/, (most) => `持駒の枚数は 1 から ${most} で、駒の前に書きます`],
  [/a king cannot be in hand/, () => "玉は持駒になりません"],
  [/this piece of this player is already in the hands/, () => "この持駒は二度書かれています"],
  [/the move number must be a whole number from 1 to \d+/, () => "手数は 1 以上の整数です"],
  [/the text ends before the side to move/, () => "手番の前で文字列が終わっています"],
  [/the text ends before the hands/, () => "持駒の前で文字列が終わっています"],
  [/the text ends before (.+)/, (what) => `文字列が途中で終わっています (${what})`],
  [/nothing may follow the (?:move number|last field)/, () => "最後の項目の後には何も書けません"],
  [/startpos or sfen should stand before the moves/, () => "指し手の前に startpos か sfen が必要です"],
  // Moves.
  [/a square is a file 1 to (\d+) and a rank a to (\w)/, (files, rank) => `升は筋 1〜${files} と段 a〜${rank} で書きます`],
  [/no piece that can be dropped has the letter '(.)'/, (letter) => `「${letter}」という文字の打てる駒はありません`],
  [/"(\w+)" ends the record of a game and is no move/, (word) => `${word} は終局の語で、指し手ではありません`],
  [/only a \+ may follow the target square of a board move/, () => "移動先の後に書けるのは + だけです"],
  [/the player has no such piece/, () => "その駒がありません"],
  [/the piece cannot go there/, () => "その駒はそこへ動けません"],
  [/the piece has the wrong face up/, () => "成・不成が誤りです"],
  [/the piece could never move again/, () => "行き所のない駒になります"],
  [/the king is left in check/, () => "王手放置です"],
  [/drop-pawn mate/, () => "打ち歩詰めです"],
  [/nifu/, () => "二歩です"],
  // Positions.
  [/more pieces of a kind than the set has: (.), of which it has (\d+)/, (letter, count) => `駒が多すぎます (${letter} は${count}枚まで)`],
  [/more pieces of a kind than the set has/, () => "駒が多すぎます"],
  [/two unpromoted pawns of one player on a file/, () => "二歩です"],
  [/a piece that can never move again/, () => "行き所のない駒があります"],
  [/Sente has no king/, () => "先手の玉がありません"],
  [/Gote has no king/, () => "後手の玉がありません"],
  [/a player has more than one king, or a king is in hand/, () => "玉が二枚以上あるか、持駒になっています"],
  [/the player who just moved stands in check/, () => "手番でない側の玉に王手がかかっています"],
  [/a player has two unpromoted pawns on a file/, () => "二歩です"],
  [/a piece stands where it can never move again/, () => "行き所のない駒があります"],
  // Numbers.
  [/rank (\d+) is outside the space: it has (\d+) placements, numbered from 0/, (rank, size) => `番号 ${rank} は範囲外です (0 から ${size} 未満)`],
  [/a rank is a whole number, but there is nothing/, () => "番号がありません"],
  [/'(.)' is no decimal digit/, (digit) => `「${digit}」は数字ではありません`],
  [/a rank has at most (\d+) digits/, (most) => `番号は ${most} 桁までです`],
  [/the mirror image is the smaller of the two, and the member/, () => "鏡像の方が数えられます"],
  [/Sente's king stands on the right half; the mirror image is the member/, () => "先手玉が右半分にあるので、鏡像の方が数えられます"],
  [/every piece moves: write a movement, such as "gold" or "step F"/, () => "どの駒にも動きが必要です (例: gold, step F)"],
  [/Gote is to move/, () => "後手番です"],
  [/Gote, who is not to move, stands in check/, () => "手番でない後手玉に王手がかかっています"],
  [/(\d+) pieces (.) instead of (\d+): some are missing/, (found, letter, expected) => `${letter} が${found}枚しかありません (${expected}枚)`],
  [/(\d+) pieces (.) instead of (\d+): there are too many/, (found, letter, expected) => `${letter} が${found}枚あります (${expected}枚まで)`],
  [/the position has not all pieces of the set/, () => "駒がすべて揃っていません"],
  [/not decided within (\d+) positions; raise the limit/, (count) => `${count} 局面の探索では判定できませんでした`],
  // Files, proofs and records.
  [/the search has ended early/, () => "探索が途中で終わりました"],
  [/the proof has no move here/, () => "この局面は証明にありません"],
  [/neither a proof \(.*\) nor a tablebase/, () => "証明でもデータベースでもありません"],
  [/a checksum does not match: the file was changed or damaged/, () => "検査値が合いません。ファイルが壊れています"],
  [/(?:Sente|Gote), who is to be mated, has no king/, () => "詰まされる側の玉がありません"],
  [/the pieces are (\S+), but those of the tablebase (\S+)/, (found, expected) => `駒の組 ${found} はデータベース (${expected}) のものではありません`],
  [/the format of the record is not recognised/, () => "棋譜の形式が分かりません"],
  [/expected (.+)/, (what) => `別の記述が必要です (${what})`],
  [/no legal move fits this/, () => "当てはまる合法手がありません"],
  [/more than one legal move fits this/, () => "当てはまる合法手が二つ以上あります"],
  [/the piece named here does not stand on that square/, () => "その升にその駒はありません"],
  [/there is no move before this one/, () => "前の手がありません"],
  [/it is the other player's turn/, () => "相手の手番です"],
  [/(Sente|Gote) moves out of turn: the game ends here, and the move is kept as a comment/, (player) => `${PLAYERS[player]}が手番でないのに指しています。ここで終局とし、その手はコメントに残します`],
  [/nobody can make this move: the game ends here, and the move is kept as a comment/, () => "指せない手です。ここで終局とし、その手はコメントに残します"],
  [/the game has ended before this, which is kept as a comment/, () => "既に終局しています。この行はコメントに残します"],
  [/this result contradicts the end above it, which is kept as a comment: by the result (Sente|Gote) has lost/, (player) => `結果が上の終局と食い違います。終局の語はコメントに残し、結果の通り${PLAYERS[player]}の負けとします`],
  [/this is neither a move nor an end, and is kept as a comment/, () => "指し手でも終局でもない行です。コメントに残します"],
  [/the moves are numbered from (\d+)/, (number) => `手数が${number}から始まっています`],
  [/a time below zero is kept as a comment/, () => "負の消費時間はコメントに残します"],
  [/the king in hand is left out/, () => "持駒の玉は除きます"],
  [/this square is not on the board/, () => "盤の外の升です"],
  [/this should be move (\d+)/, (number) => `${number}手目のはずです`],
  [/a line of this kind does not belong here/, () => "この行はここに書けません"],
  [/this is a record of another variant, "(.*)"/, (title) => `別のルールの棋譜です (${title})`],
  [/no start of this variant is called "(.*)"/, (title) => `「${title}」という開始局面はありません`],
  [/this variant is not written in (\w+)/, (format) => `このルールは ${format} では書けません`],
  [/"?(.+?)"? names no start: give three letters, one K and two of R B G S N L P, such as RKB/, (name) => `「${name}」という初期配置はありません。K と R B G S N L P から二つの三文字です (例: RKB)`],
  [/(\S+) takes no start by name/, () => "このルールの初期配置に名前はありません"],
  [/(.+) (?:is|are) not written: (\w+) (?:has none|cannot hold that)/, (list, format) => `${format} では書けないもの: ${kept(list)}`],
  // Texts of variants.
  [/there is no such key; did you mean "(.+)"\?/, (key) => `このキーはありません。「${key}」ではありませんか`],
  [/there is no such key, write (.+)/, (keys) => `このキーはありません。書けるキー: ${keys}`],
  [/"(.+)" means nothing here; did you mean "(.+)"\?/, (found, word) => `「${found}」は使えません。「${word}」ではありませんか`],
  [/"(.+)" means nothing here, write (.+)/, (found, words) => `「${found}」は使えません。書ける語: ${words}`],
  [/the key is missing; write (.+)/, (example) => `必要なキーがありません。例: ${example}`],
  [/the value must be (.+), not (.+)/, (expected, found) => `値の型が違います (${found} ではなく ${expected})`],
  [/the number must be (\d+) to (\d+)/, (least, most) => `数は ${least} から ${most} です`],
  [/"(.+)" is no direction; the directions are (.+), seen from the owner/, (found, all) => `「${found}」という方向はありません。方向: ${all}`],
  [/the letter (\w) already stands for another piece/, (letter) => `文字 ${letter} は他の駒が使っています`],
  [/one kind of piece must be royal, and (\d+) are; write royal = true for it/, (count) => `玉に当たる駒は一種だけです (今は${count}種)。royal = true と書きます`],
  [/each player must have one (\w) on the board at the start; Sente has (\d+), Gote (\d+)/, (letter, sente, gote) => `開始局面には ${letter} が各一枚必要です (先手${sente}枚、後手${gote}枚)`],
  [/the zone has (\d+) ranks; the board has (\d+)/, (zone, height) => `敵陣が${zone}段で、盤は${height}段しかありません`],
  [/too many requests at once; try again/, () => "要求が多すぎます。もう一度お試しください"],
  [/the answer took more than (\d+) s/, (seconds) => `${seconds} 秒以内に答えが出ませんでした`],
  [/a request has at most (\d+) bytes/, (most) => `要求は ${most} バイトまでです`],
];

/** The players. */
const PLAYERS: Record<string, string> = { Sente: "先手", Gote: "後手" };

/** What a format of records cannot hold, as it is counted. */
const KEPT: [RegExp, string][] = [
  [/(\d+) variations?/, "変化$1"], [/(\d+) times?/, "消費時間$1"], [/(\d+) comments?/, "コメント$1"], [/(\d+) bookmarks?/, "しおり$1"],
  [/(\d+) headers?/, "見出し$1"], [/(\d+) illegal moves?/, "反則手$1"], [/(\d+) ends?/, "終局$1"],
  [/(\d+) move numbers?/, "手数$1"],
];

function kept(list: string): string {
  return list.split(/, | and /).map((part) => KEPT.reduce((text, [pattern, words]) => text.replace(pattern, words), part)).join("、");
}

/** What stands around them. */
const FRAMES: [RegExp, string][] = [
  [/^at character (\d+): /, "$1文字目: "],
  [/^line (\d+), column (\d+): /, "$1行$2文字目: "],
  [/^line (\d+), ([\w.-]+): /, "$1行目 $2: "],
  [/^move (\d+), "([^"]*)": /, "$1手目「$2」: "],
  [/^in "[^"]*": /, ""],
  [/^illegal position: /, "不正な局面: "],
  [/^illegal start position: /, "不正な開始局面: "],
  [/^illegal move: /, "不正な手: "],
  [/^the game ends with a move against the rules: /, "反則手で終わっています: "],
  [/^the move (\S+) is illegal: /, "$1 は不正な手です: "],
  [/^the game is over: /, "対局は終わっています: "],
  [/^the placement is outside the space: /, "数えられる局面ではありません: "],
];

/** A reason of the program in the language of the page. */
export function inLanguage(reason: string): string {
  return currentLanguage() === "ja" ? reason.split("\n").map(japanese).join("\n") : reason;
}

/** A reason in Japanese, as far as it is known. */
export function japanese(reason: string): string {
  for (const [frame, words] of FRAMES) {
    const match = frame.exec(reason);
    if (match) return match[0].replace(frame, words) + japanese(reason.slice(match[0].length));
  }
  return reason.split("; ").map(translated).join("、");
}

function translated(reason: string): string {
  for (const [pattern, words] of PARTS) {
    const match = new RegExp(`^(?:${pattern.source})$`).exec(reason);
    if (match) return words(...match.slice(1));
  }
  return reason;
}
