(** * The games here are the same to the left and to the right *)

From Coq Require Import List.
From ShogiVariants Require Import Rules Games Mirror.
Import ListNotations.

(** Each movement of each piece is looked at: its mirror image is in the list as well. *)
Ltac look_at_all := intros [o k f] m; destruct k, f; cbn; intuition (subst; cbn; tauto).

Lemma usual_symmetric : forall files ranks zone perpetual,
  is_symmetric (usual files ranks zone perpetual).
Proof. intros files ranks zone perpetual; look_at_all. Qed.

Lemma kyotoshogi_symmetric : is_symmetric kyotoshogi.
Proof. look_at_all. Qed.

Lemma shogi34_symmetric : is_symmetric shogi34.
Proof. apply usual_symmetric. Qed.

Lemma minishogi_symmetric : is_symmetric minishogi.
Proof. apply usual_symmetric. Qed.

Lemma shogi_symmetric : is_symmetric shogi.
Proof. apply usual_symmetric. Qed.
