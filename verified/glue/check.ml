(* check FILE...: reads proofs and has the extracted checker accept or refuse them. *)

open Checker

type kind = Wins | Does_not_lose

(* What the theorem of a strategy needs checked: an entry, and the root. *)
let entry_check kind (store : Store.t) =
  let check = match kind with Wins -> folded_win_entry | Does_not_lose -> folded_draw_entry in
  check store.game.Game.table store.prover (Number.of_int store.count) (Store.position_at store) (Store.answer_at store)
    (Store.rank_at store) (Store.find store)

let rank_of store p =
  let i = Store.entry store p in
  if i = store.Store.count then 0 else Number.to_int (Store.rank_at store (Number.of_int i))

(* The plies that are claimed: the root's rank, or one more than the largest after a reply. *)
let plies (store : Store.t) root =
  if root.turn = store.prover then rank_of store root
  else
    let table = store.game.Game.table in
    List.fold_left (fun most m -> max most (1 + rank_of store (play root m))) 0 (legal table root)

let root_check kind (store : Store.t) root =
  let table = store.game.Game.table and count = Number.of_int store.count in
  let position = Store.position_at store and find = Store.find store in
  match kind with
  | Wins -> folded_win_root table store.prover count position (Store.rank_at store) find root (Number.of_int (plies store root))
  | Does_not_lose -> folded_draw_root table store.prover count position find root

let block = 10

(* Whether 2^depth entries from number [i] on pass. *)
let passes check count depth i = try check_block count check (Number.to_nat depth) (Number.of_int i) with Store.No_move -> false

(* The first entry of a block that is refused: by halves, each of which is checked again. *)
let rec first_refused check count depth i =
  if depth = 0 then i
  else if passes check count (depth - 1) i then first_refused check count (depth - 1) (i + (1 lsl (depth - 1)))
  else first_refused check count (depth - 1) i

(* Checks the blocks that are [mine] among those of [jobs] processes: the first entry refused, if one is.
   Together they are all of the entries ([ranges_join]). *)
let check_blocks check (store : Store.t) jobs mine progress =
  let count = Number.of_int store.count in
  let rec from i =
    if i >= store.count then None
    else begin
      progress i;
      if passes check count block i then from (i + (jobs lsl block)) else Some (first_refused check count block i)
    end
  in
  from (mine lsl block)

let show_progress (store : Store.t) started shown i =
  let now = Unix.gettimeofday () in
  if now -. !shown > 1. then begin
    shown := now;
    let left = (now -. started) *. float (store.count - i) /. float (max 1 i) in
    Printf.eprintf "\r%d of %d entries, %.0f s to go   %!" i store.count left
  end

(* All entries, by several processes. The store is made before they part, so that they share it. *)
let check_entries kind (store : Store.t) jobs =
  let check = entry_check kind store in
  let started = Unix.gettimeofday () in
  let shown = ref started in
  let progress = if Unix.isatty Unix.stderr then show_progress store started shown else ignore in
  let worker mine =
    let input, output = Unix.pipe () in
    match Unix.fork () with
    | 0 ->
        Unix.close input;
        let channel = Unix.out_channel_of_descr output in
        let refused = check_blocks check store jobs mine ignore in
        Marshal.to_channel channel (refused, store.found) [];
        close_out channel;
        Unix._exit 0
    | pid -> Unix.close output; (pid, Unix.in_channel_of_descr input)
  in
  let others = List.init (jobs - 1) (fun j -> worker (j + 1)) in
  let own = check_blocks check store jobs 0 progress in
  let result (pid, channel) =
    let refused, (found : Bytes.t) =
      try Marshal.from_channel channel with End_of_file -> failwith "a process of the check has died"
    in
    ignore (Unix.waitpid [] pid);
    Bytes.iteri (fun i byte -> if byte <> '\000' then Bytes.set store.found i byte) found;
    (refused : int option)
  in
  let refused = List.filter_map Fun.id (own :: List.map result others) in
  if progress != ignore then Printf.eprintf "\r%!";
  match List.sort compare refused with [] -> None | first :: _ -> Some first

let colour_name = function Sente -> "Sente" | Gote -> "Gote"

(* The first entry that no line from the root reaches, if there is one. The theorems need none of this: such entries
   prove nothing, and the program refuses them, too. [unfound] is for wins that are checked: of the entries that no line
   reaches none is found from the root, and the one with the highest rank is not found from another entry either. *)
let unfound (store : Store.t) = Bytes.index_opt store.found '\000'

let unreached (store : Store.t) root =
  let table = store.game.Game.table in
  let reached = Bytes.make store.count '\000' in
  let rec follow = function
    | [] -> ()
    | i :: rest when i >= store.count || Bytes.get reached i <> '\000' -> follow rest
    | i :: rest ->
        Bytes.set reached i '\001';
        let p = Store.decode store i in
        follow (List.rev_append (entries_after (play p (Store.answer_at store (Number.of_int i)))) rest)
  and entries_after q = List.map (fun reply -> Store.entry store (play q reply)) (quick_legal table q) in
  follow (if root.turn = store.prover then [ Store.entry store root ] else entries_after root);
  Bytes.index_opt reached '\000'

exception Refused of string

let refuse format = Printf.ksprintf (fun text -> raise (Refused text)) format

let check_strategy kind jobs root (strategy : Proof_file.strategy) =
  let store = strategy.store in
  if kind = Wins && not strategy.ranked then refuse "a win needs ranks";
  (match check_entries kind store jobs with
  | Some i ->
      let p = Store.decode store i in
      refuse "entry %d of %s is refused: %s" i (colour_name store.prover) (Notation.sfen store.game p)
  | None -> ());
  if not (root_check kind store root) then refuse "the root is refused: %s" (Notation.sfen store.game root);
  match (match kind with Wins -> unfound store | Does_not_lose -> unreached store root) with
  | Some i -> refuse "no line leads to entry %d of %s: %s" i (colour_name store.prover) (Notation.sfen store.game (Store.decode store i))
  | None -> ()

(* Perpetual check loses in some games, and files of draws do not number their entries. *)
let number_checks (strategy : Proof_file.strategy) =
  let store = strategy.store in
  if not strategy.ranked then
    try Perpetual.number store
    with Perpetual.Circle i ->
      refuse "entry %d of %s leads back to itself by checks alone: %s" i (colour_name store.prover)
        (Notation.sfen store.game (Store.decode store i))

let claim_text (proof : Proof_file.t) =
  match proof.claim with
  | Win c ->
      let most = match proof.strategies with s :: _ -> plies s.store proof.root | [] -> 0 in
      Printf.sprintf "%s wins within %d plies" (colour_name c) most
  | Not_lose c -> Printf.sprintf "%s does not lose" (colour_name c)
  | Draw -> "neither player loses: a draw"

let check_proof jobs (proof : Proof_file.t) =
  let game = proof.game in
  match proof.claim with
  | Win _ -> List.iter (check_strategy Wins jobs proof.root) proof.strategies
  | Not_lose _ | Draw ->
      if not game.Game.draws then refuse "in %s a repetition is not drawn" game.name;
      if game.table.perpetual_check_loses then List.iter number_checks proof.strategies;
      List.iter (check_strategy Does_not_lose jobs proof.root) proof.strategies

let check_file jobs path =
  let say format = Printf.printf format in
  say "file      %s\n" path;
  try
    let started = Unix.gettimeofday () in
    let proof = Proof_file.read path in
    let read = Unix.gettimeofday () in
    say "hash      %s\n" (Blake3.hex proof.hash);
    say "variant   %s\n" proof.game.Game.name;
    say "root      %s\n" proof.root_text;
    say "claim     %s\n" (claim_text proof);
    say "entries   %d\n%!" (List.fold_left (fun sum s -> sum + s.Proof_file.store.Store.count) 0 proof.strategies);
    check_proof jobs proof;
    say "time      %.1f s to read, %.1f s to check\n" (read -. started) (Unix.gettimeofday () -. read);
    say "accepted  by %s\n%!" (match proof.claim with Win _ -> "folded_wins" | _ -> "folded_does_not_lose");
    true
  with
  | Proof_file.Damaged reason | Refused reason | Sys_error reason -> say "refused   %s\n%!" reason; false

let print_source name path =
  try
    let proof = Proof_file.read path in
    match proof.strategies with
    | [ { store; ranked = true } ] -> Coq_source.print name proof (plies store proof.root)
    | _ -> refuse "%s is not the proof of a win" path
  with Proof_file.Damaged reason | Refused reason | Sys_error reason -> prerr_endline reason; exit 1

let usage () =
  prerr_endline "usage: check [--jobs N] FILE... | check --coq NAME FILE\nChecks proof files by the machine-checked checker. Exit 0: all accepted; 1: one refused; 2: usage.";
  exit 2

let () =
  (* Nearly all that is made is dropped at once: a nursery of 8 MB takes a seventh off the time. *)
  Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 20 };
  let rec arguments jobs = function
    | "--jobs" :: n :: rest -> (
        match int_of_string_opt n with Some n when n >= 1 && n <= 256 -> arguments n rest | _ -> usage ())
    | files when files <> [] && not (List.exists (fun f -> String.length f > 1 && f.[0] = '-') files) -> (jobs, files)
    | _ -> usage ()
  in
  match List.tl (Array.to_list Sys.argv) with
  | [ "--coq"; name; path ] -> print_source name path
  | given ->
      let jobs, files = arguments 1 given in
      let accepted = List.map (check_file jobs) files in
      if not (List.for_all Fun.id accepted) then exit 1
