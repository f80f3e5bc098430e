(* SFEN and USI, as docs/reference/proof-format.md has them. *)

open Checker

exception Bad of string

let letter_of game { owner; kind_of; face_of } =
  let same (_, k, f) = k = kind_of && f = face_of in
  let text =
    match List.find_opt same game.Game.letters with
    | Some (c, _, _) -> String.make 1 c
    | None ->
        let c, _, _ = List.find (fun (_, k, f) -> k = kind_of && f = Front) game.Game.letters in
        "+" ^ String.make 1 c
  in
  if owner = Sente then text else String.lowercase_ascii text

let hand_text game owner hand =
  let count k = List.length (List.filter (( = ) k) hand) in
  let one k =
    match count k with
    | 0 -> ""
    | n -> (if n > 1 then string_of_int n else "") ^ letter_of game { owner; kind_of = k; face_of = Front }
  in
  String.concat "" (List.rev_map one (Array.to_list game.Game.kinds))

let sfen game p =
  let row y =
    let flush empty = if empty = 0 then "" else string_of_int empty in
    let step (text, empty) file =
      match List.nth file y with
      | None -> (text, empty + 1)
      | Some piece -> (text ^ flush empty ^ letter_of game piece, 0)
    in
    let text, empty = List.fold_left step ("", 0) p.on_board in
    text ^ flush empty
  in
  let board = String.concat "/" (List.init game.Game.height row) in
  let hands = hand_text game Sente p.sente_hand ^ hand_text game Gote p.gote_hand in
  Printf.sprintf "%s %s %s 1" board (if p.turn = Sente then "b" else "w") (if hands = "" then "-" else hands)

let piece_of game promoted c =
  let upper = Char.uppercase_ascii c in
  match List.find_opt (fun (d, _, _) -> d = upper) game.Game.letters with
  | None -> raise (Bad (Printf.sprintf "there is no piece %C" c))
  | Some (_, k, f) ->
      if promoted && not (f = Front && game.Game.backs k) then raise (Bad (Printf.sprintf "%C does not promote" c));
      { owner = (if upper = c then Sente else Gote); kind_of = k; face_of = (if promoted then Back else f) }

let board_of game text =
  let board = Array.make_matrix game.Game.width game.Game.height None in
  let rows = String.split_on_char '/' text in
  if List.length rows <> game.Game.height then raise (Bad "the board has another number of ranks");
  let fill y row =
    let x = ref 0 and promoted = ref false in
    let put content =
      if !x >= game.Game.width then raise (Bad "a rank is too long");
      board.(!x).(y) <- content;
      incr x
    in
    String.iter
      (fun c ->
        match c with
        | '+' -> promoted := true
        | '1' .. '9' -> for _ = 1 to Char.code c - 48 do put None done
        | c -> put (Some (piece_of game !promoted c)); promoted := false)
      row;
    if !x <> game.Game.width then raise (Bad "a rank is too short")
  in
  List.iteri fill rows;
  Array.to_list (Array.map Array.to_list board)

let hands_of game text =
  let hands = [| []; [] |] and count = ref 0 in
  if text <> "-" then
    String.iter
      (fun c ->
        match c with
        | '0' .. '9' -> count := (10 * !count) + Char.code c - 48
        | c ->
            let piece = piece_of game false c in
            let side = if piece.owner = Sente then 0 else 1 in
            if piece.face_of <> Front || piece.kind_of = King then raise (Bad (Printf.sprintf "%C is not kept in hand" c));
            for _ = 1 to max 1 !count do hands.(side) <- add_to_hand piece.kind_of hands.(side) done;
            count := 0)
      text;
  hands

let position game text =
  match String.split_on_char ' ' text with
  | board :: turn :: hands :: _ ->
      let hands = hands_of game hands in
      let turn = match turn with "b" -> Sente | "w" -> Gote | _ -> raise (Bad "the turn is neither b nor w") in
      { on_board = board_of game board; sente_hand = hands.(0); gote_hand = hands.(1); turn }
  | _ -> raise (Bad "not an SFEN")

let square game (x, y) = Printf.sprintf "%d%c" (game.Game.width - Number.of_nat x) (Char.chr (97 + Number.of_nat y))

let move game = function
  | Move (from, target, turns) -> square game from ^ square game target ^ if turns then "+" else ""
  | Drop (k, f, target) ->
      String.uppercase_ascii (letter_of game { owner = Sente; kind_of = k; face_of = f }) ^ "*" ^ square game target
