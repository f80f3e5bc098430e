(** * The rules counted: numbers of games of so many plies, as published *)

From Coq Require Import List NArith String.
From ShogiVariants Require Import Rules Games.
Import ListNotations.

(** How many games of [n] plies go on from [p]. *)
Fixpoint perft (t : table) (n : nat) (p : position) : N :=
  match n with
  | O => 1
  | S n => fold_left (fun sum m => sum + perft t n (play p m)) (legal t p) 0
  end%N.

Example minishogi_3 : perft minishogi 3 minishogi_start = 2512%N.
Proof. vm_compute. reflexivity. Qed.
Example kyotoshogi_3 : perft kyotoshogi 3 kyotoshogi_start = 1636%N.
Proof. vm_compute. reflexivity. Qed.
Example rkb_4 : perft shogi34 4 (shogi34_start "RKB") = 1013%N.
Proof. vm_compute. reflexivity. Qed.
Example gks_4 : perft shogi34 4 (shogi34_start "GKS") = 694%N.
Proof. vm_compute. reflexivity. Qed.
Example shogi_2 : perft shogi 2 shogi_start = 900%N.
Proof. vm_compute. reflexivity. Qed.
