(* BLAKE3, the hash at the end of a proof file: O'Connor, Aumasson, Neves, Wilcox-O'Hearn (2020),
   in its plain mode. It only finds damage and names files; no theorem rests on it. *)

let mask = 0xffffffff

let initial =
  [| 0x6a09e667; 0xbb67ae85; 0x3c6ef372; 0xa54ff53a; 0x510e527f; 0x9b05688c; 0x1f83d9ab; 0x5be0cd19 |]

let chunk_start = 1
let chunk_end = 2
let parent = 4
let root = 8

let order = [| 2; 6; 3; 10; 7; 0; 4; 13; 1; 11; 12; 5; 9; 14; 15; 8 |]

let rotate x n = ((x lsr n) lor (x lsl (32 - n))) land mask

let mix s a b c d x y =
  s.(a) <- (s.(a) + s.(b) + x) land mask;
  s.(d) <- rotate (s.(d) lxor s.(a)) 16;
  s.(c) <- (s.(c) + s.(d)) land mask;
  s.(b) <- rotate (s.(b) lxor s.(c)) 12;
  s.(a) <- (s.(a) + s.(b) + y) land mask;
  s.(d) <- rotate (s.(d) lxor s.(a)) 8;
  s.(c) <- (s.(c) + s.(d)) land mask;
  s.(b) <- rotate (s.(b) lxor s.(c)) 7

let round s m =
  mix s 0 4 8 12 m.(0) m.(1);
  mix s 1 5 9 13 m.(2) m.(3);
  mix s 2 6 10 14 m.(4) m.(5);
  mix s 3 7 11 15 m.(6) m.(7);
  mix s 0 5 10 15 m.(8) m.(9);
  mix s 1 6 11 12 m.(10) m.(11);
  mix s 2 7 8 13 m.(12) m.(13);
  mix s 3 4 9 14 m.(14) m.(15)

(* The eight words of a chaining value. *)
let compress value words counter length flags =
  let s = Array.make 16 0 in
  Array.blit value 0 s 0 8;
  Array.blit initial 0 s 8 4;
  s.(12) <- counter land mask;
  s.(13) <- counter lsr 32;
  s.(14) <- length;
  s.(15) <- flags;
  let m = ref words in
  for i = 1 to 7 do
    round s !m;
    if i < 7 then begin
      let before = !m in
      m := Array.map (fun k -> before.(k)) order
    end
  done;
  Array.init 8 (fun i -> s.(i) lxor s.(i + 8))

type t = {
  block : Bytes.t;  (* 64 bytes at most of the chunk that is being read *)
  mutable filled : int;
  mutable blocks : int;  (* of this chunk, compressed so far *)
  mutable value : int array;
  mutable chunks : int;  (* before this one *)
  mutable trees : int array list;  (* of whole subtrees, the smallest first *)
}

let create () =
  { block = Bytes.make 64 '\000'; filled = 0; blocks = 0; value = initial; chunks = 0; trees = [] }

let words block =
  Array.init 16 (fun i -> Int32.to_int (Bytes.get_int32_le block (4 * i)) land mask)

let start_flag h = if h.blocks = 0 then chunk_start else 0

let join left right flags = compress initial (Array.append left right) 0 64 (parent lor flags)

(* Ends a chunk that is not the last: its value goes up the tree. *)
let end_chunk h =
  let value = compress h.value (words h.block) h.chunks 64 (start_flag h lor chunk_end) in
  h.chunks <- h.chunks + 1;
  let rec climb value trees n =
    match trees with
    | left :: rest when n land 1 = 0 -> climb (join left value 0) rest (n lsr 1)
    | _ -> value :: trees
  in
  h.trees <- climb value h.trees h.chunks;
  h.value <- initial;
  h.blocks <- 0;
  h.filled <- 0

let add h byte =
  if h.filled = 64 then
    if h.blocks = 15 then end_chunk h
    else begin
      h.value <- compress h.value (words h.block) h.chunks 64 (start_flag h);
      h.blocks <- h.blocks + 1;
      h.filled <- 0
    end;
  Bytes.unsafe_set h.block h.filled (Char.unsafe_chr byte);
  h.filled <- h.filled + 1

(* The 32 bytes of the hash of all bytes added. *)
let finish h =
  Bytes.fill h.block h.filled (64 - h.filled) '\000';
  let flags = start_flag h lor chunk_end in
  let last = if h.trees = [] then root else 0 in
  let value = compress h.value (words h.block) h.chunks h.filled (flags lor last) in
  let rec climb value = function
    | [] -> value
    | left :: rest -> climb (join left value (if rest = [] then root else 0)) rest
  in
  let value = climb value h.trees in
  let out = Bytes.create 32 in
  Array.iteri (fun i w -> Bytes.set_int32_le out (4 * i) (Int32.of_int w)) value;
  Bytes.to_string out

let of_string text =
  let h = create () in
  String.iter (fun c -> add h (Char.code c)) text;
  finish h

let hex digest =
  String.concat "" (List.map (fun c -> Printf.sprintf "%02x" (Char.code c)) (List.of_seq (String.to_seq digest)))
