(** * The squares of a board

    What stands where: in the list of all squares, and after something is put down. *)

From Coq Require Import List Bool Arith Lia.
From ShogiVariants Require Import Rules.
Import ListNotations.

Lemma in_file_squares : forall file others x y u v c,
  In ((u, v), c) (file_squares x y file others) <->
  (u = x /\ y <= v /\ nth_error file (v - y) = Some c) \/ In ((u, v), c) others.
Proof.
  induction file as [|d file IH]; cbn [file_squares]; intros others x y u v c.
  - split; [auto|]. intros [(_ & _ & H)|H]; [|exact H]. destruct (v - y); discriminate.
  - cbn [In]; rewrite IH; split.
    + intros [E|[(-> & I & H)|H]]; [|left|right; exact H].
      * injection E as -> -> ->. left; rewrite Nat.sub_diag; auto.
      * split; [reflexivity|]; split; [lia|].
        replace (v - y) with (S (v - S y)) by lia; exact H.
    + intros [(-> & I & H)|H]; [|auto].
      destruct (v - y) as [|k] eqn:D; cbn in H.
      * left; injection H as ->; repeat f_equal; lia.
      * right; left; split; [reflexivity|]; split; [lia|].
        replace (v - S y) with k by lia; exact H.
Qed.

Lemma in_squares_from : forall b x u v c,
  In ((u, v), c) (squares_from x b) <->
  x <= u /\ exists file, nth_error b (u - x) = Some file /\ nth_error file v = Some c.
Proof.
  induction b as [|file b IH]; cbn [squares_from]; intros x u v c.
  - split; [intros []|]. intros (_ & file & H & _); destruct (u - x); discriminate.
  - rewrite in_file_squares, IH, Nat.sub_0_r; split.
    + intros [(-> & _ & H)|(I & f & H & J)].
      * split; [lia|]; exists file; rewrite Nat.sub_diag; auto.
      * split; [lia|]; exists f; replace (u - x) with (S (u - S x)) by lia; auto.
    + intros (I & f & H & J). destruct (u - x) as [|k] eqn:D; cbn in H.
      * left; injection H as ->; repeat split; auto; lia.
      * right; split; [lia|]; exists f; replace (u - S x) with k by lia; auto.
Qed.

Lemma in_squares : forall b s c, In (s, c) (squares b) <-> look b s = Some c.
Proof.
  unfold squares, look; intros b [x y] c; rewrite in_squares_from, Nat.sub_0_r; cbn; split.
  - intros (_ & file & -> & H); exact H.
  - destruct nth_error as [file|]; [|discriminate]. intros H; split; [lia|]; eauto.
Qed.

Lemma nth_error_replace : forall A (x : A) l n m,
  n < length l -> nth_error (replace n x l) m = if n =? m then Some x else nth_error l m.
Proof.
  induction l as [|y l IH]; intros [|n] [|m] H; cbn in *; try lia; try reflexivity.
  apply IH; lia.
Qed.

Lemma look_put : forall b s content u, look b s <> None ->
  look (put b s content) u =
  if (fst s =? fst u) && (snd s =? snd u) then Some content else look b u.
Proof.
  unfold look, put; intros b [x y] content [v w] H; cbn [fst snd] in *.
  destruct (nth_error b x) as [file|] eqn:E; [|congruence].
  rewrite nth_error_replace by (apply nth_error_Some; congruence).
  destruct (Nat.eqb_spec x v) as [<-|]; cbn; [|reflexivity].
  rewrite nth_error_replace by (apply nth_error_Some; exact H).
  rewrite E; destruct (y =? w); reflexivity.
Qed.
