(** * One entry for a position and its mirror image

    A folded store has entries only for positions that come first of the two. It stands for a store
    with both: entry [2 k] is entry [k] as it is, entry [2 k + 1] is its mirror image. Only the even
    ones are checked. *)

From Coq Require Import List Bool Arith NArith Lia.
From ShogiVariants Require Import Rules Meaning Quick Checker Mirror.
Import ListNotations.

(** ** Which of the two comes first *)

Definition content_number (c : option piece) : nat :=
  match c with
  | None => 0
  | Some (Piece o k f) => 1 + number k + 8 * match f with Front => 0 | Back => 1 end
                          + 16 * match o with Sente => 0 | Gote => 1 end
  end.

Fixpoint compare_lists {A} (compare : A -> A -> comparison) (l m : list A) : comparison :=
  match l, m with
  | [], [] => Eq
  | [], _ => Lt
  | _, [] => Gt
  | x :: l, y :: m => match compare x y with Eq => compare_lists compare l m | c => c end
  end.

Definition compare_contents (c d : option piece) : comparison :=
  Nat.compare (content_number c) (content_number d).

Definition compare_boards : board -> board -> comparison :=
  compare_lists (compare_lists compare_contents).

(** An order in which only what is equal compares as equal. *)
Definition is_order {A} (compare : A -> A -> comparison) : Prop :=
  (forall x y, compare x y = Eq -> x = y) /\ (forall x y, compare y x = CompOpp (compare x y)).

Lemma lists_ordered : forall A (compare : A -> A -> comparison),
  is_order compare -> is_order (compare_lists compare).
Proof.
  intros A compare (E & O); split.
  - induction x as [|x l IH]; intros [|y m]; cbn; try discriminate; [reflexivity|].
    destruct (compare x y) eqn:C; try discriminate. intros H; f_equal; auto.
  - induction x as [|x l IH]; intros [|y m]; cbn; try reflexivity.
    rewrite (O x y); destruct (compare x y); cbn; auto.
Qed.

(** All contents in the order of their numbers. *)
Definition contents : list (option piece) :=
  None :: flat_map (fun o => flat_map (fun f => map (fun k => Some (Piece o k f))
    [Pawn; Lance; Knight; Silver; Gold; Bishop; Rook; King]) [Front; Back]) [Sente; Gote].

Lemma content_numbered : forall c, nth (content_number c) contents None = c.
Proof. intros [[[] [] []]|]; reflexivity. Qed.

Lemma contents_ordered : is_order compare_contents.
Proof.
  unfold compare_contents; split.
  - intros c d H; apply Nat.compare_eq in H.
    rewrite <- (content_numbered c), H; apply content_numbered.
  - intros c d; apply Nat.compare_antisym.
Qed.

Lemma boards_ordered : is_order compare_boards.
Proof. apply lists_ordered, lists_ordered, contents_ordered. Qed.

(** Whether the mirror image is the one that comes first. *)
Definition is_second (p : position) : bool :=
  match compare_boards (rev (on_board p)) (on_board p) with Lt => true | _ => false end.

Lemma second_mirror : forall p, mirror p <> p -> is_second (mirror p) = negb (is_second p).
Proof.
  intros p D; destruct boards_ordered as (E & O); unfold is_second; cbn.
  rewrite rev_involutive, (O (rev (on_board p)) (on_board p)).
  destruct compare_boards eqn:C; cbn; try reflexivity.
  apply E in C; destruct D; destruct p; unfold mirror; cbn in *; rewrite C; reflexivity.
Qed.

Section Folded.
Variable t : table.
Variable prover : colour.
Hypothesis symmetric : is_symmetric t.

(** The folded store. *)
Variable count : N.
Variable position_at : N -> position.
Variable answer_at : N -> move.
Variable rank_at : N -> N.
Variable find : position -> N.

(** The store of both. *)
Definition unfolded_position (i : N) : position :=
  let p := position_at (N.div2 i) in if N.odd i then mirror p else p.
Definition unfolded_answer (i : N) : move :=
  let m := answer_at (N.div2 i) in if N.odd i then mirror_move t m else m.
Definition unfolded_rank (i : N) : N := rank_at (N.div2 i).
Definition unfolded_find (p : position) : N :=
  if is_second p then N.succ_double (find (mirror p)) else N.double (find p).

Notation is_stored := (is_stored (N.double count) unfolded_position unfolded_find).
Notation is_within := (is_within (N.double count) unfolded_position unfolded_rank unfolded_find).
Notation win_entry :=
  (win_entry t prover (N.double count) unfolded_position unfolded_answer unfolded_rank
     unfolded_find).
Notation draw_entry :=
  (draw_entry t prover (N.double count) unfolded_position unfolded_answer unfolded_rank
     unfolded_find).

Definition whole_entry (i : N) : bool := length (on_board (position_at i)) =? files t.

Definition folded_win_entry (i : N) : bool :=
  if whole_entry i then win_entry (N.double i) else false.
Definition folded_draw_entry (i : N) : bool :=
  if whole_entry i then draw_entry (N.double i) else false.

Definition folded_win_root (root : position) (plies : N) : bool :=
  win_root t prover (N.double count) unfolded_position unfolded_rank unfolded_find root plies.
Definition folded_draw_root (root : position) : bool :=
  draw_root t prover (N.double count) unfolded_position unfolded_find root.

(** ** Both or neither are stored, with one rank *)

Lemma stored_mirrored : forall p, is_stored p = true ->
  is_stored (mirror p) = true /\
  unfolded_rank (unfolded_find (mirror p)) = unfolded_rank (unfolded_find p).
Proof.
  intros p H; destruct (position_eq_dec (mirror p) p) as [->|D]; [auto|].
  apply is_stored_spec in H; destruct H as (I & P).
  unfold Checker.is_stored, is_entry, unfolded_rank, unfolded_position, unfolded_find in *.
  rewrite (second_mirror p D), mirror_mirror in *.
  destruct (is_second p); cbn [negb]; rewrite ?N.div2_double, ?N.div2_succ_double in *;
    rewrite ?N.odd_add_mul_2 in *; split; try reflexivity.
  - replace (N.odd (N.double (find (mirror p)))) with false by
      (destruct (find (mirror p)); reflexivity).
    replace (N.odd (N.succ_double (find (mirror p)))) with true in P by
      (destruct (find (mirror p)); reflexivity).
    destruct (N.ltb_spec (N.double (find (mirror p))) (N.double count)); [|lia].
    destruct position_eq_dec as [|N]; [reflexivity|].
    destruct N; rewrite <- P at 2; rewrite mirror_mirror; reflexivity.
  - replace (N.odd (N.succ_double (find p))) with true by (destruct (find p); reflexivity).
    replace (N.odd (N.double (find p))) with false in P by (destruct (find p); reflexivity).
    destruct (N.ltb_spec (N.succ_double (find p)) (N.double count)); [|lia].
    rewrite P; destruct position_eq_dec as [|N]; [reflexivity|]; destruct N; reflexivity.
Qed.

Lemma within_mirrored : forall bound p,
  is_within bound p = true -> is_within bound (mirror p) = true.
Proof.
  unfold Checker.is_within; intros bound p H; cbv zeta in *.
  change (Checker.is_entry (N.double count) unfolded_position (unfolded_find p) p)
    with (is_stored p) in H.
  change (Checker.is_entry (N.double count) unfolded_position (unfolded_find (mirror p)) (mirror p))
    with (is_stored (mirror p)).
  destruct (is_stored p) eqn:E; [|discriminate].
  apply stored_mirrored in E; destruct E as (-> & ->); exact H.
Qed.

(** ** The odd entries are as good as the even ones *)

Section Entry.
Variable i : N.
Let p := position_at i.
Let m := answer_at i.
Hypothesis whole : is_whole t (on_board p).
Hypothesis is_answer : In m (legal t p).

Lemma replies_mirrored : forall n,
  In n (legal t (play (mirror p) (mirror_move t m))) ->
  exists r, In r (legal t (play p m)) /\
    play (play (mirror p) (mirror_move t m)) n = mirror (play (play p m) r).
Proof.
  intros n H; destruct (legal_mirror t symmetric p m whole is_answer) as (I & _).
  rewrite <- (play_mirror t p m whole I) in *.
  assert (W : is_whole t (on_board (play p m))) by (apply play_whole; exact whole).
  destruct (legal_mirror t symmetric (mirror (play p m)) n (whole_mirror t _ W) H) as (J & R).
  rewrite mirror_mirror in R.
  exists (mirror_move t n); split; [exact R|].
  destruct (legal_mirror t symmetric _ _ W R) as (K & _).
  rewrite (play_mirror t _ _ W K), (move_mirror t n J); reflexivity.
Qed.

End Entry.

Lemma odd_position : forall i, unfolded_position (N.succ_double i) = mirror (position_at i).
Proof. unfold unfolded_position; intros [|]; reflexivity. Qed.
Lemma odd_answer : forall i, unfolded_answer (N.succ_double i) = mirror_move t (answer_at i).
Proof. unfold unfolded_answer; intros [|]; reflexivity. Qed.
Lemma odd_rank : forall i, unfolded_rank (N.succ_double i) = rank_at i.
Proof. unfold unfolded_rank; intros [|]; reflexivity. Qed.
Lemma even_position : forall i, unfolded_position (N.double i) = position_at i.
Proof. unfold unfolded_position; intros [|]; reflexivity. Qed.
Lemma even_answer : forall i, unfolded_answer (N.double i) = answer_at i.
Proof. unfold unfolded_answer; intros [|]; reflexivity. Qed.
Lemma even_rank : forall i, unfolded_rank (N.double i) = rank_at i.
Proof. unfold unfolded_rank; intros [|]; reflexivity. Qed.

Lemma is_legal_complete : forall q m, In m (legal t q) -> is_legal t q m = true.
Proof.
  unfold is_legal, legal; intros q m H; apply filter_In in H; destruct H as (H & A).
  assert (E : existsb (fun n => if move_eq_dec m n then true else false)
                match m with Move _ _ _ => board_moves t q | Drop _ _ _ => drops t q end = true).
  { apply existsb_exists; exists m; split; [|destruct move_eq_dec; congruence].
    apply in_app_or in H; destruct H as [H|H].
    - destruct m; [exact H|exfalso]. unfold board_moves in H.
      apply in_flat_map in H; destruct H as ((s, [c|]) & _ & H); [|contradiction].
      destruct same_colour; [|contradiction].
      apply in_flat_map in H; destruct H as (u & _ & H); apply in_map_iff in H.
      destruct H as (? & ? & _); discriminate.
    - destruct m; [exfalso|exact H]. unfold drops in H.
      apply in_flat_map in H; destruct H as (k & _ & H).
      apply in_flat_map in H; destruct H as (f & _ & H).
      apply in_flat_map in H; destruct H as ((s, [c|]) & _ & H); [contradiction|].
      destruct may_drop; [|contradiction]. destruct H as [H|[]]; discriminate. }
  rewrite E, quick_allowed_spec; exact A.
Qed.

Lemma odd_win_entry : forall i,
  folded_win_entry i = true -> win_entry (N.succ_double i) = true.
Proof.
  unfold folded_win_entry, whole_entry; intros i H.
  destruct Nat.eqb eqn:W; [apply Nat.eqb_eq in W|discriminate].
  apply win_entry_spec in H; rewrite even_position, even_answer, even_rank in H.
  destruct H as (T & R & A & Q).
  destruct (legal_mirror t symmetric _ _ W A) as (I & B).
  unfold Checker.win_entry; rewrite odd_position, odd_answer, odd_rank.
  cbn [turn mirror]; destruct colour_eq_dec; [|contradiction].
  destruct (N.ltb_spec 0 (rank_at i)); [|lia].
  rewrite (is_legal_complete _ _ B), all_after_spec; apply all_spec; intros n J.
  destruct (replies_mirrored i W A n J) as (r & K & ->).
  apply within_mirrored; auto.
Qed.

Lemma odd_draw_entry : forall i,
  folded_draw_entry i = true -> draw_entry (N.succ_double i) = true.
Proof.
  unfold folded_draw_entry, whole_entry; intros i H.
  destruct Nat.eqb eqn:W; [apply Nat.eqb_eq in W|discriminate].
  apply draw_entry_spec in H; rewrite even_position, even_answer, even_rank in H.
  destruct H as (T & A & Q & C).
  destruct (legal_mirror t symmetric _ _ W A) as (I & B).
  unfold Checker.draw_entry; rewrite odd_position, odd_answer, odd_rank.
  cbn [turn mirror]; destruct colour_eq_dec; [|contradiction].
  rewrite (is_legal_complete _ _ B), quick_in_check_spec.
  rewrite <- (play_mirror t _ _ W I) at 1 2; cbn [on_board turn mirror].
  rewrite in_check_mirror by (auto using play_whole).
  destruct (perpetual_check_loses t); [destruct in_check|];
    rewrite all_after_spec; apply all_spec; intros n J;
    destruct (replies_mirrored i W A n J) as (r & K & ->).
  - apply within_mirrored; unfold Checker.is_within; cbv zeta.
    pose proof (Q r K) as E; unfold Checker.is_stored in E; rewrite E.
    apply N.ltb_lt; auto.
  - apply stored_mirrored; auto.
  - apply stored_mirrored; auto.
Qed.

Lemma both_checked : forall (folded : N -> bool) check,
  (forall i, folded i = true -> check (N.double i) = true) ->
  (forall i, folded i = true -> check (N.succ_double i) = true) ->
  checked count folded 0 count -> checked (N.double count) check 0 (N.double count).
Proof.
  intros folded check E O H k _ K; rewrite N.double_spec in K.
  destruct (N.even k) eqn:P.
  - apply N.even_spec in P; destruct P as (j & ->).
    rewrite <- N.double_spec; apply E, H; lia.
  - rewrite <- N.negb_odd in P; apply negb_false_iff, N.odd_spec in P; destruct P as (j & ->).
    rewrite <- N.succ_double_spec; apply O, H; lia.
Qed.

(** What is accepted is won. *)
Theorem folded_wins : forall root plies,
  checked count folded_win_entry 0 count ->
  folded_win_root root plies = true ->
  wins t prover root (N.to_nat plies).
Proof.
  intros root plies H R.
  apply (accepted_wins t prover (N.double count) unfolded_position unfolded_answer
           unfolded_rank unfolded_find root plies); [|exact R].
  apply (both_checked folded_win_entry); [|apply odd_win_entry|exact H].
  unfold folded_win_entry; intros i; destruct whole_entry; [auto|discriminate].
Qed.

(** What is accepted is not lost. *)
Theorem folded_does_not_lose : forall root,
  checked count folded_draw_entry 0 count ->
  folded_draw_root root = true ->
  does_not_lose t prover root.
Proof.
  intros root H R.
  apply (accepted_does_not_lose t prover (N.double count) unfolded_position unfolded_answer
           unfolded_rank unfolded_find root); [|exact R].
  apply (both_checked folded_draw_entry); [|apply odd_draw_entry|exact H].
  unfold folded_draw_entry; intros i; destruct whole_entry; [auto|discriminate].
Qed.

End Folded.
