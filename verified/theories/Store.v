(** * A store inside Coq

    Small proofs are checked here without a program outside: the entries are a list of numbers, a
    position as a number of base 64. As nothing is assumed of a store, nothing is proved of this one. *)

From Coq Require Import List Bool Arith NArith Lia FMapPositive.
From ShogiVariants Require Import Rules Meaning Quick Checker Mirror Folded.
Import ListNotations.

(** A position's number, the place of its answer among the legal moves, its rank. *)
Definition row : Type := N * nat * N.

Definition kinds : list kind := [Pawn; Lance; Knight; Silver; Gold; Bishop; Rook].

(** Digits of squares, file by file, then how many of each kind are in Sente's and Gote's hand. *)
Fixpoint digits (n : nat) (code : N) : list nat :=
  match n with
  | O => []
  | S n => N.to_nat (N.land code 63) :: digits n (N.shiftr code 6)
  end.

Fixpoint pack (digits : list nat) : N :=
  match digits with
  | [] => 0
  | d :: rest => N.of_nat d + 64 * pack rest
  end%N.

Definition content_of (d : nat) : option piece :=
  match d with
  | O => None
  | S d => Some (Piece (if d <? 16 then Sente else Gote)
                   (nth (d mod 8) (kinds ++ [King]) King)
                   (if (d / 8) mod 2 =? 0 then Front else Back))
  end.

Fixpoint rows {A} (count length : nat) (l : list A) : list (list A) :=
  match count with
  | O => []
  | S count => firstn length l :: rows count length (skipn length l)
  end.

Definition hand_of_digits (l : list nat) : hand :=
  flat_map (fun '(k, n) => repeat k n) (combine kinds l).

Definition digits_of_hand (h : hand) : list nat :=
  map (fun k => count_occ kind_eq_dec h k) kinds.

Section Store.
Variable t : table.
Variable prover : colour.
Variable entries : list row.

Definition decode (code : N) : position :=
  let area := files t * ranks t in
  let d := digits (area + 14) code in
  let h := skipn area d in
  Position (rows (files t) (ranks t) (map content_of (firstn area d)))
    (hand_of_digits (firstn 7 h)) (hand_of_digits (skipn 7 h)) prover.

Definition encode (p : position) : N :=
  pack (map content_number (concat (on_board p)) ++
        digits_of_hand (sente_hand p) ++ digits_of_hand (gote_hand p)).

Definition by_number : PositiveMap.t (position * move * N) :=
  snd (fold_left (fun '(i, m) '(code, place, rank) =>
         let p := decode code in
         let e := (p, nth place (quick_legal t p) (Drop Pawn Front (0, 0)), rank) in
         (Pos.succ i, PositiveMap.add i e m))
       entries (1%positive, PositiveMap.empty _)).

Definition by_position : PositiveMap.t N :=
  snd (fold_left (fun '(i, m) '(code, _, _) =>
         (N.succ i, PositiveMap.add (N.succ_pos code) i m))
       entries (0%N, PositiveMap.empty _)).

Definition count : N := N.of_nat (length entries).

(** All in one, so that the maps are made once. *)
Definition accepts (root : position) (plies : N) : bool :=
  let numbered := by_number in
  let placed := by_position in
  let entry i := PositiveMap.find (N.succ_pos i) numbered in
  let position_at i := match entry i with Some (p, _, _) => p | None => decode 0 end in
  let answer_at i := match entry i with Some (_, m, _) => m | None => Drop Pawn Front (0, 0) end in
  let rank_at i := match entry i with Some (_, _, r) => r | None => 0%N end in
  let find p := match PositiveMap.find (N.succ_pos (encode p)) placed with
                | Some i => i
                | None => count
                end in
  if check_block count
       (folded_win_entry t prover count position_at answer_at rank_at find)
       (N.to_nat (N.size count)) 0
  then folded_win_root t prover count position_at rank_at find root plies
  else false.

Hypothesis symmetric : is_symmetric t.

Theorem accepts_wins : forall root plies,
  accepts root plies = true -> wins t prover root (N.to_nat plies).
Proof.
  unfold accepts; intros root plies H; cbv zeta in H.
  destruct check_block eqn:E; [|discriminate].
  eapply folded_wins; [exact symmetric| |exact H].
  intros k (_ & K) C; apply (check_block_spec _ _ _ _ E); [|exact C].
  rewrite Nnat.N2Nat.id. split; [lia|].
  apply N.lt_trans with count; [exact K|]. apply N.size_gt.
Qed.

End Store.
