(* The extracted rules, to be compared with other programs. *)

open Checker

let rec perft table depth p =
  if depth = 0 then 1 else List.fold_left (fun sum m -> sum + perft table (depth - 1) (play p m)) 0 (legal table p)

(* Reads SFENs, a line each, and prints of each whether the player to move is in check, and the legal moves. *)
let rec moves game =
  match input_line stdin with
  | exception End_of_file -> ()
  | line ->
      let p = Notation.position game line in
      let all = List.sort compare (List.map (Notation.move game) (legal game.Game.table p)) in
      Printf.printf "%b %s\n" (in_check game.table p.on_board p.turn) (String.concat " " all);
      moves game

(* Prints positions of random games from a start. With [mates] only those in which a pawn could be dropped
   with mate, or that are stalemates: games seldom show them. *)
let positions game start count mates =
  let table = game.Game.table in
  let drop_pawn_mate p = List.exists (fun m -> safe table p m && is_drop_pawn_mate table p m) (drops table p) in
  let wanted p legal = (not mates) || drop_pawn_mate p || (legal = [] && not (in_check table p.on_board p.turn)) in
  let rec walk p plies left =
    if left = 0 then 0
    else
      let all = legal table p in
      let show = wanted p all in
      if show then print_endline (Notation.sfen game p);
      let left = if show then left - 1 else left in
      if all = [] || plies = 80 then left else walk (play p (List.nth all (Random.int (List.length all)))) (plies + 1) left
  in
  let rec games n left = if left > 0 && n < 100_000 then games (n + 1) (walk start 0 left) in
  games 0 count

let read_whole path =
  let channel = open_in_bin path in
  let text = really_input_string channel (in_channel_length channel) in
  close_in channel;
  text

let usage () =
  prerr_endline
    "usage: rules perft VARIANT DEPTH SFEN\n       rules moves VARIANT\n       rules positions VARIANT SFEN COUNT SEED [mates]\n       rules hash FILE";
  exit 2

let () =
  let game name = match Game.find name with Some game -> game | None -> prerr_endline ("no variant " ^ name); exit 2 in
  match List.tl (Array.to_list Sys.argv) with
  | [ "perft"; name; depth; sfen ] ->
      let game = game name in
      Printf.printf "%d\n" (perft game.table (int_of_string depth) (Notation.position game sfen))
  | [ "moves"; name ] -> moves (game name)
  | "positions" :: name :: sfen :: count :: seed :: rest ->
      Random.init (int_of_string seed);
      let game = game name in
      positions game (Notation.position game sfen) (int_of_string count) (rest = [ "mates" ])
  | [ "hash"; path ] -> print_endline (Blake3.hex (Blake3.of_string (read_whole path)))
  | _ -> usage ()
