"""Compares what Coq prints of the statements with the block that README.md shows: statements.py PRINTED README.

With --write the block is replaced instead. Line breaks and blanks do not count.
"""

import pathlib
import sys

START, END = "<!-- statements -->\n```coq\n", "```\n<!-- end of statements -->"


def main(arguments):
    write = "--write" in arguments
    printed, readme = (pathlib.Path(name) for name in arguments if name != "--write")
    text = readme.read_text()
    before, rest = text.split(START)
    shown, after = rest.split(END)
    if write:
        readme.write_text(before + START + printed.read_text() + END + after)
    elif shown.split() != printed.read_text().split():
        sys.exit(f"{readme} shows other statements than Coq prints: statements.py --write {printed} {readme}")
    else:
        print("README.md shows the statements as Coq prints them")


main(sys.argv[1:])
