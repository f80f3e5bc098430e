(** * The games: a table and a start for each *)

From Coq Require Import List Bool Arith Ascii String.
From ShogiVariants Require Import Rules.
Import ListNotations.

(** ** Tables *)

Definition usual_front (k : kind) : list movement :=
  match k with
  | Pawn => pawn | Lance => lance | Knight => knight | Silver => silver
  | Gold => gold | Bishop => bishop | Rook => rook | King => king
  end.

Definition usual_back (k : kind) : option (list movement) :=
  match k with
  | Pawn | Lance | Knight | Silver => Some gold
  | Bishop => Some horse
  | Rook => Some dragon
  | Gold | King => None
  end.

(** The rules that standard shogi, Minishogi and 3x4 shogi share. *)
Definition usual (files ranks zone : nat) (perpetual : bool) : table := {|
  files := files;
  ranks := ranks;
  front := usual_front;
  back := usual_back;
  promotes := Optional zone;
  drop_either_face := false;
  allows_nifu := false;
  allows_drop_pawn_mate := false;
  allows_immobile := false;
  perpetual_check_loses := perpetual
|}.

Definition shogi34 : table := usual 3 4 1 false.
Definition minishogi : table := usual 5 5 1 true.
Definition shogi : table := usual 9 9 3 true.

(** Pawn and rook, lance and tokin, knight and gold, silver and bishop are two sides of one piece. *)
Definition kyoto_back (k : kind) : option (list movement) :=
  match k with
  | Pawn => Some rook
  | Lance | Knight => Some gold
  | Silver => Some bishop
  | _ => None
  end.

Definition kyotoshogi : table := {|
  files := 5;
  ranks := 5;
  front := usual_front;
  back := kyoto_back;
  promotes := EveryMove;
  drop_either_face := true;
  allows_nifu := true;
  allows_drop_pawn_mate := true;
  allows_immobile := true;
  perpetual_check_loses := true
|}.

(** ** Starts, as pictures: Gote's pieces in lower case, at the top *)

Definition usual_letter (c : ascii) : option (kind * face) :=
  match c with
  | "P" => Some (Pawn, Front) | "L" => Some (Lance, Front) | "N" => Some (Knight, Front)
  | "S" => Some (Silver, Front) | "G" => Some (Gold, Front) | "B" => Some (Bishop, Front)
  | "R" => Some (Rook, Front) | "K" => Some (King, Front)
  | _ => None
  end%char.

(** In Kyoto shogi each side of a piece has a letter. *)
Definition kyoto_letter (c : ascii) : option (kind * face) :=
  match c with
  | "R" => Some (Pawn, Back) | "T" => Some (Lance, Back)
  | "G" => Some (Knight, Back) | "B" => Some (Silver, Back)
  | _ => usual_letter c
  end%char.

Definition capital (c : ascii) : ascii := ascii_of_nat (nat_of_ascii c - 32).

Definition content (letter : ascii -> option (kind * face)) (c : ascii) : option piece :=
  match letter c, letter (capital c) with
  | Some (k, f), _ => Some (Piece Sente k f)
  | None, Some (k, f) => Some (Piece Gote k f)
  | None, None => None
  end.

(** Rank by rank, as printed, into file by file, as kept. *)
Definition picture (t : table) (letter : ascii -> option (kind * face))
    (rows : list string) : board :=
  map (fun x => map (fun row => match String.get x row with
                                | Some c => content letter c
                                | None => None
                                end) rows) (seq 0 (files t)).

Definition start (t : table) letter rows : position :=
  Position (picture t letter rows) [] [] Sente.

Definition minishogi_start : position := start minishogi usual_letter
  ["rbsgk";
   "....p";
   ".....";
   "P....";
   "KGSBR"]%string.

Definition kyotoshogi_start : position := start kyotoshogi kyoto_letter
  ["pgkst";
   ".....";
   ".....";
   ".....";
   "TSKGP"]%string.

(** The start of 3x4 shogi by Sente's back rank from the left, such as "RKB": a pawn stands before
    the king, and Gote's pieces stand as Sente's after a half turn. *)
Definition shogi34_start (name : string) : position :=
  let lower c := ascii_of_nat (nat_of_ascii c + 32) in
  let pawn_row c := if Ascii.eqb c "K" then "P"%char else "."%char in
  let officers := list_ascii_of_string name in
  let sente := map pawn_row officers in
  let gote row := map (fun c => if Ascii.eqb c "." then c else lower c) (rev row) in
  start shogi34 usual_letter
    (map string_of_list_ascii [gote officers; gote sente; sente; officers]).

Definition shogi_start : position := start shogi usual_letter
  ["lnsgkgsnl";
   ".r.....b.";
   "ppppppppp";
   ".........";
   ".........";
   ".........";
   "PPPPPPPPP";
   ".B.....R.";
   "LNSGKGSNL"]%string.
