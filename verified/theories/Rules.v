(** * The rules of small-board shogi

    Board, moves, drops, check and the end of a game, over a table of a game's particulars. Whoever
    wants to know what the theorems are about reads this file and Play.v, and no proof. Each
    definition has the name that it has in the Rust crates; README.md sets it beside the rule. *)

From Coq Require Import List Bool Arith.
Import ListNotations.

(** ** Pieces *)

Inductive colour := Sente | Gote.

Definition other (c : colour) : colour := match c with Sente => Gote | Gote => Sente end.

Definition same_colour (c d : colour) : bool :=
  match c, d with Sente, Sente | Gote, Gote => true | _, _ => false end.

Inductive kind := Pawn | Lance | Knight | Silver | Gold | Bishop | Rook | King.

(** The order in which pieces are kept in hand. *)
Definition number (k : kind) : nat :=
  match k with
  | Pawn => 0 | Lance => 1 | Knight => 2 | Silver => 3
  | Gold => 4 | Bishop => 5 | Rook => 6 | King => 7
  end.

(** A piece has two sides, as the wooden ones: it promotes by being turned over. *)
Inductive face := Front | Back.

Record piece := Piece { owner : colour; kind_of : kind; face_of : face }.

(** ** How pieces move *)

(** Directions as the owner sees them: forward, back, left, right, and the knight's two jumps. *)
Inductive direction := F | B | L | R | FL | FR | BL | BR | JumpL | JumpR.

(** One step, or any number of steps over empty squares. *)
Inductive movement := Step (d : direction) | Slide (d : direction).

Definition orthogonal := [F; B; L; R].
Definition diagonal := [FL; FR; BL; BR].

Definition pawn := [Step F].
Definition lance := [Slide F].
Definition knight := [Step JumpL; Step JumpR].
Definition silver := map Step [F; FL; FR; BL; BR].
Definition gold := map Step [F; FL; FR; L; R; B].
Definition bishop := map Slide diagonal.
Definition rook := map Slide orthogonal.
Definition horse := bishop ++ map Step orthogonal.
Definition dragon := rook ++ map Step diagonal.
Definition king := map Step (orthogonal ++ diagonal).

(** ** What differs from game to game *)

Inductive promotion :=
  | Optional (zone : nat)  (** On entering, leaving or moving inside the last [zone] ranks. *)
  | EveryMove.             (** Every piece but the king turns over whenever it moves. *)

Record table := Table {
  files : nat;
  ranks : nat;
  front : kind -> list movement;         (** How a piece moves. *)
  back : kind -> option (list movement); (** How it moves turned over, if it has a back. *)
  promotes : promotion;
  drop_either_face : bool;               (** May a piece be dropped with its back up? *)
  allows_nifu : bool;                    (** Two pawns of one player on a file. *)
  allows_drop_pawn_mate : bool;          (** Mate by dropping a pawn. *)
  allows_immobile : bool;                (** A piece where it could never move again. *)
  perpetual_check_loses : bool           (** Repetition by checks alone loses for who gives them. *)
}.

(** ** Board and position *)

(** File, from the left of a diagram, and rank, from the top; both from 0. *)
Definition square : Type := nat * nat.

(** The files from the left, each from the top. *)
Definition board : Type := list (list (option piece)).

(** The pieces in hand, in the order of [kind]. *)
Definition hand : Type := list kind.

Record position := Position {
  on_board : board;
  sente_hand : hand;
  gote_hand : hand;
  turn : colour
}.

Definition hand_of (p : position) (c : colour) : hand :=
  match c with Sente => sente_hand p | Gote => gote_hand p end.

(** [None] off the board, [Some None] on an empty square. *)
Definition look (b : board) (s : square) : option (option piece) :=
  match nth_error b (fst s) with Some file => nth_error file (snd s) | None => None end.

Fixpoint replace {A} (n : nat) (x : A) (l : list A) : list A :=
  match l, n with
  | [], _ => []
  | _ :: rest, O => x :: rest
  | y :: rest, S n => y :: replace n x rest
  end.

Definition put (b : board) (s : square) (content : option piece) : board :=
  match nth_error b (fst s) with
  | Some file => replace (fst s) (replace (snd s) content file) b
  | None => b
  end.

(** Squares with what stands on them, file by file: of one file from rank [y] on, and then [others];
    of the files from [x] on. *)
Fixpoint file_squares (x y : nat) (file : list (option piece))
    (others : list (square * option piece)) : list (square * option piece) :=
  match file with
  | [] => others
  | content :: file => ((x, y), content) :: file_squares x (S y) file others
  end.

Fixpoint squares_from (x : nat) (b : board) : list (square * option piece) :=
  match b with
  | [] => []
  | file :: b => file_squares x 0 file (squares_from (S x) b)
  end.

Definition squares (b : board) : list (square * option piece) := squares_from 0 b.

(** ** Where a piece goes *)

(** The half turn: what is forward to Gote is down the diagram. *)
Definition seen_by (c : colour) (d : direction) : direction :=
  match c with
  | Sente => d
  | Gote => match d with
            | F => B | B => F | L => R | R => L
            | FL => BR | BR => FL | FR => BL | BL => FR
            | JumpL => JumpL | JumpR => JumpR
            end
  end.

Definition up (s : square) : option square :=
  match s with (x, S y) => Some (x, y) | (_, O) => None end.
Definition down (s : square) : option square := Some (fst s, S (snd s)).
Definition leftward (s : square) : option square :=
  match s with (S x, y) => Some (x, y) | (O, _) => None end.
Definition rightward (s : square) : option square := Some (S (fst s), snd s).

Definition and_then (s : option square) (f : square -> option square) : option square :=
  match s with Some s => f s | None => None end.

(** The next square in a direction as [c] sees it; it may lie beyond the far edges. *)
Definition next (c : colour) (d : direction) (s : square) : option square :=
  match seen_by c d with
  | F => up s
  | B => down s
  | L => leftward s
  | R => rightward s
  | FL => and_then (up s) leftward
  | FR => and_then (up s) rightward
  | BL => and_then (down s) leftward
  | BR => and_then (down s) rightward
  | JumpL => let ahead := match c with Sente => up | Gote => down end in
             and_then (and_then (ahead s) ahead) leftward
  | JumpR => let ahead := match c with Sente => up | Gote => down end in
             and_then (and_then (ahead s) ahead) rightward
  end.

Section Rules.
Variable t : table.

Definition movements (p : piece) : list movement :=
  match face_of p with
  | Front => front t (kind_of p)
  | Back => match back t (kind_of p) with Some m => m | None => [] end
  end.

(** At most [n] steps of [c]'s piece, up to the first piece on the way, which may be captured. *)
Fixpoint walk (n : nat) (b : board) (c : colour) (d : direction) (s : square) : list square :=
  match n with
  | O => []
  | S n => match next c d s with
           | None => []
           | Some s => match look b s with
                       | None => []
                       | Some None => s :: walk n b c d s
                       | Some (Some q) => if same_colour (owner q) c then [] else [s]
                       end
           end
  end.

Definition targets (b : board) (p : piece) (s : square) : list square :=
  flat_map (fun m => match m with
                     | Step d => walk 1 b (owner p) d s
                     | Slide d => walk (files t + ranks t) b (owner p) d s
                     end) (movements p).

Definition is_king_of (c : colour) (content : option (option piece)) : bool :=
  match content with
  | Some (Some (Piece d King _)) => same_colour c d
  | _ => false
  end.

(** Could an opponent's piece capture the king of [c]? *)
Definition in_check (b : board) (c : colour) : bool :=
  existsb (fun '(s, content) =>
    match content with
    | Some p => if same_colour (owner p) c then false
                else existsb (fun u => is_king_of c (look b u)) (targets b p s)
    | None => false
    end) (squares b).

(** ** Moves *)

Inductive move :=
  | Move (from to : square) (turns_over : bool)
  | Drop (k : kind) (f : face) (to : square).

Definition in_zone (zone : nat) (c : colour) (s : square) : bool :=
  match c with Sente => snd s <? zone | Gote => ranks t <=? snd s + zone end.

(** Can the piece ever move from there, on an empty board? *)
Definition mobile (p : piece) (s : square) : bool :=
  existsb (fun m => match next (owner p) (match m with Step d | Slide d => d end) s with
                    | Some (x, y) => (x <? files t) && (y <? ranks t)
                    | None => false
                    end) (movements p).

Definition flip (f : face) : face := match f with Front => Back | Back => Front end.

Definition turned (p : piece) : piece := Piece (owner p) (kind_of p) (flip (face_of p)).

Definition may_show (p : piece) (s : square) : bool := allows_immobile t || mobile p s.

(** Whether the piece turns over: both answers where the player may choose. *)
Definition promotions (p : piece) (from to : square) : list bool :=
  match back t (kind_of p) with
  | None => [false]
  | Some _ =>
      match promotes t with
      | EveryMove => [true]
      | Optional zone =>
          (if may_show p to then [false] else []) ++
          match face_of p with
          | Front => if in_zone zone (owner p) from || in_zone zone (owner p) to
                     then [true] else []
          | Back => []
          end
      end
  end.

Definition board_moves (p : position) : list move :=
  flat_map (fun '(s, content) =>
    match content with
    | Some q =>
        if same_colour (owner q) (turn p)
        then flat_map (fun u => map (Move s u) (promotions q s u)) (targets (on_board p) q s)
        else []
    | None => []
    end) (squares (on_board p)).

Definition is_pawn_of (c : colour) (content : option piece) : bool :=
  match content with
  | Some (Piece d Pawn Front) => same_colour c d
  | _ => false
  end.

(** Would a pawn be the second of its owner on the file? *)
Definition is_nifu (b : board) (q : piece) (s : square) : bool :=
  is_pawn_of (owner q) (Some q) && existsb (is_pawn_of (owner q)) (nth (fst s) b []).

Definition may_drop (p : position) (q : piece) (s : square) : bool :=
  may_show q s && (allows_nifu t || negb (is_nifu (on_board p) q s)).

Definition faces (k : kind) : list face :=
  match back t k with
  | Some _ => if drop_either_face t then [Front; Back] else [Front]
  | None => [Front]
  end.

(** Each kind once, also where several pieces of it are in hand. *)
Fixpoint kinds_in (h : hand) : list kind :=
  match h with
  | [] => []
  | k :: rest => match rest with
                 | l :: _ => if number k =? number l then kinds_in rest else k :: kinds_in rest
                 | [] => [k]
                 end
  end.

Definition drops (p : position) : list move :=
  flat_map (fun k => flat_map (fun f => flat_map (fun '(s, content) =>
    match content with
    | Some _ => []
    | None => if may_drop p (Piece (turn p) k f) s then [Drop k f s] else []
    end) (squares (on_board p))) (faces k)) (kinds_in (hand_of p (turn p))).

(** ** Playing a move *)

Fixpoint add_to_hand (k : kind) (h : hand) : hand :=
  match h with
  | [] => [k]
  | l :: rest => if number k <=? number l then k :: h else l :: add_to_hand k rest
  end.

Fixpoint take_from_hand (k : kind) (h : hand) : hand :=
  match h with
  | [] => []
  | l :: rest => if number k =? number l then rest else l :: take_from_hand k rest
  end.

(** The position after a player's turn. *)
Definition after (p : position) (b : board) (h : hand) : position :=
  match turn p with
  | Sente => Position b h (gote_hand p) Gote
  | Gote => Position b (sente_hand p) h Sente
  end.

(** What is captured comes into the hand; in a hand pieces have no side up. *)
Definition play (p : position) (m : move) : position :=
  let b := on_board p in
  let h := hand_of p (turn p) in
  match m with
  | Move from to turns_over =>
      match look b from with
      | Some (Some q) =>
          after p
            (put (put b from None) to (Some (if turns_over then turned q else q)))
            (match look b to with Some (Some r) => add_to_hand (kind_of r) h | _ => h end)
      | _ => after p b h
      end
  | Drop k f to => after p (put b to (Some (Piece (turn p) k f))) (take_from_hand k h)
  end.

(** ** Legal moves *)

(** A player may not leave the own king in check. *)
Definition safe (p : position) (m : move) : bool :=
  negb (in_check (on_board (play p m)) (turn p)).

(** A pawn's check comes from the next square, so that no drop answers it: the moves on the board
    decide whether it is mate. *)
Definition is_drop_pawn_mate (p : position) (m : move) : bool :=
  match m with
  | Drop Pawn Front _ =>
      let q := play p m in
      if in_check (on_board q) (turn q)
      then negb (existsb (safe q) (board_moves q))
      else false
  | _ => false
  end.

Definition allowed (p : position) (m : move) : bool :=
  if safe p m then allows_drop_pawn_mate t || negb (is_drop_pawn_mate p m) else false.

(** All legal moves. A player who has none has lost, by mate or by stalemate. *)
Definition legal (p : position) : list move :=
  filter (allowed p) (board_moves p ++ drops p).

End Rules.
