(** * The checkers, and what it means that they accept

    A proof is a store of numbered entries: positions with the prover to move, each with a move and a
    rank. Where it comes from does not matter: the store is any four functions, and what they return
    is compared here. *)

From Coq Require Import List Bool Arith NArith Lia.
From ShogiVariants Require Import Rules Meaning Quick.
Import ListNotations.

(** Equality can be decided. *)
Definition colour_eq_dec (c d : colour) : {c = d} + {c <> d}.
Proof. decide equality. Defined.
Definition kind_eq_dec (k l : kind) : {k = l} + {k <> l}.
Proof. decide equality. Defined.
Definition face_eq_dec (f g : face) : {f = g} + {f <> g}.
Proof. decide equality. Defined.
Definition piece_eq_dec (p q : piece) : {p = q} + {p <> q}.
Proof. decide equality; auto using colour_eq_dec, kind_eq_dec, face_eq_dec. Defined.
Definition content_eq_dec (c d : option piece) : {c = d} + {c <> d}.
Proof. decide equality; apply piece_eq_dec. Defined.
Definition board_eq_dec (b c : board) : {b = c} + {b <> c}.
Proof. apply list_eq_dec, list_eq_dec, content_eq_dec. Defined.
Definition position_eq_dec (p q : position) : {p = q} + {p <> q}.
Proof.
  decide equality; auto using colour_eq_dec, board_eq_dec, (list_eq_dec kind_eq_dec).
Defined.
Definition square_eq_dec (s u : square) : {s = u} + {s <> u}.
Proof. decide equality; apply Nat.eq_dec. Defined.
Definition move_eq_dec (m n : move) : {m = n} + {m <> n}.
Proof. decide equality; auto using square_eq_dec, bool_dec, kind_eq_dec, face_eq_dec. Defined.

Section Checker.
Variable t : table.
Variable prover : colour.

(** The store: how many entries there are, the position, the answer and the rank of each, and the
    number of the entry that a position has, or any other number if it has none. *)
Variable count : N.
Variable position_at : N -> position.
Variable answer_at : N -> move.
Variable rank_at : N -> N.
Variable find : position -> N.

(** Whether the move is a legal one; the list of legal moves need not be made for it. *)
Definition is_legal (p : position) (m : move) : bool :=
  if existsb (fun n => if move_eq_dec m n then true else false)
       (match m with Move _ _ _ => board_moves t p | Drop _ _ _ => drops t p end)
  then quick_allowed t p m else false.

Lemma is_legal_spec : forall p m, is_legal p m = true -> In m (legal t p).
Proof.
  unfold is_legal, legal; intros p m H.
  destruct existsb eqn:E; [|discriminate].
  apply existsb_exists in E; destruct E as [n [I E]].
  destruct move_eq_dec as [->|]; [|discriminate].
  apply filter_In; split; [|rewrite <- quick_allowed_spec; exact H].
  apply in_or_app; destruct n; auto.
Qed.

(** Number [i] is an entry of the position. *)
Definition is_entry (i : N) (p : position) : bool :=
  if N.ltb i count then if position_eq_dec (position_at i) p then true else false else false.

(** The position has an entry. *)
Definition is_stored (p : position) : bool := is_entry (find p) p.

Lemma is_stored_spec : forall p, is_stored p = true ->
  (find p < count)%N /\ position_at (find p) = p.
Proof.
  unfold is_stored, is_entry; intros p H.
  destruct N.ltb eqn:E; [|discriminate].
  destruct position_eq_dec; [|discriminate].
  apply N.ltb_lt in E; auto.
Qed.

(** What the strategy plays: the move of the position's entry. *)
Definition stored_strategy : strategy := fun p => answer_at (find p).

(** Blocks of [2 ^ d] entries from number [i] on; there may be fewer. *)
Fixpoint check_block (check : N -> bool) (d : nat) (i : N) : bool :=
  match d with
  | O => if N.ltb i count then check i else true
  | S d => if check_block check d i
           then check_block check d (i + N.shiftl 1 (N.of_nat d)) else false
  end.

(** The entries from number [i] to before number [j] satisfy the check. *)
Definition checked (check : N -> bool) (i j : N) : Prop :=
  forall k, (i <= k < j)%N -> (k < count)%N -> check k = true.

Lemma check_block_spec : forall check d i,
  check_block check d i = true -> checked check i (i + 2 ^ N.of_nat d).
Proof.
  intros check; induction d as [|d IH]; cbn [check_block]; intros i H k K C.
  - replace k with i in * by (cbn in K; lia).
    destruct (N.ltb_spec i count); [exact H|lia].
  - destruct check_block eqn:E; [|discriminate].
    rewrite N.shiftl_1_l in H.
    rewrite Nnat.Nat2N.inj_succ, N.pow_succ_r' in K.
    destruct (N.lt_ge_cases k (i + 2 ^ N.of_nat d)).
    + apply (IH i E); [lia|exact C].
    + apply (IH _ H); [lia|exact C].
Qed.

(** What is checked range by range, perhaps by several processes, is checked. *)
Lemma ranges_join : forall check i j k,
  checked check i j -> checked check j k -> checked check i k.
Proof.
  intros check i j k A B l K C. destruct (N.lt_ge_cases l j); [apply A|apply B]; auto; lia.
Qed.

(** ** Wins *)

(** The position has an entry whose rank is below the bound. *)
Definition is_within (bound : N) (p : position) : bool :=
  let i := find p in if is_entry i p then N.ltb (rank_at i) bound else false.

(** The rank bounds the plies to the end, the answer's own included: it falls by two or more from
    an entry to those that replies lead to. *)
Definition win_entry (i : N) : bool :=
  let p := position_at i in
  let rank := rank_at i in
  if colour_eq_dec (turn p) prover then
    if N.ltb 0 rank then
      let m := answer_at i in
      if is_legal p m then all_after t (is_within (N.pred rank)) (play p m) else false
    else false
  else false.

Definition win_root (root : position) (plies : N) : bool :=
  if colour_eq_dec (turn root) prover
  then is_within (N.succ plies) root
  else all_after t (is_within plies) root.

Lemma is_within_spec : forall bound p, is_within bound p = true ->
  is_stored p = true /\ (rank_at (find p) < bound)%N.
Proof.
  unfold is_within, is_stored; intros bound p H.
  destruct is_entry; [|discriminate]. apply N.ltb_lt in H; auto.
Qed.

Lemma win_entry_spec : forall i, win_entry i = true ->
  let q := play (position_at i) (answer_at i) in
  turn (position_at i) = prover /\ (0 < rank_at i)%N /\
  In (answer_at i) (legal t (position_at i)) /\
  forall m, In m (legal t q) -> is_within (N.pred (rank_at i)) (play q m) = true.
Proof.
  unfold win_entry; intros i H.
  destruct colour_eq_dec; [|discriminate].
  destruct (N.ltb 0 (rank_at i)) eqn:R; [|discriminate].
  destruct is_legal eqn:L; [|discriminate].
  apply N.ltb_lt in R. apply is_legal_spec in L.
  rewrite all_after_spec, all_spec in H; auto.
Qed.

Lemma turn_play : forall p m, turn (play p m) = other (turn p).
Proof.
  intros p m; destruct m; cbn; [destruct (look _ _) as [[|]|]|];
    unfold after; destruct (turn p); reflexivity.
Qed.

Lemma turn_back : forall c d, c <> d -> other c = d.
Proof. destruct c, d; cbn; congruence. Qed.

(** The most plies that are left: the rank where the prover moves, and elsewhere one more than the
    largest rank that a reply leads to. *)
Definition plies_left (p : position) : N :=
  if colour_eq_dec (turn p) prover then rank_at (find p)
  else fold_right N.max 0%N
         (map (fun m => N.succ (rank_at (find (play p m)))) (legal t p)).

Lemma below_max : forall l n, In n l -> (n <= fold_right N.max 0 l)%N.
Proof. induction l as [|m l IH]; cbn; intros n []; [subst|apply IH in H]; lia. Qed.

Lemma max_below : forall l b, (forall n, In n l -> (n <= b)%N) -> (fold_right N.max 0 l <= b)%N.
Proof. induction l as [|m l IH]; cbn; intros b H; [lia|].
  apply N.max_lub; [|apply IH]; auto. Qed.

(** Where the strategy knows what to do: the position, or what every reply leads to, is stored. *)
Definition is_known (p : position) : Prop :=
  if colour_eq_dec (turn p) prover then is_stored p = true
  else forall m, In m (legal t p) -> is_stored (play p m) = true.

Section Accepted.
Variable root : position.

Section Win.
Variable plies : N.
Hypothesis entries_accepted : checked win_entry 0 count.
Hypothesis root_accepted : win_root root plies = true.

Lemma known_entry : forall p, is_stored p = true -> win_entry (find p) = true.
Proof. intros p H; apply is_stored_spec in H; apply entries_accepted; lia. Qed.

Lemma root_known : is_known root /\ (plies_left root <= plies)%N.
Proof.
  unfold is_known, plies_left; pose proof root_accepted as H; unfold win_root in H.
  destruct colour_eq_dec.
  - apply is_within_spec in H; split; [tauto|lia].
  - rewrite all_after_spec, all_spec in H; split.
    + intros m I; apply H, is_within_spec in I; tauto.
    + apply max_below; intros n' I; apply in_map_iff in I; destruct I as [m [<- I]].
      apply H, is_within_spec in I; lia.
Qed.

(** After the answer all is known, and less is left. *)
Lemma answer_step : forall p, is_known p -> turn p = prover ->
  In (stored_strategy p) (legal t p) /\
  is_known (play p (stored_strategy p)) /\
  (plies_left (play p (stored_strategy p)) < plies_left p)%N.
Proof.
  intros p K T; unfold is_known in K; destruct (colour_eq_dec (turn p) prover); [|contradiction].
  pose proof (win_entry_spec _ (known_entry p K)) as (_ & P & A & Q).
  apply is_stored_spec in K; destruct K as [_ K]; rewrite K in *.
  fold (stored_strategy p) in *.
  split; [exact A|].
  unfold is_known, plies_left; rewrite turn_play, T.
  destruct (colour_eq_dec (other prover) prover) as [E|_]; [destruct prover; discriminate|].
  destruct (colour_eq_dec prover prover) as [_|]; [|contradiction].
  split.
  - intros m I; apply Q, is_within_spec in I; tauto.
  - apply N.le_lt_trans with (N.pred (rank_at (find p))); [|lia].
    apply max_below; intros n I; apply in_map_iff in I; destruct I as [m [<- I]].
    apply Q, is_within_spec in I; lia.
Qed.

(** So it is after every reply. *)
Lemma reply_step : forall p m, is_known p -> turn p <> prover -> In m (legal t p) ->
  is_known (play p m) /\ (plies_left (play p m) < plies_left p)%N.
Proof.
  intros p m K T I; unfold is_known, plies_left in *.
  rewrite turn_play, (turn_back _ _ T).
  destruct (colour_eq_dec (turn p) prover); [contradiction|].
  destruct (colour_eq_dec prover prover) as [_|]; [|contradiction].
  split; [auto|].
  apply N.lt_le_trans with (N.succ (rank_at (find (play p m)))); [lia|].
  apply below_max, in_map_iff; eauto.
Qed.

Lemma line_falls : forall before p, line t prover stored_strategy root before p ->
  is_known p /\ (N.of_nat (length before) + plies_left p <= plies)%N /\
  forall q, In q before -> (plies_left p < plies_left q)%N.
Proof.
  induction 1 as [|before p _ (K & P & B) T _|before p m _ (K & P & B) T I].
  - destruct root_known; cbn [length]; split; [assumption|]; split; [lia|]; intros q [].
  - destruct (answer_step p K T) as (_ & K' & P').
    split; [exact K'|]; split; [cbn [length]; lia|].
    intros q [<-|J]; [exact P'|]. apply B in J; lia.
  - destruct (reply_step p m K T I) as (K' & P').
    split; [exact K'|]; split; [cbn [length]; lia|].
    intros q [<-|J]; [exact P'|]. apply B in J; lia.
Qed.

(** What is accepted is won. *)
Theorem accepted_wins : wins t prover root (N.to_nat plies).
Proof.
  exists stored_strategy; split.
  - intros before p H T. apply answer_step; [|exact T]. apply (line_falls before p H).
  - intros before p H; destruct (line_falls before p H) as (_ & P & B).
    split; [lia|]. intros I; apply B in I; lia.
Qed.

End Win.

(** ** Draws *)

(** The answer is legal and every reply leads to an entry; if the answer gives check, to one of
    lower rank, so that not all moves of a circle are checks. *)
Definition draw_entry (i : N) : bool :=
  let p := position_at i in
  if colour_eq_dec (turn p) prover then
    let m := answer_at i in
    if is_legal p m then
      let q := play p m in
      if (if perpetual_check_loses t then quick_in_check t (on_board q) (turn q) else false)
      then all_after t (is_within (rank_at i)) q
      else all_after t is_stored q
    else false
  else false.

Definition draw_root : bool :=
  if colour_eq_dec (turn root) prover then is_stored root
  else all_after t is_stored root.

Section Draw.
Hypothesis entries_accepted : checked draw_entry 0 count.
Hypothesis root_accepted : draw_root = true.

(** An answer is no check, or every reply leads to a lower rank. *)
Lemma draw_entry_spec : forall i, draw_entry i = true ->
  let q := play (position_at i) (answer_at i) in
  turn (position_at i) = prover /\ In (answer_at i) (legal t (position_at i)) /\
  (forall m, In m (legal t q) -> is_stored (play q m) = true) /\
  (perpetual_check_loses t = true -> in_check t (on_board q) (turn q) = true ->
   forall m, In m (legal t q) -> (rank_at (find (play q m)) < rank_at i)%N).
Proof.
  unfold draw_entry; intros i H.
  destruct colour_eq_dec; [|discriminate].
  destruct is_legal eqn:A; [|discriminate]. apply is_legal_spec in A.
  rewrite quick_in_check_spec in H.
  destruct (perpetual_check_loses t); [destruct in_check eqn:C|];
    rewrite all_after_spec, all_spec in H; repeat split; auto; try discriminate.
  - intros m I; apply H, is_within_spec in I; tauto.
  - intros _ _ m I; apply H, is_within_spec in I; tauto.
Qed.

Lemma drawn_root_known : is_known root.
Proof.
  pose proof root_accepted as H; unfold draw_root in H; unfold is_known.
  destruct colour_eq_dec; [exact H|]. rewrite all_after_spec, all_spec in H; exact H.
Qed.

Lemma draw_answer_step : forall p, is_known p -> turn p = prover ->
  let q := play p (stored_strategy p) in
  In (stored_strategy p) (legal t p) /\ is_known q /\
  (perpetual_check_loses t = true -> gives_check t stored_strategy p ->
   forall m, In m (legal t q) -> (rank_at (find (play q m)) < rank_at (find p))%N).
Proof.
  intros p K T; unfold is_known in K; destruct (colour_eq_dec (turn p) prover); [|contradiction].
  apply is_stored_spec in K; destruct K as [I K].
  assert (E : draw_entry (find p) = true) by (apply entries_accepted; lia).
  pose proof (draw_entry_spec _ E) as (_ & A & Q & C).
  rewrite K in *; fold (stored_strategy p) in *.
  split; [exact A|]; split; [|exact C].
  unfold is_known; rewrite turn_play, T.
  destruct (colour_eq_dec (other prover) prover) as [O|_]; [destruct prover; discriminate|].
  exact Q.
Qed.

Lemma draw_reply_step : forall p m, is_known p -> turn p <> prover -> In m (legal t p) ->
  is_known (play p m).
Proof.
  intros p m K T I; unfold is_known in *; rewrite turn_play, (turn_back _ _ T).
  destruct (colour_eq_dec (turn p) prover); [contradiction|].
  destruct (colour_eq_dec prover prover); [auto|contradiction].
Qed.

(** The rank, or all ranks that replies lead to, are below a bound. *)
Definition is_below (bound : N) (p : position) : Prop :=
  (turn p = prover -> (rank_at (find p) < bound)%N) /\
  (turn p <> prover ->
   forall m, In m (legal t p) -> (rank_at (find (play p m)) < bound)%N).

Definition quiet_since (since : list position) (q : position) : Prop :=
  exists r, In r (since ++ [q]) /\ turn r = prover /\ ~ gives_check t stored_strategy r.

Lemma prover_waits : forall p m, turn p = prover -> turn (play p m) <> prover.
Proof. intros p m <-; rewrite turn_play; destruct (turn p); discriminate. Qed.

Section Perpetual.
Hypothesis checks_matter : perpetual_check_loses t = true.

Lemma checks_fall : forall before p, line t prover stored_strategy root before p ->
  is_known p /\
  forall since q earlier, before = since ++ q :: earlier -> turn q = prover ->
  quiet_since since q \/ is_below (rank_at (find q)) p.
Proof.
  induction 1 as [|before p _ (K & B) T _|before p m _ (K & B) T I].
  - split; [apply drawn_root_known|]. intros [] q earlier E; discriminate.
  - destruct (draw_answer_step p K T) as (_ & K' & C); split; [exact K'|].
    intros since q earlier E U.
    destruct (bool_dec (in_check t (on_board (play p (stored_strategy p)))
                          (turn (play p (stored_strategy p)))) true) as [G|G].
    + assert (Below : is_below (rank_at (find p)) (play p (stored_strategy p))).
      { split; [intros W; destruct (prover_waits _ _ T W)|intros _; auto]. }
      destruct since as [|r since]; cbn in E; injection E as -> E; [auto|].
      destruct (B since q earlier E U) as [(s & J & Q)|(W & _)].
      * left; exists s; split; [right|]; auto.
      * right; destruct Below as [_ Below]; split;
          [intros X; destruct (prover_waits _ _ T X)|].
        intros X m J. specialize (W T). specialize (Below X m J). lia.
    + left; exists p; split; [|auto].
      destruct since as [|r since]; cbn in E; injection E as -> E; cbn; auto.
  - split; [apply draw_reply_step; auto|].
    intros since q earlier E U.
    destruct since as [|r since]; cbn in E; injection E as -> E; [contradiction|].
    destruct (B since q earlier E U) as [(s & J & Q)|(_ & W)].
    + left; exists s; split; [right|]; auto.
    + right; split; [auto|]. intros X; rewrite turn_play, (turn_back _ _ T) in X; contradiction.
Qed.

End Perpetual.

Lemma all_known : forall before p, line t prover stored_strategy root before p -> is_known p.
Proof.
  induction 1 as [|before p _ K T _|before p m _ K T I].
  - apply drawn_root_known.
  - apply (draw_answer_step p K T).
  - apply draw_reply_step; assumption.
Qed.

(** What is accepted is not lost. *)
Theorem accepted_does_not_lose : does_not_lose t prover root.
Proof.
  exists stored_strategy; split.
  - intros before p H T. apply draw_answer_step; [|exact T]. apply (all_known before p H).
  - intros checks_matter since p before H T.
    destruct (checks_fall checks_matter _ p H) as (_ & B).
    destruct (B since p before eq_refl T) as [Q|(W & _)]; [exact Q|].
    specialize (W T); lia.
Qed.

End Draw.
End Accepted.
End Checker.
