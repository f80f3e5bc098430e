"""Changes each rule on purpose and sees that a comparison with the program notices: mutations.py SHOGI."""

import pathlib
import shutil
import sys
import tempfile

import test

HERE = pathlib.Path(__file__).resolve().parent

# What is changed: a file, what stands there, what stands there instead, and a game that notices.
MUTATIONS = [
    ("a pawn steps back", "Rules", "Definition pawn := [Step F].", "Definition pawn := [Step B].", "minishogi"),
    ("a silver has no step back", "Rules", "[F; FL; FR; BL; BR].", "[F; FL; FR; BL].", "minishogi"),
    ("a gold steps diagonally back", "Rules", "[F; FL; FR; L; R; B].", "[F; FL; FR; L; R; B; BL].", "minishogi"),
    ("a dragon is a rook", "Rules", "rook ++ map Step diagonal", "rook", "minishogi"),
    ("a knight jumps to one side", "Rules", "[Step JumpL; Step JumpR]", "[Step JumpL]", "kyotoshogi"),
    ("sliders jump", "Rules", "then [] else [s]", "then [] else s :: walk n b c d s", "minishogi"),
    ("own pieces are captured", "Rules", "if same_colour (owner q) c then [] else [s]", "[s]", "minishogi"),
    ("the zone is a rank deeper", "Games", "usual 5 5 1 true", "usual 5 5 2 true", "minishogi"),
    ("no promotion on leaving the zone", "Rules", "in_zone zone (owner p) from || in_zone", "in_zone", "minishogi"),
    ("promotion is forced", "Rules", "(if may_show p to then [false] else [])", "(if in_zone zone (owner p) to then [] else [false])", "minishogi"),
    ("pieces may be immobile", "Games", "allows_immobile := false", "allows_immobile := true", "minishogi"),
    ("nifu is legal", "Games", "allows_nifu := false", "allows_nifu := true", "minishogi"),
    ("a promoted pawn counts for nifu", "Rules", "| Some (Piece d Pawn Front) => same_colour c d", "| Some (Piece d Pawn _) => same_colour c d", "minishogi"),
    ("a pawn's drop may mate", "Games", "allows_drop_pawn_mate := false", "allows_drop_pawn_mate := true", "minishogi"),
    ("no pawn's drop may check", "Rules", "then negb (existsb (safe q) (board_moves q))", "then true", "minishogi"),
    ("the king may be left in check", "Rules", "negb (in_check (on_board (play p m)) (turn p)).", "true || negb (in_check (on_board p) (turn p)).", "minishogi"),
    ("what is captured is lost", "Rules", "Some (Some r) => add_to_hand (kind_of r) h", "Some (Some r) => h", "minishogi"),
    ("Kyoto: drops with the front up alone", "Games", "drop_either_face := true", "drop_either_face := false", "kyotoshogi"),
    ("Kyoto: a piece may keep its side", "Rules", "| EveryMove => [true]", "| EveryMove => [false; true]", "kyotoshogi"),
    ("Kyoto: a lance's back is a bishop", "Games", "| Lance | Knight => Some gold", "| Knight => Some gold\n  | Lance => Some bishop", "kyotoshogi"),
]

PERFT = {"minishogi": [14, 181, 2512, 35401, 533203], "kyotoshogi": [12, 137, 1636, 18268, 225903]}

EXTRACT = """From Coq Require Import List NArith Extraction ExtrOcamlBasic.
From ShogiVariants Require Import Rules Games.
Extraction Language OCaml.
Definition some_number : N := 0.
Extraction "checker.ml" legal board_moves drops allowed play in_check add_to_hand safe is_drop_pawn_mate
  shogi34 minishogi kyotoshogi some_number.
"""


def build(folder):
    """The program of the rules in a folder, which has their sources."""
    theories = folder / "theories"
    (theories / "Extract.v").write_text(EXTRACT)
    coq = ["coqc", "-q", "-Q", theories, "ShogiVariants"]
    for name in ["Rules", "Games", "Extract"]:
        test.run(*coq, theories / f"{name}.v", cwd=folder)
    sources = ["checker.mli", "checker.ml", "number.ml", "blake3.ml", "game.ml", "notation.ml", "rules.ml"]
    test.run("ocamlfind", "ocamlopt", "-w", "-a", "-package", "unix", "-linkpkg", *sources, "-o", "rules", cwd=folder)
    return folder / "rules"


def noticed(shogi, change, folder):
    what, name, old, new, variant = change
    shutil.copytree(HERE / "theories", folder / "theories", ignore=shutil.ignore_patterns("*.vo*", "*.glob", ".*"))
    for source in (HERE / "glue").glob("*.ml"):
        shutil.copy(source, folder)
    path = folder / "theories" / f"{name}.v"
    text = path.read_text()
    assert text.count(old) >= 1, f"{what}: {old!r} does not stand in {name}.v"
    path.write_text(text.replace(old, new))
    rules = build(folder)
    sfens = test.positions(variant, 1000) + ([] if variant == "kyotoshogi" else test.positions(variant, 20, "mates"))
    differ = sum(1 for _ in test.differing(rules, shogi, variant, sfens))
    if differ:
        print(f"{what}: {differ} of {len(sfens)} positions of {variant} differ")
        return True
    # What a move does to the hands shows only in the moves after it.
    nodes = int(test.run(rules, "perft", variant, len(PERFT[variant]), test.STARTS[variant]).stdout)
    print(f"{what}: no position differs, perft of {variant} is {nodes}, not {PERFT[variant][-1]}")
    return nodes != PERFT[variant][-1]


def main(arguments):
    (shogi,) = arguments
    missed = []
    for change in MUTATIONS:
        with tempfile.TemporaryDirectory() as folder:
            if not noticed(str(pathlib.Path(shogi).resolve()), change, pathlib.Path(folder)):
                missed.append(change[0])
    if missed:
        sys.exit(f"not noticed: {', '.join(missed)}")
    print(f"{len(MUTATIONS)} changes of the rules, all noticed")


if __name__ == "__main__":
    main(sys.argv[1:])
