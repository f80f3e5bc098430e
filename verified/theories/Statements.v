(** * What README.md shows, as Coq prints it *)

From Coq Require Import List NArith.
From ShogiVariants Require Import Rules Meaning Checker Mirror Folded Values Symmetric.
From ShogiVariants Require Import Games.
Set Printing Width 100.

Print wins_by.
Print does_not_lose_by.
Check folded_wins.
Check folded_does_not_lose.
Check not_lost_is_not_won.
Check drawn_is_not_won.
Check won_once.
Check ranges_join.
Check kyotoshogi_symmetric.
Check shogi34_symmetric.
Print Assumptions folded_wins.
Print Assumptions folded_does_not_lose.
Print Assumptions drawn_is_not_won.
