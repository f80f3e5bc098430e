(** * What a win and a draw are

    A strategy names a move for each position. A line is a game in which one player, the prover,
    plays by a strategy and the opponent plays anything legal; it carries all positions that came
    before. All that is claimed is claimed of every line. *)

From Coq Require Import List.
From ShogiVariants Require Import Rules.
Import ListNotations.

Section Meaning.
Variable t : table.

Definition strategy : Type := position -> move.

(** [line prover s root before p]: a game from [root] has come to [p], with [prover] playing by [s];
    [before] holds the earlier positions, the last of them first. *)
Inductive line (prover : colour) (s : strategy) (root : position)
    : list position -> position -> Prop :=
  | at_root : line prover s root [] root
  | by_strategy : forall before p,
      line prover s root before p ->
      turn p = prover ->
      In (s p) (legal t p) ->
      line prover s root (p :: before) (play p (s p))
  | by_opponent : forall before p m,
      line prover s root before p ->
      turn p <> prover ->
      In m (legal t p) ->
      line prover s root (p :: before) (play p m).

(** The strategy never fails to answer. So where a line cannot go on, it is the opponent who has no
    legal move, and has lost. *)
Definition answers (prover : colour) (s : strategy) (root : position) : Prop :=
  forall before p, line prover s root before p -> turn p = prover -> In (s p) (legal t p).

(** A win: the strategy always answers, no line has more than [plies] moves, and no position comes
    twice. So every game ends, the opponent is then without a legal move, and no rule on repetition
    or perpetual check, at whatever occurrence, is ever met. *)
Definition wins_by (prover : colour) (s : strategy) (root : position) (plies : nat) : Prop :=
  answers prover s root /\
  forall before p, line prover s root before p -> length before <= plies /\ ~ In p before.

Definition wins (prover : colour) (root : position) (plies : nat) : Prop :=
  exists s, wins_by prover s root plies.

(** Whether the player to move at [p] gives check by the move of [s]. *)
Definition gives_check (s : strategy) (p : position) : Prop :=
  in_check t (on_board (play p (s p))) (turn (play p (s p))) = true.

(** No perpetual check: when a position with the prover to move comes again, one of the prover's
    moves since was no check. *)
Definition no_perpetual_check (prover : colour) (s : strategy) (root : position) : Prop :=
  forall since p before,
    line prover s root (since ++ p :: before) p ->
    turn p = prover ->
    exists q, In q (since ++ [p]) /\ turn q = prover /\ ~ gives_check s q.

(** Not to lose: the strategy always answers and, where that matters, gives no perpetual check. *)
Definition does_not_lose_by (prover : colour) (s : strategy) (root : position) : Prop :=
  answers prover s root /\
  (perpetual_check_loses t = true -> no_perpetual_check prover s root).

Definition does_not_lose (prover : colour) (root : position) : Prop :=
  exists s, does_not_lose_by prover s root.

(** A draw, where the rules call a repetition drawn: neither player need lose. *)
Definition is_drawn (root : position) : Prop :=
  does_not_lose Sente root /\ does_not_lose Gote root.

End Meaning.
