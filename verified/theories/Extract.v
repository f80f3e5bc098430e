(** * The checker as a program

    Lists, pairs, options and truth values become those of OCaml; numbers stay as they are here. *)

From Coq Require Import List NArith Extraction ExtrOcamlBasic.
From ShogiVariants Require Import Rules Games Quick Checker Mirror Folded.

Extraction Language OCaml.
Extraction "checker.ml"
  legal board_moves drops allowed play in_check add_to_hand
  safe is_drop_pawn_mate quick_allowed quick_legal quick_in_check
  shogi34 minishogi kyotoshogi shogi
  is_second mirror mirror_move check_block
  folded_win_entry folded_win_root folded_draw_entry folded_draw_root.
