(* Numbers of the entries of a draw where perpetual check loses: wherever an answer is a check, each reply leads
   to an entry with a lower one. Proof files have none, so they are made here, if the answers that are checks run
   in no circle. The checker looks whether they fall. *)

open Checker

exception Circle of int

let on_path = -1l
let unknown = -2l

(* Numbers the entries of a store, or raises [Circle] with one that leads back to itself by checks alone. *)
let number (store : Store.t) =
  let table = store.game.Game.table in
  let ranks = store.ranks in
  Bigarray.Array1.fill ranks unknown;
  let rec visit i =
    if ranks.{i} = on_path then raise (Circle i);
    if ranks.{i} = unknown then begin
      ranks.{i} <- on_path;
      ranks.{i} <-
        (match Store.answer_at store (Number.of_int i) with
        | answer -> Int32.of_int (after_answer (Store.decode store i) answer)
        | exception Store.No_move -> 0l)
    end;
    Int32.to_int ranks.{i}
  and after_answer p m =
    let q = play p m in
    if not (quick_in_check table q.on_board q.turn) then 0
    else
      let entry reply = Store.entry store (play q reply) in
      (* Where an answer or an entry is missing the checker refuses. *)
      let reached = List.filter (fun i -> i < store.count) (List.map entry (quick_legal table q)) in
      1 + List.fold_left (fun most i -> max most (visit i)) 0 reached
  in
  for i = 0 to store.count - 1 do ignore (visit i) done
