(** * The rules, calculated quickly

    As Rules.v has it, whether a king is in check is looked up in lists of all squares and of all
    targets of all pieces. Here is the same without lists, each time with a lemma that it is. The
    checkers calculate so; what their theorems are about is Rules.v. *)

From Coq Require Import List Bool Arith.
From ShogiVariants Require Import Rules Squares.
Import ListNotations.

(** ** All of a list *)

(** As [forallb], but stops at the first that fails also when evaluated strictly. *)
Fixpoint all {A} (f : A -> bool) (l : list A) : bool :=
  match l with [] => true | x :: rest => if f x then all f rest else false end.

Lemma all_spec : forall A (f : A -> bool) l, all f l = true <-> forall x, In x l -> f x = true.
Proof.
  intros A f l; induction l as [|x l IH]; cbn; [tauto|].
  destruct (f x) eqn:E; rewrite ?IH; split; intros H.
  - intros y [<-|I]; auto.
  - auto.
  - discriminate.
  - rewrite <- E; auto.
Qed.

Lemma all_app : forall A (f : A -> bool) l m, all f (l ++ m) = if all f l then all f m else false.
Proof. intros A f l m; induction l as [|x l IH]; cbn; [|destruct (f x)]; auto. Qed.

Lemma all_filter : forall A (f g : A -> bool) l,
  all f (filter g l) = all (fun x => if g x then f x else true) l.
Proof.
  intros A f g l; induction l as [|x l IH]; cbn; [reflexivity|].
  destruct (g x); cbn; [destruct (f x)|]; auto.
Qed.

Lemma all_same : forall A (f g : A -> bool) l,
  (forall x, In x l -> f x = g x) -> all f l = all g l.
Proof.
  intros A f g l; induction l as [|x l IH]; cbn; intros H; [reflexivity|].
  rewrite (H x) by auto; destruct (g x); auto.
Qed.

Lemma not_any : forall A (f : A -> bool) l, all (fun x => negb (f x)) l = negb (existsb f l).
Proof. intros A f l; induction l as [|x l IH]; cbn; [|destruct (f x)]; auto. Qed.

Lemma any_same : forall A (f g : A -> bool) l,
  (forall x, f x = g x) -> existsb f l = existsb g l.
Proof. intros A f g l H; induction l as [|x l IH]; cbn; [|rewrite H, IH]; reflexivity. Qed.

Lemma any_flat_map : forall A B (f : B -> bool) (g : A -> list B) l,
  existsb f (flat_map g l) = existsb (fun x => existsb f (g x)) l.
Proof.
  intros A B f g l; induction l as [|x l IH]; cbn; [reflexivity|].
  rewrite existsb_app, IH; reflexivity.
Qed.

(** ** Pieces on a board *)

(** Whether any piece of a file satisfies the condition. *)
Fixpoint any_in_file (f : piece -> square -> bool) (x y : nat) (file : list (option piece)) :=
  match file with
  | [] => false
  | None :: file => any_in_file f x (S y) file
  | Some p :: file => if f p (x, y) then true else any_in_file f x (S y) file
  end.

Fixpoint any_piece (f : piece -> square -> bool) (x : nat) (b : board) : bool :=
  match b with
  | [] => false
  | file :: b => if any_in_file f x 0 file then true else any_piece f (S x) b
  end.

Definition on_piece (f : piece -> square -> bool) '((s, content) : square * option piece) : bool :=
  match content with Some p => f p s | None => false end.

Lemma any_in_file_spec : forall f others x file y,
  existsb (on_piece f) (file_squares x y file others) =
  if any_in_file f x y file then true else existsb (on_piece f) others.
Proof.
  intros f others x; induction file as [|[p|] file IH]; intros y; cbn; [reflexivity| |]; rewrite IH.
  - destruct (f p (x, y)); reflexivity.
  - reflexivity.
Qed.

Lemma any_piece_spec : forall f b, existsb (on_piece f) (squares b) = any_piece f 0 b.
Proof.
  unfold squares; intros f b; generalize 0.
  induction b as [|file b IH]; intros x; cbn; [reflexivity|].
  rewrite any_in_file_spec, IH; reflexivity.
Qed.

(** ** Check *)

(** [next] without parts. *)
Definition quick_next (c : colour) (d : direction) (s : square) : option square :=
  let '(x, y) := s in
  match seen_by c d, c with
  | F, _ => match y with S y => Some (x, y) | O => None end
  | B, _ => Some (x, S y)
  | L, _ => match x with S x => Some (x, y) | O => None end
  | R, _ => Some (S x, y)
  | FL, _ => match x, y with S x, S y => Some (x, y) | _, _ => None end
  | FR, _ => match y with S y => Some (S x, y) | O => None end
  | BL, _ => match x with S x => Some (x, S y) | O => None end
  | BR, _ => Some (S x, S y)
  | JumpL, Sente => match x, y with S x, S (S y) => Some (x, y) | _, _ => None end
  | JumpL, Gote => match x with S x => Some (x, S (S y)) | O => None end
  | JumpR, Sente => match y with S (S y) => Some (S x, y) | _ => None end
  | JumpR, Gote => Some (S x, S (S y))
  end.

Lemma quick_next_spec : forall c d s, quick_next c d s = next c d s.
Proof. intros [] [] [[|x] [|[|y]]]; reflexivity. Qed.

Section Quick.
Variable t : table.

(** Does a walk of an opponent's piece, as in [walk], come to the king of [c]? *)
Fixpoint strikes (n : nat) (b : board) (c : colour) (d : direction) (s : square) : bool :=
  match n with
  | O => false
  | S n => match quick_next (other c) d s with
           | None => false
           | Some s => match look b s with
                       | None => false
                       | Some None => strikes n b c d s
                       | Some (Some q) => is_king_of c (Some (Some q))
                       end
           end
  end.

Lemma strikes_spec : forall n b c d s,
  strikes n b c d s = existsb (fun u => is_king_of c (look b u)) (walk n b (other c) d s).
Proof.
  induction n as [|n IH]; intros b c d s; cbn [strikes walk]; [reflexivity|].
  rewrite quick_next_spec; destruct next as [u|]; [|reflexivity].
  destruct (look b u) as [[q|]|] eqn:E; [| |reflexivity].
  - destruct q as [o k f]; destruct c, o, k; cbn; rewrite ?E; reflexivity.
  - cbn; rewrite E; apply IH.
Qed.

(** Could the opponent's piece on the square capture the king of [c]? It slides at most [reach]. *)
Definition threatens (reach : nat) (b : board) (c : colour) (p : piece) (s : square) : bool :=
  existsb (fun m => match m with
                    | Step d => strikes 1 b c d s
                    | Slide d => strikes reach b c d s
                    end) (movements t p).

Definition quick_in_check (b : board) (c : colour) : bool :=
  let reach := files t + ranks t in
  any_piece (fun p s => if same_colour (owner p) c then false else threatens reach b c p s) 0 b.

Lemma quick_in_check_spec : forall b c, quick_in_check b c = in_check t b c.
Proof.
  unfold quick_in_check, in_check; intros b c; rewrite <- any_piece_spec.
  apply any_same; intros (s, [p|]); [cbn|reflexivity].
  destruct same_colour eqn:E; [reflexivity|].
  unfold threatens, targets; rewrite any_flat_map; apply any_same.
  assert (O : owner p = other c) by (destruct (owner p), c; cbn in *; congruence).
  rewrite O; intros [d|d]; apply strikes_spec.
Qed.

(** ** Drops bring no check on the own king *)

Definition is_king (k : kind) : bool := match k with King => true | _ => false end.

Lemma strikes_after_drop : forall b c k f to, look b to = Some None -> is_king k = false ->
  forall n d s, strikes n (put b to (Some (Piece c k f))) c d s = true -> strikes n b c d s = true.
Proof.
  intros b c k f to E K; induction n as [|n IH]; intros d s; cbn [strikes]; [auto|].
  destruct quick_next as [u|]; [|auto].
  rewrite look_put by congruence.
  destruct (_ && _); [|destruct (look b u) as [[q|]|]; auto].
  destruct k; discriminate.
Qed.

Lemma check_after_drop : forall b c k f to, look b to = Some None -> is_king k = false ->
  quick_in_check (put b to (Some (Piece c k f))) c = true -> quick_in_check b c = true.
Proof.
  unfold quick_in_check; intros b c k f to E K; rewrite <- !any_piece_spec, !existsb_exists.
  intros ((s, [p|]) & I & H); [cbn in H|discriminate].
  apply in_squares in I; rewrite look_put in I by congruence.
  destruct (_ && _); [injection I as <-; destruct c; discriminate|].
  exists (s, Some p); split; [apply in_squares; exact I|cbn].
  destruct same_colour; [discriminate|].
  unfold threatens in *; apply existsb_exists in H; apply existsb_exists.
  destruct H as (m & M & H); exists m; split; [exact M|].
  destruct m; eauto using strikes_after_drop.
Qed.

(** ** Legal moves *)

Definition quick_safe (p : position) (m : move) : bool :=
  negb (quick_in_check (on_board (play p m)) (turn p)).

Definition quick_drop_pawn_mate (p : position) (m : move) : bool :=
  match m with
  | Drop Pawn Front _ =>
      let q := play p m in
      if quick_in_check (on_board q) (turn q)
      then all (fun n => negb (quick_safe q n)) (board_moves t q)
      else false
  | _ => false
  end.

(** Of a move that is safe. *)
Definition quick_permitted (p : position) (m : move) : bool :=
  if allows_drop_pawn_mate t then true else negb (quick_drop_pawn_mate p m).

Definition quick_allowed (p : position) (m : move) : bool :=
  if quick_safe p m then quick_permitted p m else false.

Lemma quick_safe_spec : forall p m, quick_safe p m = safe t p m.
Proof. unfold quick_safe, safe; intros; rewrite quick_in_check_spec; reflexivity. Qed.

Lemma quick_permitted_spec : forall p m,
  quick_permitted p m = allows_drop_pawn_mate t || negb (is_drop_pawn_mate t p m).
Proof.
  unfold quick_permitted, quick_drop_pawn_mate, is_drop_pawn_mate.
  intros p [|[] [] to]; destruct (allows_drop_pawn_mate t); try reflexivity.
  rewrite quick_in_check_spec, not_any, (any_same _ _ _ _ (quick_safe_spec _)); reflexivity.
Qed.

Lemma quick_allowed_spec : forall p m, quick_allowed p m = allowed t p m.
Proof.
  unfold quick_allowed, allowed; intros.
  rewrite quick_safe_spec, quick_permitted_spec; reflexivity.
Qed.

Definition quick_legal (p : position) : list move :=
  filter (quick_allowed p) (board_moves t p ++ drops t p).

Lemma quick_legal_spec : forall p, quick_legal p = legal t p.
Proof. intros p; apply filter_ext, quick_allowed_spec. Qed.

(** Whether the condition holds of all positions that a legal move leads to. Each move is played
    once. Where the king is in no check, nobody looks for one after a drop. *)
Definition all_after (f : position -> bool) (p : position) : bool :=
  let c := turn p in
  let after_move m :=
    let q := play p m in
    if quick_in_check (on_board q) c then true else f q in
  let checked := quick_in_check (on_board p) c in
  let may_expose m := if checked then true else
                        match m with Drop k _ _ => is_king k | Move _ _ _ => true end in
  let after_drop m :=
    let q := play p m in
    if (if may_expose m then quick_in_check (on_board q) c else false) then true
    else if quick_permitted p m then f q else true in
  if all after_move (board_moves t p) then all after_drop (drops t p) else false.

Lemma drop_spec : forall p m, In m (drops t p) ->
  exists k f to, m = Drop k f to /\ look (on_board p) to = Some None.
Proof.
  unfold drops; intros p m H.
  apply in_flat_map in H; destruct H as (k & _ & H).
  apply in_flat_map in H; destruct H as (f & _ & H).
  apply in_flat_map in H; destruct H as ((to, content) & I & H); apply in_squares in I.
  destruct content; [contradiction|].
  destruct may_drop; [|contradiction]. destruct H as [<-|[]]; exists k, f, to; auto.
Qed.

Lemma board_move_spec : forall p m, In m (board_moves t p) ->
  exists from to turns, m = Move from to turns.
Proof.
  unfold board_moves; intros p m H.
  apply in_flat_map in H; destruct H as ((s, [q|]) & _ & H); [|contradiction].
  destruct same_colour; [|contradiction].
  apply in_flat_map in H; destruct H as (u & _ & H); apply in_map_iff in H.
  destruct H as (turns & <- & _); eauto.
Qed.

Lemma all_after_spec : forall f p, all_after f p = all (fun m => f (play p m)) (legal t p).
Proof.
  unfold all_after, legal; intros f p; cbv zeta; rewrite all_filter, all_app.
  replace (all (fun m => if allowed t p m then f (play p m) else true) (board_moves t p))
    with (all (fun m => if quick_in_check (on_board (play p m)) (turn p) then true
                        else f (play p m)) (board_moves t p)).
  2: { apply all_same; intros m I; rewrite <- quick_allowed_spec.
       destruct (board_move_spec p m I) as (from & to & turns & ->).
       unfold quick_allowed, quick_permitted, quick_safe.
       destruct quick_in_check, (allows_drop_pawn_mate t); reflexivity. }
  destruct all; [|reflexivity].
  apply all_same; intros m I; rewrite <- quick_allowed_spec; unfold quick_allowed, quick_safe.
  destruct (drop_spec p m I) as (k & g & to & -> & E).
  destruct (quick_in_check (on_board (play p (Drop k g to))) (turn p)) eqn:D;
    destruct (quick_in_check (on_board p) (turn p)) eqn:C; try reflexivity;
    destruct (is_king k) eqn:K; try reflexivity.
  replace (on_board (play p (Drop k g to)))
    with (put (on_board p) to (Some (Piece (turn p) k g))) in D
    by (cbn [play]; unfold after; destruct (turn p); reflexivity).
  apply check_after_drop in D; congruence.
Qed.

End Quick.
