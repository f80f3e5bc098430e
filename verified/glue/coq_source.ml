(* A proof as Coq source, for Store.v: small ones are checked inside Coq, with no program to be trusted. *)

open Checker

let content_number = function
  | None -> 0
  | Some { owner; kind_of; face_of } -> 1 + Store.kind_index kind_of + (8 * Store.face_index face_of) + (16 * Store.owner_index owner)

(* Digits of six bits, the first the lowest, in hexadecimal. *)
let hexadecimal digits =
  let rec pairs = function a :: b :: rest -> Printf.sprintf "%03x" (a + (64 * b)) :: pairs rest | [ a ] -> [ Printf.sprintf "%03x" a ] | [] -> [] in
  "0x" ^ String.concat "" (List.rev (pairs digits))

let digits p =
  let count hand k = List.length (List.filter (( = ) k) hand) in
  let kinds = [ Pawn; Lance; Knight; Silver; Gold; Bishop; Rook ] in
  List.map content_number (List.concat p.on_board) @ List.map (count p.sente_hand) kinds @ List.map (count p.gote_hand) kinds

let row (store : Store.t) i =
  let number = Number.of_int i in
  let p = Store.position_at store number and answer = Store.answer_at store number in
  let rec place n = function m :: rest -> if m = answer then n else place (n + 1) rest | [] -> raise Store.No_move in
  Printf.sprintf "(%s, %d%%nat, %d)" (hexadecimal (digits p)) (place 0 (legal store.game.Game.table p)) (Number.to_int (Store.rank_at store number))

let print name (proof : Proof_file.t) plies =
  let store = match proof.strategies with [ s ] -> s.store | _ -> raise (Proof_file.Damaged "not the proof of a win") in
  let variant = proof.game.Game.name and prover = if store.prover = Sente then "Sente" else "Gote" in
  Printf.printf "(** Written by check --coq from the proof file whose hash is\n    %s. *)\n\n" (Blake3.hex proof.hash);
  print_string "From Coq Require Import List NArith.\nFrom ShogiVariants Require Import Rules Games Meaning Symmetric Store.\nImport ListNotations.\n\n";
  Printf.printf "Definition %s_entries : list row := [\n  %s\n]%%N.\n\n" name (String.concat ";\n  " (List.init store.count (row store)));
  Printf.printf "(** %s *)\nDefinition %s_root : position := decode %s %s %s.\n\n" proof.root_text name variant
    (if proof.root.turn = Sente then "Sente" else "Gote") (hexadecimal (digits proof.root));
  Printf.printf "Theorem %s_wins : wins %s %s %s_root %d.\nProof.\n" name variant prover name plies;
  Printf.printf "  apply (accepts_wins %s %s %s_entries %s_symmetric %s_root %d).\n  vm_cast_no_check (eq_refl true).\nQed.\n" variant prover name variant name plies
