(** * What the claims say of each other

    A position has one value: what one player wins, the other cannot avoid losing. *)

From Coq Require Import List Bool Arith Lia.
From ShogiVariants Require Import Rules Meaning Checker.
Import ListNotations.

Section Values.
Variable t : table.

(** Two strategies played against each other make lines of any length, if both always answer. *)
Lemma both_answer : forall c s u root,
  answers t c s root -> answers t (other c) u root ->
  forall n, exists before p, length before = n /\
    line t c s root before p /\ line t (other c) u root before p.
Proof.
  intros c s u root A U; induction n as [|n (before & p & L & H & J)].
  - exists [], root; repeat constructor.
  - destruct (colour_eq_dec (turn p) c) as [T|T].
    + exists (p :: before), (play p (s p)); cbn; rewrite L.
      split; [reflexivity|]; split; [apply by_strategy; eauto|].
      apply by_opponent; eauto. rewrite T; destruct c; discriminate.
    + exists (p :: before), (play p (u p)); cbn; rewrite L.
      assert (O : turn p = other c) by (destruct (turn p), c; cbn; congruence).
      split; [reflexivity|]; split; [apply by_opponent; eauto|apply by_strategy; eauto].
Qed.

(** Where a player need not lose, the opponent cannot win. *)
Theorem not_lost_is_not_won : forall c root n,
  does_not_lose t c root -> ~ wins t (other c) root n.
Proof.
  intros c root n (s & A & _) (u & U & W).
  destruct (both_answer c s u root A U (S n)) as (before & p & L & _ & J).
  apply W in J; lia.
Qed.

(** A drawn position is won for nobody, in however many plies. *)
Theorem drawn_is_not_won : forall c root n, is_drawn t root -> ~ wins t c root n.
Proof.
  intros [|] root n (S & G).
  - apply (not_lost_is_not_won Gote); exact G.
  - apply (not_lost_is_not_won Sente); exact S.
Qed.

(** No position is won for both players. *)
Theorem won_once : forall c root n m, wins t c root n -> ~ wins t (other c) root m.
Proof.
  intros c root n m (s & A & W) (u & U & V).
  destruct (both_answer c s u root A U (S n)) as (before & p & L & H & _).
  apply W in H; lia.
Qed.

End Values.
