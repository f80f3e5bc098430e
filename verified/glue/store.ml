(* The entries of one strategy, 40 bytes each, with a hash table over their positions. What is stored
   may be wrong in any way: the checker compares whatever comes out of here. *)

open Checker
open Bigarray

(* Five bits a square: 0 for an empty one, else 1 plus an index of [contents]. *)
let bits = 5
let in_word = 12

type t = {
  game : Game.t;
  prover : colour;
  contents : piece option array;
  code : int array array array;  (* of owner, kind and face *)
  board_words : int;  (* of a key, those that hold the board *)
  words : int;  (* of a key *)
  count : int;
  keys : (int, int_elt, c_layout) Array1.t;
  moves : (int, int16_unsigned_elt, c_layout) Array1.t;  (* the move's number, and whether of the mirror image *)
  ranks : (int32, int32_elt, c_layout) Array1.t;
  slots : (int32, int32_elt, c_layout) Array1.t;  (* of entries plus one; 0 where there is none *)
  found : Bytes.t;  (* a byte for each entry: 1 once it was found *)
}

let kind_index = function Pawn -> 0 | Lance -> 1 | Knight -> 2 | Silver -> 3 | Gold -> 4 | Bishop -> 5 | Rook -> 6 | King -> 7
let owner_index = function Sente -> 0 | Gote -> 1
let face_index = function Front -> 0 | Back -> 1
let mirrored = 0x8000

let contents game =
  let pieces = Array.to_list game.Game.kinds @ [ King ] in
  let faces k = if game.Game.backs k then [ Front; Back ] else [ Front ] in
  let each owner = List.concat_map (fun k -> List.map (fun f -> Some { owner; kind_of = k; face_of = f }) (faces k)) pieces in
  Array.of_list ((None :: each Sente) @ each Gote)

let codes contents =
  let code = Array.init 2 (fun _ -> Array.make_matrix 8 2 (-1)) in
  Array.iteri
    (fun i -> function
      | Some p -> code.(owner_index p.owner).(kind_index p.kind_of).(face_index p.face_of) <- i
      | None -> ())
    contents;
  code

(* Hands of up to seven pieces of a kind lie behind the board, three bits a kind; larger ones in a word for each player, five bits
   a kind. *)
let has_large_hands area = area > 25

(* An empty store for so many entries. *)
let create game prover count =
  let area = game.Game.width * game.Game.height in
  let board_words = (area / in_word) + 1 in
  let words = board_words + if has_large_hands area then 2 else 0 in
  let rec slots n = if n * 3 < count * 4 then slots (2 * n) else n in
  let contents = contents game in
  let array kind length fill = let a = Array1.create kind c_layout length in Array1.fill a fill; a in
  {
    game; prover; contents; code = codes contents; board_words; words; count;
    keys = array int (max 1 (words * count)) 0;
    moves = array int16_unsigned (max 1 count) 0;
    ranks = array int32 (max 1 count) 0l;
    slots = array int32 (slots 64) 0l;
    found = Bytes.make count '\000';
  }

exception No_code

let code_of store { owner; kind_of; face_of } =
  let c = store.code.(owner_index owner).(kind_index kind_of).(face_index face_of) in
  if c < 0 then raise_notrace No_code else c

(* Where the number of pieces of a kind in a hand lies: the word, the bit, and a mask. *)
let place store owner k =
  let area = store.game.Game.width * store.game.Game.height in
  if has_large_hands area then (store.board_words + owner, 5 * kind_index k, 31)
  else (store.board_words - 1, (bits * (area mod in_word)) + (3 * ((2 * kind_index k) + owner)), 7)

let add_hand store key owner hand =
  List.iter
    (fun k ->
      let word, bit, _ = place store owner k in
      key.(word) <- key.(word) + (1 lsl bit))
    hand

(* Writes the key of a position into [key]. *)
let encode store key p =
  Array.fill key 0 store.words 0;
  let n = ref 0 and word = ref 0 in
  let square content =
    (match content with
    | None -> ()
    | Some piece -> key.(!word) <- key.(!word) lor (code_of store piece lsl (bits * !n)));
    incr n;
    if !n = in_word then begin n := 0; incr word end
  in
  List.iter (fun file -> List.iter square file) p.on_board;
  add_hand store key 0 p.sente_hand;
  add_hand store key 1 p.gote_hand

let hash store key =
  let h = ref 0 in
  for w = 0 to store.words - 1 do
    h := (!h lxor key.(w)) * 0x2127599bf4325c37;
    h := !h lxor (!h lsr 29)
  done;
  !h land (Array1.dim store.slots - 1)

let same store key i =
  let rec from w = w = store.words || (store.keys.{(store.words * i) + w} = key.(w) && from (w + 1)) in
  from 0

(* The slot of a key: its entry's, or the free one where it would be. *)
let slot store key =
  let last = Array1.dim store.slots - 1 in
  let rec from s =
    let i = Int32.to_int store.slots.{s} - 1 in
    if i < 0 || same store key i then s else from ((s + 1) land last)
  in
  from (hash store key)

(* Puts an entry into the store. Its position and its mirror image share it: the one that comes first
   is kept. False where the position is there already. *)
let add store i p move rank =
  let second = is_second p in
  let key = Array.make store.words 0 in
  encode store key (if second then mirror p else p);
  let s = slot store key in
  store.slots.{s} = 0l
  && begin
       Array.iteri (fun w value -> store.keys.{(store.words * i) + w} <- value) key;
       store.moves.{i} <- (move lor if second then mirrored else 0);
       store.ranks.{i} <- Int32.of_int rank;
       store.slots.{s} <- Int32.of_int (i + 1);
       true
     end

let scratch = Array.make 16 0

(* For the checker: the number of a position's entry, or [count]. Notes that it was found. *)
let find store =
  let absent = Number.of_int store.count in
  fun p ->
    if owner_index p.turn <> owner_index store.prover then absent
    else
      match encode store scratch p with
      | exception (No_code | Invalid_argument _) -> absent
      | () ->
          let i = Int32.to_int store.slots.{slot store scratch} - 1 in
          if i < 0 then absent
          else begin
            Bytes.set store.found i '\001';
            Number.of_int i
          end

(* The number of the entry that a position and its mirror image share, or [count]. *)
let entry store p = Number.to_int (find store (if is_second p then mirror p else p))

let hand store base owner =
  let rec kinds i hand =
    if i < 0 then hand
    else
      let k = store.game.Game.kinds.(i) in
      let word, bit, mask = place store owner k in
      let n = (store.keys.{base + word} lsr bit) land mask in
      let rec times n hand = if n = 0 then hand else times (n - 1) (k :: hand) in
      kinds (i - 1) (times n hand)
  in
  kinds (Array.length store.game.Game.kinds - 1) []

let decode store i =
  let base = store.words * i in
  let { Game.width; height; _ } = store.game in
  let rec file x y rest =
    if y < 0 then rest
    else
      let n = (x * height) + y in
      let code = (store.keys.{base + (n / in_word)} lsr (bits * (n mod in_word))) land 31 in
      file x (y - 1) (store.contents.(code) :: rest)
  in
  let rec files x rest = if x < 0 then rest else files (x - 1) (file x (height - 1) [] :: rest) in
  { on_board = files (width - 1) []; sente_hand = hand store base 0; gote_hand = hand store base 1; turn = store.prover }

(* For the checker: an entry's position. *)
let position_at store n = decode store (Number.to_int n)

(* For the checker: an entry's rank. *)
let rank_at store n = Number.of_int (Int32.to_int store.ranks.{Number.to_int n} land 0xffffffff)

(* Moves as files number them: on the board by origin, target and turning over, then drops by kind,
   face and target. *)
let order move =
  let square (x, y) = (16 * Number.of_nat x) + Number.of_nat y in
  match move with
  | Move (from, target, turns) -> (1024 * square from) + (2 * square target) + if turns then 1 else 0
  | Drop (k, f, target) -> (1024 * ((2 * kind_index k) + face_index f)) + square target

exception No_move

(* For the checker: an entry's move, looked up by its number among the legal ones. *)
let answer_at store n =
  let i = Number.to_int n in
  let table = store.game.Game.table in
  let number = store.moves.{i} land lnot mirrored in
  let second = store.moves.{i} land mirrored <> 0 in
  let p = decode store i in
  let p = if second then mirror p else p in
  let keyed moves = List.sort (fun (a, _) (b, _) -> Int.compare a b) (List.map (fun m -> (order m, m)) moves) in
  let rec choose number = function
    | [] -> Error number
    | (_, m) :: rest -> if not (quick_allowed table p m) then choose number rest else if number = 0 then Ok m else choose (number - 1) rest
  in
  let move =
    match choose number (keyed (board_moves table p)) with
    | Ok m -> m
    | Error left -> ( match choose left (keyed (drops table p)) with Ok m -> m | Error _ -> raise No_move)
  in
  if second then mirror_move table move else move
