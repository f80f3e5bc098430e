(* Reads proof files, as docs/reference/proof-format.md has them, from first to last byte once. *)

open Checker

exception Damaged of string

type claim = Win of colour | Not_lose of colour | Draw

type strategy = { store : Store.t; ranked : bool }

type t = { game : Game.t; root : position; root_text : string; claim : claim; strategies : strategy list; hash : string }

let damaged format = Printf.ksprintf (fun text -> raise (Damaged text)) format

(* A file with what was read of it hashed. *)
type source = { channel : in_channel; size : int; digest : Blake3.t; mutable place : int }

let byte source =
  match input_byte source.channel with
  | b -> Blake3.add source.digest b; source.place <- source.place + 1; b
  | exception End_of_file -> damaged "the file ends at byte %d" source.place

let bytes source n = String.init n (fun _ -> Char.chr (byte source))

let little source n =
  let rec from i = if i = n then 0 else let b = byte source in b lor (from (i + 1) lsl 8) in
  from 0

let varint source =
  let rec from shift =
    let b = byte source in
    if shift > 0 && b = 0 then damaged "byte %d: a number is longer than it need be" source.place;
    if shift = 28 && b > 15 then damaged "byte %d: a number is 2^32 or more" source.place;
    ((b land 127) lsl shift) lor if b > 127 then from (shift + 7) else 0
  in
  from 0

(* The bits of a packed position: the bytes shared with the one before, then those that follow. *)
type packed = { source : source; shared : int; buffer : Bytes.t; mutable read : int }

let bit packed =
  let n = packed.read / 8 in
  if n >= Bytes.length packed.buffer then damaged "byte %d: a position is too long" packed.source.place;
  if packed.read land 7 = 0 && n >= packed.shared then Bytes.set packed.buffer n (Char.chr (byte packed.source));
  let b = (Char.code (Bytes.get packed.buffer n) lsr (7 - (packed.read land 7))) land 1 in
  packed.read <- packed.read + 1;
  b

(* A digit of [n] values in truncated binary code. *)
let digit packed n =
  let rec log k = if 1 lsl (k + 1) > n then k else log (k + 1) in
  let k = log 0 in
  let short = (1 lsl (k + 1)) - n in
  let rec take i v = if i = 0 then v else take (i - 1) ((2 * v) + bit packed) in
  let v = take k 0 in
  if v < short then v else (2 * v) + bit packed - short

(* Whose kings are on the board. *)
type kings = { has_sente : bool; has_gote : bool }

let kings game present packed board =
  let area = game.Game.width * game.Game.height in
  let put owner n =
    let rec free i n = if board.(i) <> None then free (i + 1) n else if n = 0 then i else free (i + 1) (n - 1) in
    board.(free 0 n) <- Some { owner; kind_of = King; face_of = Front }
  in
  if present.has_sente then put Sente (digit packed area);
  if present.has_gote then put Gote (digit packed (if present.has_sente then area - 1 else area))

let pieces game packed board left =
  let square i =
    if board.(i) = None && bit packed = 1 then begin
      let kinds = List.filter (fun k -> left.(Store.kind_index k) > 0) (Array.to_list game.Game.kinds) in
      if kinds = [] then damaged "byte %d: a position has too many pieces" packed.source.place;
      let k = List.nth kinds (digit packed (List.length kinds)) in
      left.(Store.kind_index k) <- left.(Store.kind_index k) - 1;
      let face_of = if game.Game.backs k && bit packed = 1 then Back else Front in
      let owner = if bit packed = 1 then Gote else Sente in
      board.(i) <- Some { owner; kind_of = k; face_of }
    end
  in
  for i = 0 to Array.length board - 1 do square i done

let hands game packed left whole =
  let times k n hand = List.init n (fun _ -> k) @ hand in
  let sente = ref [] and gote = ref [] in
  let one k =
    let c = left.(Store.kind_index k) in
    let s = digit packed (c + 1) in
    let g = if whole then c - s else digit packed (c - s + 1) in
    sente := times k s !sente;
    gote := times k g !gote
  in
  Array.iter one game.Game.kinds;
  (* Kinds are kept in their order. *)
  (List.rev !sente, List.rev !gote)

let position game present prover packed =
  let { Game.width; height; _ } = game in
  let whole = bit packed = 1 in
  let board = Array.make (width * height) None in
  kings game present packed board;
  let left = Array.make 8 0 in
  Array.iter (fun k -> left.(Store.kind_index k) <- game.Game.pieces k) game.Game.kinds;
  pieces game packed board left;
  let sente_hand, gote_hand = hands game packed left whole in
  while packed.read land 7 <> 0 do
    if bit packed = 1 then damaged "byte %d: a position is not filled up with zeros" packed.source.place
  done;
  if packed.read < 8 * packed.shared then damaged "byte %d: a position shares more bytes than it has" packed.source.place;
  let file x = List.init height (fun y -> board.((x * height) + y)) in
  { on_board = List.init width file; sente_hand; gote_hand; turn = prover }

let entries game present source prover ranked count =
  let store = Store.create game prover count in
  let buffer = Bytes.make 64 '\000' in
  let length = ref 0 in
  for i = 0 to count - 1 do
    let shared = varint source in
    if shared > !length then damaged "byte %d: entry %d shares more bytes than there were" source.place i;
    let before = Bytes.sub_string buffer 0 !length in
    let packed = { source; shared; buffer; read = 0 } in
    let p = position game present prover packed in
    length := packed.read / 8;
    let now = Bytes.sub_string buffer 0 !length in
    if i > 0 && compare before now >= 0 then damaged "byte %d: entry %d does not come after the one before" source.place i;
    if i > 0 && shared < min (String.length before) !length && before.[shared] = now.[shared] then
      damaged "byte %d: entry %d shares more bytes than it says" source.place i;
    let move = varint source in
    let rank = if ranked then varint source else 0 in
    if move >= Store.mirrored then damaged "byte %d: entry %d has no such move" source.place i;
    if not (Store.add store i p move rank) then damaged "byte %d: entry %d is there twice" source.place i
  done;
  store

let claim_of source =
  match byte source with
  | 0 -> Win Sente
  | 1 -> Win Gote
  | 2 -> Not_lose Sente
  | 3 -> Not_lose Gote
  | 4 -> Draw
  | n -> damaged "byte %d: there is no claim %d" source.place n

let header source =
  if bytes source 8 <> "\x89PROOF\r\n" then damaged "not a proof file";
  let version = little source 2 in
  if version <> 1 then damaged "version %d of the format: only 1 can be read" version;
  let name = bytes source (byte source) in
  let game = match Game.find name with Some game -> game | None -> damaged "proofs of %S cannot be checked here" name in
  if bytes source 32 <> Blake3.of_string game.Game.rules then damaged "the file is of other rules of %s" name;
  let text = bytes source (little source 2) in
  let root = try Notation.position game text with Notation.Bad reason -> damaged "the root %S: %s" text reason in
  if Notation.sfen game root <> text then damaged "the root %S is written in another way" text;
  (game, root, text)

(* In a problem of mate the attacker, who is to win, may have no king. *)
let present_of root claim =
  let has owner = List.exists (List.exists (fun content -> content = Some { owner; kind_of = King; face_of = Front })) root.on_board in
  let present = { has_sente = has Sente; has_gote = has Gote } in
  (match claim with
  | Win Sente when present.has_gote -> ()
  | Win Gote when present.has_sente -> ()
  | _ -> if not (present.has_sente && present.has_gote) then damaged "the root lacks a king");
  present

let section source prover =
  let repetition = byte source in
  if repetition > 2 then damaged "byte %d: there is no repetition %d" source.place repetition;
  (* Of eight bytes the last two are zero in any file that there can be; all of them would not fit an integer. *)
  let count = little source 6 in
  let beyond = little source 2 in
  (* An entry takes three bytes or more. *)
  if beyond > 0 || count > source.size / 3 then damaged "byte %d: more entries than the file has bytes for" source.place;
  (prover, repetition, count)

let read path =
  let channel = open_in_bin path in
  let source = { channel; size = in_channel_length channel; digest = Blake3.create (); place = 0 } in
  let game, root, root_text = header source in
  let claim = claim_of source in
  let provers = match claim with Win c | Not_lose c -> [ c ] | Draw -> [ Sente; Gote ] in
  let sections = List.map (section source) provers in
  let present = present_of root claim in
  let strategy (prover, repetition, count) =
    let ranked = repetition = 0 in
    if repetition = 2 then damaged "a proof by a rule that gives repetitions to the prover cannot be checked here";
    { store = entries game present source prover ranked count; ranked }
  in
  let strategies = List.map strategy sections in
  let hash = Blake3.finish source.digest in
  let written = bytes source 32 in
  if written <> hash then damaged "the checksum is wrong";
  (match input_byte channel with _ -> damaged "bytes follow the end of the proof" | exception End_of_file -> ());
  close_in channel;
  { game; root; root_text; claim; strategies; hash }
