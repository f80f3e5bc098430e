(** * Mirror images

    A position and its mirror image are alike. So a store keeps one of the two, and one is checked. *)

From Coq Require Import List Bool Arith NArith Lia.
From ShogiVariants Require Import Rules Squares Meaning Checker.
Import ListNotations.

Definition mirror_direction (d : direction) : direction :=
  match d with
  | F => F | B => B | L => R | R => L
  | FL => FR | FR => FL | BL => BR | BR => BL
  | JumpL => JumpR | JumpR => JumpL
  end.

Definition mirror_movement (m : movement) : movement :=
  match m with
  | Step d => Step (mirror_direction d)
  | Slide d => Slide (mirror_direction d)
  end.

Definition mirror (p : position) : position :=
  Position (rev (on_board p)) (sente_hand p) (gote_hand p) (turn p).

Lemma mirror_mirror : forall p, mirror (mirror p) = p.
Proof. destruct p; unfold mirror; cbn; rewrite rev_involutive; reflexivity. Qed.

(** ** Lists from the other end *)

Lemma nth_error_mirror : forall A (l : list A) n,
  n < length l -> nth_error (rev l) (length l - 1 - n) = nth_error l n.
Proof.
  intros A l n H; destruct l as [|a l]; [cbn in H; lia|].
  rewrite (nth_error_nth' _ a) by (rewrite rev_length; cbn in *; lia).
  rewrite (nth_error_nth' _ a) by lia.
  rewrite rev_nth by (cbn in *; lia). do 2 f_equal; cbn in *; lia.
Qed.

Lemma replace_length : forall A (x : A) l n, length (replace n x l) = length l.
Proof. induction l as [|y l IH]; intros []; cbn; auto. Qed.

Lemma replace_last : forall A (x y : A) l, replace (length l) x (l ++ [y]) = l ++ [x].
Proof. induction l; cbn; f_equal; auto. Qed.

Lemma replace_front : forall A (x y : A) l n, n < length l ->
  replace n x (l ++ [y]) = replace n x l ++ [y].
Proof.
  induction l as [|z l IH]; intros [|n] H; cbn in *; try lia; auto.
  f_equal; apply IH; lia.
Qed.

Lemma replace_mirror : forall A (x : A) l n, n < length l ->
  rev (replace n x l) = replace (length l - 1 - n) x (rev l).
Proof.
  induction l as [|y l IH]; intros [|n] H; cbn [length replace rev] in *; try lia.
  - replace (S (length l) - 1 - 0) with (length (rev l)) by (rewrite rev_length; lia).
    symmetry; apply replace_last.
  - replace (S (length l) - 1 - S n) with (length l - 1 - n) by lia.
    rewrite replace_front by (rewrite rev_length; lia). rewrite IH by lia; reflexivity.
Qed.

Section Mirror.
Variable t : table.

(** How pieces move is the same to the left and to the right. *)
Definition is_symmetric : Prop := forall p m,
  In m (movements t p) -> In (mirror_movement m) (movements t p).

Hypothesis symmetric : is_symmetric.

Definition mirror_square (s : square) : square := (files t - 1 - fst s, snd s).

Definition mirror_move (m : move) : move :=
  match m with
  | Move s u turns => Move (mirror_square s) (mirror_square u) turns
  | Drop k f u => Drop k f (mirror_square u)
  end.

Definition is_whole (b : board) : Prop := length b = files t.

Lemma whole_mirror : forall b, is_whole b -> is_whole (rev b).
Proof. unfold is_whole; intros; rewrite rev_length; auto. Qed.

(** ** Squares *)

Lemma look_file : forall b s c, is_whole b -> look b s = Some c -> fst s < files t.
Proof.
  unfold look, is_whole; intros b s c H E.
  destruct (nth_error b (fst s)) eqn:N; [|discriminate].
  rewrite <- H; apply nth_error_Some; congruence.
Qed.

Lemma look_mirror : forall b s, is_whole b -> fst s < files t ->
  look (rev b) (mirror_square s) = look b s.
Proof.
  unfold look, mirror_square, is_whole; cbn; intros b s H I.
  rewrite <- H in *; rewrite nth_error_mirror; auto.
Qed.

Lemma square_mirror : forall s, fst s < files t -> mirror_square (mirror_square s) = s.
Proof. intros [x y] H; unfold mirror_square; cbn in *; f_equal; lia. Qed.

Lemma put_mirror : forall b s c, is_whole b -> fst s < files t ->
  rev (put b s c) = put (rev b) (mirror_square s) c.
Proof.
  unfold put, mirror_square, is_whole; cbn; intros b s c H I.
  rewrite <- H in *; rewrite nth_error_mirror by assumption.
  destruct nth_error; [apply replace_mirror; assumption|reflexivity].
Qed.

Lemma put_whole : forall b s c, is_whole b -> is_whole (put b s c).
Proof. unfold put, is_whole; intros; destruct nth_error; rewrite ?replace_length; auto. Qed.

(** ** Where a piece goes *)

Lemma next_mirror : forall c d s u, fst s < files t -> fst u < files t ->
  next c d s = Some u -> next c (mirror_direction d) (mirror_square s) = Some (mirror_square u).
Proof.
  intros c d [x y] [v w] I J; cbn [fst] in *; unfold mirror_square; cbn [fst snd].
  destruct c, d; cbn; unfold and_then, rightward, leftward, up, down; cbn; intros H;
    repeat match type of H with
           | context [match ?n with O => _ | S _ => _ end] => destruct n; cbn in H
           end; try discriminate;
    injection H as <- <-;
    try match goal with
        | |- context [match ?n with O => _ | S _ => _ end] => destruct n eqn:?
        end; try (exfalso; lia); apply (f_equal Some), (f_equal2 pair); cbn [fst snd]; lia.
Qed.

Lemma walk_mirror : forall b c d n s u, is_whole b -> fst s < files t ->
  In u (walk n b c d s) ->
  fst u < files t /\
  In (mirror_square u) (walk n (rev b) c (mirror_direction d) (mirror_square s)).
Proof.
  intros b c d; induction n as [|n IH]; cbn; intros s u W I H; [contradiction|].
  destruct (next c d s) as [v|] eqn:N; [|contradiction].
  destruct (look b v) as [content|] eqn:E; [|contradiction].
  assert (J : fst v < files t) by (eapply look_file; eauto).
  rewrite (next_mirror c d s v I J N), look_mirror, E by auto.
  destruct content as [q|]; [destruct same_colour; [contradiction|]|].
  - destruct H as [->|[]]; cbn; auto.
  - destruct H as [->|H]; [cbn; auto|]. apply IH in H; cbn; tauto.
Qed.

Lemma targets_mirror : forall b p s u, is_whole b -> fst s < files t ->
  In u (targets t b p s) ->
  fst u < files t /\ In (mirror_square u) (targets t (rev b) p (mirror_square s)).
Proof.
  unfold targets; intros b p s u W I H; apply in_flat_map in H; destruct H as (m & M & H).
  assert (J : fst u < files t) by (destruct m; apply walk_mirror in H; tauto).
  split; [exact J|]. apply in_flat_map; exists (mirror_movement m).
  split; [apply symmetric; exact M|].
  destruct m; apply walk_mirror in H; tauto.
Qed.

Lemma in_check_mirrored : forall b c, is_whole b ->
  in_check t b c = true -> in_check t (rev b) c = true.
Proof.
  unfold in_check; intros b c W H; apply existsb_exists in H.
  destruct H as ((s, content) & I & H); apply in_squares in I.
  destruct content as [p|]; [|discriminate].
  destruct (same_colour (owner p) c) eqn:E; [discriminate|].
  apply existsb_exists in H; destruct H as (u & U & K).
  assert (S : fst s < files t) by (eapply look_file; eauto).
  destruct (targets_mirror b p s u W S U) as (J & V).
  apply existsb_exists; exists (mirror_square s, Some p); split.
  - apply in_squares; rewrite look_mirror; auto.
  - rewrite E; apply existsb_exists; exists (mirror_square u); split; [exact V|].
    rewrite look_mirror; auto.
Qed.

Lemma in_check_mirror : forall b c, is_whole b -> in_check t (rev b) c = in_check t b c.
Proof.
  intros b c W; destruct (in_check t b c) eqn:E.
  - apply in_check_mirrored; auto.
  - destruct (in_check t (rev b) c) eqn:D; [|reflexivity].
    apply in_check_mirrored in D; [|apply whole_mirror; auto].
    rewrite rev_involutive in D; congruence.
Qed.

(** ** Moves *)

Lemma mobile_mirror : forall p s, fst s < files t ->
  mobile t p s = true -> mobile t p (mirror_square s) = true.
Proof.
  unfold mobile; intros p s I H; apply existsb_exists in H; destruct H as (m & M & H).
  apply existsb_exists; exists (mirror_movement m); split; [apply symmetric; exact M|].
  assert (D : match mirror_movement m with Step d | Slide d => d end =
              mirror_direction (match m with Step d | Slide d => d end)) by (destruct m; auto).
  rewrite D; clear D; destruct (next _ _ s) as [(x, y)|] eqn:N; [|discriminate].
  apply andb_true_iff in H; destruct H as (X & Y); apply Nat.ltb_lt in X.
  rewrite (next_mirror _ _ _ (x, y) I X N); cbn.
  apply andb_true_iff; split; [apply Nat.ltb_lt; lia|exact Y].
Qed.

Lemma may_show_mirror : forall p s, fst s < files t ->
  may_show t p s = true -> may_show t p (mirror_square s) = true.
Proof.
  unfold may_show; intros p s I H; apply orb_true_iff in H; apply orb_true_iff.
  destruct H; auto using mobile_mirror.
Qed.

Lemma promotions_mirror : forall p s u turns, fst u < files t ->
  In turns (promotions t p s u) ->
  In turns (promotions t p (mirror_square s) (mirror_square u)).
Proof.
  unfold promotions; intros p s u turns I H.
  destruct (back t (kind_of p)); [|exact H]. destruct (promotes t) as [zone|]; [|exact H].
  change (in_zone t zone (owner p) (mirror_square s)) with (in_zone t zone (owner p) s).
  change (in_zone t zone (owner p) (mirror_square u)) with (in_zone t zone (owner p) u).
  apply in_app_or in H; apply in_or_app; destruct H as [H|H]; [left|right; exact H].
  destruct may_show eqn:E; [|contradiction]. rewrite may_show_mirror; auto.
Qed.

(** The squares of a move lie on the board. *)
Definition is_inside (m : move) : Prop :=
  match m with
  | Move s u _ => fst s < files t /\ fst u < files t
  | Drop _ _ u => fst u < files t
  end.

Lemma move_mirror : forall m, is_inside m -> mirror_move (mirror_move m) = m.
Proof. intros [s u o|k f u] H; cbn; rewrite !square_mirror; cbn in H; tauto. Qed.

Lemma board_moves_mirror : forall p m, is_whole (on_board p) -> In m (board_moves t p) ->
  is_inside m /\ In (mirror_move m) (board_moves t (mirror p)).
Proof.
  unfold board_moves; intros p m W H; apply in_flat_map in H.
  destruct H as ((s, content) & I & H); apply in_squares in I.
  assert (S : fst s < files t) by (eapply look_file; eauto).
  destruct content as [q|]; [|contradiction].
  destruct same_colour eqn:E; [|contradiction].
  apply in_flat_map in H; destruct H as (u & U & H); apply in_map_iff in H.
  destruct H as (turns & <- & O).
  destruct (targets_mirror _ _ _ _ W S U) as (J & V).
  split; [cbn; auto|].
  apply in_flat_map; exists (mirror_square s, Some q); split.
  - apply in_squares; cbn; rewrite look_mirror; auto.
  - cbn [turn mirror on_board]; rewrite E; apply in_flat_map.
    exists (mirror_square u); split; [exact V|].
    apply in_map_iff; exists turns; split; [reflexivity|]. apply promotions_mirror; auto.
Qed.

Lemma may_drop_mirror : forall p q s, is_whole (on_board p) -> fst s < files t ->
  may_drop t p q s = true -> may_drop t (mirror p) q (mirror_square s) = true.
Proof.
  unfold may_drop, is_nifu, is_whole; intros p q s W I H.
  apply andb_true_iff in H; destruct H as (M & H).
  apply andb_true_iff; split; [apply may_show_mirror; auto|].
  cbn; rewrite rev_nth by lia.
  replace (length (on_board p) - S (files t - 1 - fst s)) with (fst s) by lia; exact H.
Qed.

Lemma drops_mirror : forall p m, is_whole (on_board p) -> In m (drops t p) ->
  is_inside m /\ In (mirror_move m) (drops t (mirror p)).
Proof.
  unfold drops; intros p m W H.
  apply in_flat_map in H; destruct H as (k & K & H).
  apply in_flat_map in H; destruct H as (f & E & H).
  apply in_flat_map in H; destruct H as ((s, content) & I & H).
  apply in_squares in I; assert (S : fst s < files t) by (eapply look_file; eauto).
  destruct content; [contradiction|].
  destruct may_drop eqn:D; [|contradiction]. destruct H as [<-|[]].
  split; [exact S|].
  apply in_flat_map; exists k; split; [exact K|].
  apply in_flat_map; exists f; split; [exact E|].
  apply in_flat_map; exists (mirror_square s, None); split.
  - apply in_squares; cbn; rewrite look_mirror; auto.
  - cbn [turn mirror]; rewrite may_drop_mirror by auto; left; reflexivity.
Qed.

Lemma after_mirror : forall p b h, mirror (after p b h) = after (mirror p) (rev b) h.
Proof. intros p b h; unfold after, mirror; cbn; destruct (turn p); reflexivity. Qed.

Lemma hand_mirror : forall p c, hand_of (mirror p) c = hand_of p c.
Proof. destruct c; reflexivity. Qed.

Lemma play_mirror : forall p m, is_whole (on_board p) -> is_inside m ->
  mirror (play p m) = play (mirror p) (mirror_move m).
Proof.
  intros p [s u turns|k f u] W H; cbn [play mirror_move is_inside] in *.
  - destruct H as (S & U); rewrite !hand_mirror; cbn [on_board mirror].
    rewrite !look_mirror by auto; cbn [turn].
    destruct (look (on_board p) s) as [[q|]|]; rewrite after_mirror; auto.
    rewrite !put_mirror by auto using put_whole; reflexivity.
  - rewrite after_mirror, hand_mirror; cbn [on_board mirror turn].
    rewrite put_mirror by auto; reflexivity.
Qed.

Lemma play_whole : forall p m, is_whole (on_board p) -> is_whole (on_board (play p m)).
Proof.
  intros p m W; destruct m; cbn [play]; [destruct (look _ _) as [[|]|]|];
    unfold after; destruct (turn p); cbn; auto using put_whole.
Qed.

Lemma safe_mirror : forall p m, is_whole (on_board p) -> is_inside m ->
  safe t (mirror p) (mirror_move m) = safe t p m.
Proof.
  unfold safe; intros p m W I; rewrite <- play_mirror by auto; cbn [on_board mirror turn].
  rewrite in_check_mirror; auto using play_whole.
Qed.

Lemma answered_mirror : forall q, is_whole (on_board q) ->
  existsb (safe t q) (board_moves t q) = true ->
  existsb (safe t (mirror q)) (board_moves t (mirror q)) = true.
Proof.
  intros q W H; apply existsb_exists in H; destruct H as (m & M & H).
  destruct (board_moves_mirror q m W M) as (I & N).
  apply existsb_exists; exists (mirror_move m); rewrite safe_mirror; auto.
Qed.

Lemma drop_pawn_mate_mirror : forall p m, is_whole (on_board p) -> is_inside m ->
  is_drop_pawn_mate t (mirror p) (mirror_move m) = true -> is_drop_pawn_mate t p m = true.
Proof.
  intros p [|[] [] u] W I; try exact (fun H => H).
  change (mirror_move (Drop Pawn Front u)) with (Drop Pawn Front (mirror_square u)).
  unfold is_drop_pawn_mate.
  change (Drop Pawn Front (mirror_square u)) with (mirror_move (Drop Pawn Front u)).
  rewrite <- play_mirror by auto. set (q := play p _).
  assert (V : is_whole (on_board q)) by (apply play_whole; exact W).
  cbn [on_board mirror turn]; rewrite in_check_mirror by exact V.
  destruct in_check; [|discriminate].
  intros H; apply negb_true_iff in H; apply negb_true_iff.
  destruct existsb eqn:E in |- *; [|reflexivity].
  apply answered_mirror in E; [|exact V]. congruence.
Qed.

Lemma allowed_mirror : forall p m, is_whole (on_board p) -> is_inside m ->
  allowed t p m = true -> allowed t (mirror p) (mirror_move m) = true.
Proof.
  unfold allowed; intros p m W I; rewrite safe_mirror by auto.
  destruct (safe t p m); [|auto]. intros H.
  apply orb_true_iff in H; apply orb_true_iff; destruct H as [H|H]; [auto|right].
  apply negb_true_iff in H; apply negb_true_iff.
  destruct (is_drop_pawn_mate t (mirror p) (mirror_move m)) eqn:E; [|reflexivity].
  apply drop_pawn_mate_mirror in E; congruence.
Qed.

Lemma legal_mirror : forall p m, is_whole (on_board p) -> In m (legal t p) ->
  is_inside m /\ In (mirror_move m) (legal t (mirror p)).
Proof.
  unfold legal; intros p m W H; apply filter_In in H; destruct H as (H & A).
  assert (J : is_inside m /\ In (mirror_move m) (board_moves t (mirror p) ++ drops t (mirror p))).
  { apply in_app_or in H; destruct H as [H|H].
    - apply board_moves_mirror in H; auto. split; [tauto|apply in_or_app; tauto].
    - apply drops_mirror in H; auto. split; [tauto|apply in_or_app; tauto]. }
  destruct J as (I & J); split; [exact I|].
  apply filter_In; split; [exact J|]. apply allowed_mirror; auto.
Qed.

End Mirror.
