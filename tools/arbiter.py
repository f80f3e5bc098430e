"""The arbiter of games between programs: legal moves and ends by our rules, checked by pyffish.

The legal moves and the end of each position are those of `shogi moves`; pyffish is consulted too, and every
difference between the two is counted. Repetitions are counted here.
Moves and positions are in USI and SFEN, in Fairy-Stockfish's dialect.

In Dobutsu shogi whoever can take the lion has won: Fairy-Stockfish 11.1, which Debian has, knows no
move that leaves the lion to be taken, and gets lost in a game with one.
"""

import copy
import json
import random
import subprocess
from dataclasses import dataclass, field

from pyffish_differential import VARIANTS, Position


@dataclass(frozen=True)
class Repetition:
    """When a position that comes up again ends the game, and who wins then (0: Sente, 1: Gote)."""

    count: int = 4
    winner: int | None = None
    checker_loses: bool = True


REPETITION = {
    "minishogi": Repetition(winner=1),
    "kyotoshogi": Repetition(),
    "shogi": Repetition(),
    "dobutsu": Repetition(count=3, checker_loses=False),
}


class Rules:
    """`shogi moves` at the other end of a pipe."""

    def __init__(self, program, name):
        command = [program, "moves", name, "--dialect", "fairy", "--threads", "1"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, start_new_session=True)

    def ask(self, position):
        """The answer to an SFEN."""
        self.process.stdin.write(position + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise ValueError(f"{position}: {answer['error']}")
        return answer

    def close(self):
        self.process.stdin.close()
        self.process.wait()


@dataclass
class Game:
    """A game from the variant's start on."""

    name: str
    rules: Rules
    moves: list = field(default_factory=list)
    # The same ones in pyffish's notation.
    coordinates: list = field(default_factory=list)
    # What pyffish and our program say differently.
    differences: list = field(default_factory=list)
    # The result once the game is over: (winner or None, reason).
    result: tuple | None = None

    def __post_init__(self):
        self.position = Position(self.name)
        self.seen = []
        self._look()

    @property
    def side(self):
        """The player to move: 0 for Sente, 1 for Gote."""
        return len(self.moves) % 2

    @property
    def legal(self):
        """The legal moves by our rules."""
        return self.answer["moves"]

    def play(self, move):
        """Plays a legal move."""
        self.coordinates.append(self.theirs[move])
        self.position.play(self.theirs[move])
        self.moves.append(move)
        self._look()

    def branch(self):
        """The game so far, to be played on apart from this one."""
        other = copy.copy(self)
        for name in ("moves", "coordinates", "differences", "position", "seen"):
            setattr(other, name, copy.deepcopy(getattr(self, name)))
        return other

    def declared(self):
        """The result if the player to move declares a win, by the 27-point rule of shogi."""
        side, hand = self.side, self.position.hands
        mine = [
            [cell for cell in row if cell.isalpha() and cell.isupper() == (side == 0)]
            for row in self.position.letters()
        ]
        camp = sum(mine[:3] if side == 0 else mine[-3:], [])
        king = "K" if side == 0 else "k"
        counted = [cell for cell in camp if cell != king] + [piece for piece in hand if piece.isupper() == (side == 0)]
        points = sum(5 if piece in "RBrb" else 1 for piece in counted)
        entered = self.name == "shogi" and king in camp and len(camp) > 10 and not self.answer["check"]
        valid = entered and points >= (28 if side == 0 else 27)
        return (side if valid else 1 - side, "declaration" if valid else "false declaration")

    def _look(self):
        position = self.position.sfen()
        self.answer = self.rules.ask(position)
        moves, _ = self.position.moves()
        # From USI to pyffish's notation.
        self.theirs = {self.position.usi(move): move for move in moves}
        ours = (self.answer["end"], sorted(self.answer["moves"]))
        if ours != (self.position.end(moves), sorted(self.theirs)):
            self.differences.append(position)
        winner = {"win": self.side, "loss": 1 - self.side}.get(self.answer["end"])
        if self.answer["end"]:
            self.result = (winner, "board")
            return
        if not VARIANTS[self.name].has_check and self._takes_the_lion():
            self.result = (self.side, "lion left to be taken")
            return
        self.seen.append((position, self.answer["check"]))
        self._repetition(REPETITION[self.name])

    def _takes_the_lion(self):
        lion = "l" if self.side == 0 else "L"
        for rank, cells in zip("abcd", self.position.letters()):
            if lion in cells:
                square = f"{len(cells) - cells.index(lion)}{rank}"
                return any(move[2:4] == square for move in self.legal)
        return False

    def _repetition(self, rule):
        now = self.seen[-1][0]
        first = next(at for at, (position, _) in enumerate(self.seen) if position == now)
        if sum(position == now for position, _ in self.seen) < rule.count:
            return
        self.result = (rule.winner, "repetition")
        if rule.checker_loses:
            # The moves that led to positions with this player to move were the opponent's.
            reached = list(enumerate(self.seen))[first + 1 :]
            checkers = [
                all(check for at, (_, check) in reached if at % 2 != player) for player in (0, 1)
            ]
            if checkers[0] != checkers[1]:
                self.result = (1 if checkers[0] else 0, "perpetual check")


def opening(name, rules, plies, seed):
    """Random legal moves from the start that do not end the game."""
    source = random.Random(seed)
    while True:
        game = Game(name, rules)
        for _ in range(plies):
            if game.result:
                break
            game.play(source.choice(game.legal))
        if not game.result:
            return game.moves
