"""Legal moves and checks by Fairy-Stockfish.

Every call of pyffish sets the rules of the variant up anew, which takes a millisecond or two. The program
`fairy-stockfish` keeps them and answers in a tenth of one, so that it is used where it is installed; of Dobutsu
shogi it (version 11.1, which Debian has) leaves out moves after which the lion can be taken, Tori shogi and Yari shogi it
does not know, and pyffish is used.
"""

import functools
import os
import shutil
import subprocess

import pyffish

PROGRAM = shutil.which("fairy-stockfish", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
LESS_KNOWN = {"dobutsu", "torishogi", "yarishogi"}


class Program:
    """`fairy-stockfish` at the other end of a pipe, with the rules of one variant."""

    def __init__(self, name):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([PROGRAM], stdin=pipe, stdout=pipe, text=True)
        self._send("uci", f"setoption name UCI_Variant value {name}")
        self.asked = self.answer = None

    def _send(self, *lines):
        self.process.stdin.write("\n".join(lines) + "\n")
        self.process.stdin.flush()

    def ask(self, fen, moves):
        """Whether the side to move is in check after these moves, and its legal moves. The last answer is kept."""
        if self.asked != (fen, moves):
            played = f" moves {' '.join(moves)}" if moves else ""
            self._send(f"position fen {fen}{played}", "d", "go perft 1")
            check, legal = False, []
            for line in self.process.stdout:
                word, _, rest = line.partition(":")
                if word == "Checkers":
                    check, legal = bool(rest.strip()), []
                elif word == "Nodes searched":
                    break
                elif rest.strip() == "1":
                    legal.append(word)
            else:
                raise RuntimeError(f"fairy-stockfish has ended at {fen}{played}")
            self.asked, self.answer = (fen, list(moves)), (check, legal)
        return self.answer


@functools.cache
def _program(_process, name):
    return Program(name)


def _ask(name, fen, moves):
    """The answer of the program of this process; a fork would share the pipe of its parent."""
    return _program(os.getpid(), name).ask(fen, moves)


def legal_moves(name, fen, moves):
    """The legal moves after these moves from a position, sorted, since versions list them in different orders."""
    if PROGRAM is None or name in LESS_KNOWN:
        return sorted(pyffish.legal_moves(name, fen, moves))
    return sorted(_ask(name, fen, moves)[1])


def gives_check(name, fen, moves):
    """Whether the side to move after these moves is in check."""
    if PROGRAM is None or name in LESS_KNOWN:
        return pyffish.gives_check(name, fen, moves)
    return _ask(name, fen, moves)[0]
