// What the page says, in English and Japanese.

import type { Face, Moves, Side } from "./api";
import { isDrawn } from "./glyphs";
import type { Ended } from "./state";
import { PHRASES, PHRASES_IN_JAPANESE } from "./phrases";

const ENGLISH = {
  ...PHRASES,
  title: "Shogi explorer",
  variant: "Variant",
  language: "日本語",
  pieces: "Pieces",
  kanji: "Kanji",
  noFont: "Pieces are shown as letters: no font for Japanese is installed here",
  letters: "Letters",
  theme: "Light or dark",
  flip: "Turn the board",
  share: "Copy link",
  copied: "Copied",
  copy: "Copy",
  first: "First position",
  back: "One move back",
  forward: "One move on",
  last: "Last position",
  restart: "Start position",
  position: "Position in SFEN, or startpos moves …",
  menu: "Settings",
  notation: "Notation",
  namedStart: "Start",
  edit: "Edit the position",
  own: "A game of your own",
  ownText: "Its rules as a text; variants/README.md teaches the format in ten minutes",
  ownUse: "Play it",
  editDone: "Use this position",
  editCancel: "Cancel",
  editClear: "Clear the board",
  editErase: "Erase",
  editPalette: "Pieces to put on the board",
  editHelp: "Choose a piece and click squares; without a choice, click a piece and then its new square. A click on a hand adds a piece, with Erase it takes one away.",
  editSide: "To move",
  evaluation: "Evaluation for Sente",
  noEvaluation: "No evaluation yet",
  load: "Show",
  sente: "Sente",
  gote: "Gote",
  toMove: " to move",
  inCheck: "in check",
  wins: " wins",
  drawn: "The game is drawn",
  declarationPossible: "A win may be declared.",
  board: "Board",
  hand: "Hand",
  empty: "empty",
  chosen: "chosen",
  target: "can move here",
  choose: "Choose a face",
  cancel: "Cancel",
  promote: "promoted",
  keep: "not promoted",
  face: "face",
  tabMoves: "Moves",
  tabPlay: "Play",
  tabProof: "Proof",
  tabReach: "Reach",
  tabCount: "Count",
  tabRecord: "Record",
  move: "Move",
  valueFor: "Value for",
  scoreFor: "Score for",
  line: "Line",
  analyse: "Analyse",
  stop: "Stop",
  lines: "Lines",
  findMate: "Find a mate",
  stopMate: "Stop looking",
  noMate: "There is no mate by checks.",
  mateUnknown: "No mate was found within the limit of the search.",
  fromTable: "Values from a tablebase",
  fromProof: "Values from the proof",
  fromResults: "Published",
  depth: "Depth",
  waiting: "Waits for other searches to end.",
  searchFailed: "The search has ended early.",
  illegal: "This is no legal position",
  gameOver: "The game is over.",
  win: "win",
  loss: "loss",
  draw: "draw",
  mate: "mate",
  files: "Open files",
  noFiles: "No proof or tablebase is open. Open a file, or solve a small position here.",
  tablebase: "tablebase",
  proofWord: "proof",
  openProof: "Open a proof or tablebase",
  solve: "Solve this position",
  stopSolving: "Stop solving",
  proofTooLarge: "The proof is too large to be kept open here.",
  toRoot: "Root",
  longest: "Longest line",
  check: "Check it",
  linkProof: "Copy a link with this proof",
  linkedProof: "the proof in the link",
  checked: "Checked by the rules alone: it holds",
  refuted: "Refuted",
  find: "Find a position",
  answer: "The prover plays",
  replies: "Every reply, with the most plies that are left",
  noReplies: "There is no reply: the game is over.",
  noReach: "It is not found out for this game, unless the game on the board leads here from the start.",
  reachQuestion: "Can a game reach this position?",
  stageOk: "Yes, reachable",
  stageOkText: "A game leads here from the start.",
  stageFlipText: "Among the positions that are counted its mirror image stands for both.",
  stageIllegal: "No: illegal",
  stageIllegalText: "Pieces stand where they cannot, or the player who is not to move stands in check.",
  stagePawn: "No: impossible pieces",
  stagePawnText: "Two pawns on a file, or a piece that could never move again.",
  stageKing: "No: king in danger",
  stageKingText: "The player who is not to move stands in check.",
  stageUnreachable: "No, unreachable",
  stageUnreachableText: "No game leads here. Below are all positions that it can be traced back to.",
  stageUnknown: "Not decided",
  stageUnknownText: "Neither was found within the limit of the search.",
  follow: "Follow the game",
  ownGame: "The game on the board is a certificate.",
  foundGame: "Certificate: a game found backwards",
  predecessors: "Legal positions one move before",
  backBy: "Goes back to the position before this move; the line stays",
  showAll: "Show all",
  shown: "shown",
  rank: "Number of this position",
  rankExchanged: "It is the number of this position with colours exchanged: in numbered positions Sente is to move.",
  rankMirrored: "It is the number of the mirror image of this position, which stands for both.",
  rankBoth: "It is the number of the mirror image of this position with colours exchanged: in numbered positions Sente is to move, and of two mirror images one stands for both.",
  of: "of",
  noOrder: "No order has a number for the start of this variant: its set has more pieces than a game.",
  order: "Order",
  unrank: "Position with a number",
  number: "Number",
  draw1: "Draw a reachable position",
  drawText: "Drawn uniformly from all reachable positions.",
  recordText: "A record in KIF, KI2, CSA, USI, JSON or JKF",
  openFile: "Open a file",
  loadRecord: "Read",
  saveAs: "Write as",
  download: "Save",
  format: "Format",
  recordRead: "Read",
  comment: "Comment",
  branches: "Main line and variations",
  variation: "Variation",
  otherVariantRead: "The record is of another variant, which is shown now.",
  gameEnd: "End",
  senteWins: "Sente wins",
  goteWins: "Gote wins",
  illegalMove: "Illegal move",
  game: "Game",
  keys: "Arrow keys walk over the board, Enter chooses, Escape lets go. Elsewhere ← and →, and [ and ] or the wheel over the board, step through the game.",
  loading: "Loading",
  unavailable: "The program does not answer. Is it still running?",
};

export type Word = keyof typeof ENGLISH;

const JAPANESE: Record<Word, string> = {
  ...PHRASES_IN_JAPANESE,
  title: "将棋エクスプローラー",
  variant: "ルール",
  language: "English",
  pieces: "駒",
  kanji: "漢字",
  noFont: "日本語のフォントがないため、駒を英字で表示しています",
  letters: "英字",
  theme: "明るさ",
  flip: "盤を反転",
  share: "リンクをコピー",
  copied: "コピーしました",
  copy: "コピー",
  first: "最初の局面",
  back: "一手戻る",
  forward: "一手進む",
  last: "最後の局面",
  restart: "初期局面",
  position: "局面 (SFEN または startpos moves …)",
  menu: "設定",
  notation: "表記",
  namedStart: "初期配置",
  edit: "局面を編集",
  own: "自分のルール",
  ownText: "ルールのテキスト (書き方は variants/README.md)",
  ownUse: "このルールで指す",
  editDone: "この局面を使う",
  editCancel: "取消",
  editClear: "盤を空にする",
  editErase: "消す",
  editPalette: "置く駒",
  editHelp: "駒を選んで升を押します。選ばずに盤上の駒、次に移動先を押すと動きます。持駒を押すと一枚増え、「消す」を選んでいると一枚減ります。",
  editSide: "手番",
  evaluation: "評価値 (先手から見て)",
  noEvaluation: "評価値はまだありません",
  load: "表示",
  sente: "先手",
  gote: "後手",
  toMove: "番",
  inCheck: "王手",
  wins: "の勝ち",
  drawn: "引き分け",
  declarationPossible: "宣言勝ちができます。",
  board: "盤",
  hand: "持駒",
  empty: "空き",
  chosen: "選択中",
  target: "移動可",
  choose: "成・不成を選択",
  cancel: "取消",
  promote: "成",
  keep: "不成",
  face: "面",
  tabMoves: "指し手",
  tabPlay: "対局",
  tabProof: "証明",
  tabReach: "到達",
  tabCount: "番号",
  tabRecord: "棋譜",
  move: "指し手",
  valueFor: "結果",
  scoreFor: "評価値",
  line: "読み筋",
  analyse: "検討",
  stop: "停止",
  lines: "候補数",
  findMate: "詰みを探す",
  stopMate: "詰み探索を中止",
  noMate: "連続王手の詰みはありません。",
  mateUnknown: "上限までに詰みは見つかりませんでした。",
  fromTable: "完全解析データベースの値",
  fromProof: "証明の値",
  fromResults: "既知の結果",
  depth: "深さ",
  waiting: "他の検討の終了を待っています。",
  searchFailed: "検討が途中で終わりました。",
  illegal: "合法な局面ではありません",
  gameOver: "終局しています。",
  win: "勝ち",
  loss: "負け",
  draw: "引分",
  mate: "詰み",
  files: "開いているファイル",
  noFiles: "証明もデータベースも開かれていません。ファイルを開くか、小さな局面をここで解いてください。",
  tablebase: "データベース",
  proofWord: "証明",
  openProof: "証明・データベースを開く",
  solve: "この局面を解く",
  stopSolving: "中止",
  proofTooLarge: "証明が大きすぎて開いておけません。",
  toRoot: "初手へ",
  longest: "最長手順",
  check: "検証",
  linkProof: "この証明を含むリンクをコピー",
  linkedProof: "リンクの証明",
  checked: "ルールのみによる検証: 正しい",
  refuted: "誤り",
  find: "局面を探す",
  answer: "証明側の手",
  replies: "すべての応手と残りの最長手数",
  noReplies: "応手はありません。終局です。",
  noReach: "このルールでは、盤上の棋譜が初期局面から続いている場合のほかは判定できません。",
  reachQuestion: "この局面に至る対局はありますか",
  stageOk: "あります: 到達可能",
  stageOkText: "初期局面からこの局面に至る対局があります。",
  stageFlipText: "局面を数えるときは、左右対称なもう一方の局面で代表します。",
  stageIllegal: "ありません: 不正な局面",
  stageIllegalText: "駒の配置が不可能か、手番でない側の玉に王手がかかっています。",
  stagePawn: "ありません: 駒の配置が不可能",
  stagePawnText: "二歩、または行き所のない駒があります。",
  stageKing: "ありません: 王手放置",
  stageKingText: "手番でない側の玉に王手がかかっています。",
  stageUnreachable: "ありません: 到達不能",
  stageUnreachableText: "この局面に至る対局はありません。遡れる局面は以下がすべてです。",
  stageUnknown: "未判定",
  stageUnknownText: "探索の上限までに判定できませんでした。",
  follow: "棋譜をたどる",
  ownGame: "盤上の棋譜が証拠です。",
  foundGame: "証拠: 逆向きに見つけた棋譜",
  predecessors: "一手前の合法な局面",
  backBy: "この手の前の局面に戻ります。手順は残ります",
  showAll: "すべて表示",
  shown: "件を表示",
  rank: "この局面の番号",
  rankExchanged: "番号は先手番の局面に付くので、先後を入れ替えた局面の番号です。",
  rankMirrored: "左右対称な二局面は一方で代表するので、鏡像の番号です。",
  rankBoth: "番号は先手番の局面に付き、左右対称な二局面は一方で代表するので、先後を入れ替えた鏡像の番号です。",
  of: "全局面数",
  noOrder: "このルールの初期局面に番号を付ける順序はありません。駒の全体が一局の駒より多いためです。",
  order: "順序",
  unrank: "番号から局面へ",
  number: "番号",
  draw1: "到達可能な局面を無作為に選ぶ",
  drawText: "到達可能な全局面から一様に選びます。",
  recordText: "棋譜 (KIF, KI2, CSA, USI, JSON, JKF)",
  openFile: "ファイルを開く",
  loadRecord: "読み込む",
  saveAs: "書き出す",
  download: "保存",
  format: "形式",
  recordRead: "読み込みました:",
  comment: "コメント",
  branches: "本譜と変化",
  variation: "変化",
  otherVariantRead: "別のルールの棋譜でした。そのルールで表示します。",
  gameEnd: "終局",
  senteWins: "先手の勝ち",
  goteWins: "後手の勝ち",
  illegalMove: "反則手",
  game: "対局",
  keys: "盤上では矢印キーで移動、Enter で選択、Escape で取消。盤の外では ← と →、また [ と ]、盤上のホイールで棋譜を移動。",
  loading: "読み込み中",
  unavailable: "プログラムが応答しません。実行中か確認してください。",
};

export type Language = "en" | "ja";

let language: Language = "en";

export function setLanguage(chosen: Language): void {
  language = chosen;
  document.documentElement.lang = chosen;
}

export function currentLanguage(): Language {
  return language;
}

export function word(name: Word): string {
  return (language === "ja" ? JAPANESE : ENGLISH)[name];
}

const VARIANTS: Record<string, string> = {
  minishogi: "５五将棋", kyotoshogi: "京都将棋", shogi: "本将棋", shogi34: "３×４将棋", dobutsu: "どうぶつしょうぎ",
  gorogoro: "ごろごろ将棋", gorogoroplus: "ごろごろ将棋プラス", judkins: "ジャドキンス将棋", micro: "マイクロ将棋", torishogi: "禽将棋",
};

/** What a variant is called, by its name and its English title. */
export function variantTitle(name: string, title: string): string {
  return language === "ja" ? (VARIANTS[name] ?? title) : title;
}

/** What a piece is called, by the kanji on it. */
const PIECES: Record<string, string> = {
  歩: "pawn", 香: "lance", 桂: "knight", 銀: "silver", 金: "gold", 角: "bishop", 飛: "rook", 玉: "king",
  と: "tokin", 杏: "promoted lance", 圭: "promoted knight", 全: "promoted silver", 馬: "horse", 龍: "dragon",
  雛: "chick", 鶏: "hen", 麒: "giraffe", 象: "elephant", 獅: "lion",
};

/** Whether a face has kanji: one without has its letter in their place. */
export const hasKanji = (kanji: string): boolean => !/^[A-Z]$/.test(kanji);

/** What a face is called; where its letters are shown, and are more than one, they are said as well. */
export function faceName({ kanji, letters }: Face, inKanji: boolean): string {
  if (!hasKanji(kanji)) return letters;
  const name = language === "ja" ? kanji : (PIECES[kanji] ?? kanji);
  return (inKanji && isDrawn(kanji)) || letters.length < 2 ? name : `${name} ${letters}`;
}

/** What is counted, with the words for one and for several in English, and the counter in Japanese. */
const UNITS = {
  move: ["move", "moves", "手"],
  legalMove: ["legal move", "legal moves", "手"],
  ply: ["ply", "plies", "手"],
  position: ["position", "positions", "局面"],
  node: ["node", "nodes", "局面"],
  plyBack: ["ply back", "plies back", "手前"],
} as const;

/** A count with its unit: `1 ply`, `14 legal moves`, 合法手 14手. */
export function counted(count: number, unit: keyof typeof UNITS): string {
  const [one, several, counter] = UNITS[unit];
  if (language === "en") return `${grouped(count)} ${count === 1 ? one : several}`;
  return `${unit === "legalMove" ? "合法手 " : ""}${grouped(count)}${counter}`;
}

const KANJI = ["〇", "一", "二", "三", "四", "五", "六", "七", "八", "九"];

/** A number as Japanese problems are called: 一, 十一, 二十三; digits from a hundred on. */
function kanjiNumber(value: number): string {
  if (value > 99) return String(value);
  const [tens, units] = [Math.floor(value / 10), value % 10];
  const ten = tens === 0 ? "" : `${tens > 1 ? KANJI[tens] : ""}十`;
  return ten + (units > 0 || tens === 0 ? KANJI[units] : "");
}

/** A mate in so many plies: `mate in 1 ply`, 一手詰. */
export function mateIn(plies: number): string {
  return language === "ja" ? `${kanjiNumber(plies)}手詰` : `mate in ${counted(plies, "ply")}`;
}

/** A win in so many plies, or in at most so many where that is what is proved: `win in at most 15 plies`. */
export function wonIn(plies: number | null, exact: boolean): string {
  if (!plies) return word("win");
  return word(exact ? "winExact" : "winAtMost").replace("{n}", counted(plies, "ply"));
}

/** Seconds as minutes and seconds: `1:05`. */
export function clockText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** The rules that end games, by what the program calls them. */
const REASONS: Record<string, [string, string]> = {
  checkmate: ["checkmate", "詰み"],
  stalemate: ["no legal move", "合法手なし"],
  "lion captured": ["lion captured", "ライオンを取られた"],
  try: ["try", "トライ"],
  "both tries": ["both tries", "双方トライ"],
  repetition: ["repetition", "千日手"],
  "perpetual check": ["perpetual check", "連続王手の千日手"],
  impasse: ["impasse", "持将棋"],
  declaration: ["declaration", "入玉宣言"],
  resignation: ["resignation", "投了"],
  time: ["out of time", "時間切れ"],
};

/** How a game has ended, for the player to move. */
export function endText({ end, why, by }: Moves, side: Side): string {
  const winner = end === "draw" ? undefined : (end === "win") === (side === "sente") ? "sente" : "gote";
  const result = winner ? word(winner) + word("wins") : word("drawn");
  if (why === undefined) return result;
  const rule = REASONS[why.replace(/[-_]/g, " ")]?.[language === "ja" ? 1 : 0] ?? why;
  return `${result} (${rule}${by ? `: ${word(by)}` : ""})`;
}

/** How a game has ended by what its players did. */
export function endedText({ how, by }: Ended): string {
  const winner = how === "declaration" ? by : by === "sente" ? "gote" : "sente";
  return `${word(winner)}${word("wins")} (${REASONS[how]![language === "ja" ? 1 : 0]}: ${word(by)})`;
}

/** How fast a search is: `33,155 nodes/s`, 毎秒33,155局面. */
export function perSecond(nodes: number): string {
  return language === "ja" ? `毎秒${grouped(nodes)}局面` : `${grouped(nodes)} nodes/s`;
}

/** How records say that a game ended, in Japanese. */
const ENDS: Record<string, string> = {
  resignation: "投了", checkmate: "詰み", time: "時間切れ", "time-up": "時間切れ", foul: "反則", "opponent-foul": "相手の反則", default: "不戦敗",
  draw: "引き分け", repetition: "千日手", impasse: "持将棋", declaration: "入玉宣言", interruption: "中断", other: "その他",
};

/** How a recorded game ended. */
export function recordEnd(how: string): string {
  return language === "ja" ? (ENDS[how] ?? how) : how;
}

/** Numbers with separators between thousands. */
export function grouped(value: number | string): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}
