#!/usr/bin/env python3
"""Links of the book: a preprocessor for mdBook, and a check of what it has built.

    tools/book_links.py check target/book

As a preprocessor (docs/book.toml) it turns links that lead out of the book, such as ../crates and the logs in notes/, into
links to the repository on the web, and links to a README.md into those to its page. It puts the tables of fields, made from
answers.schema.json, into reference/json.md. The check follows every link of the built
pages: to a file of the book, to an element of a page, or to a file or folder of the repository, which must be
in this checkout. Links to other sites are not followed. The exit code is 1 if a link leads nowhere.
"""

import json
import posixpath
import re
import sys
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

ROOT = Path(__file__).resolve().parent.parent
BOOK = tomllib.loads((ROOT / "docs/book.toml").read_text(encoding="utf-8"))
REPOSITORY = BOOK["output"]["html"]["git-repository-url"]
# The target of a link or picture, behind its text.
LINK = re.compile(r"(\]\()([^)\s]+)")
SCHEMA = ROOT / "docs/reference/answers.schema.json"
# Where reference/json.md takes the tables of fields.
FIELDS = "<!-- tables of fields -->"


def on_the_web(path: str) -> str:
    """The address of a file or folder of the repository; `path` may end in a place in it."""
    path, mark, place = path.partition("#")
    kind = "tree" if (ROOT / path).is_dir() else "blob"
    return f"{REPOSITORY}/{kind}/main/{path}{mark}{place}"


def rewrite(text: str, document: str) -> str:
    """The document with its links out of the book as addresses on the web."""

    def link(found: re.Match[str]) -> str:
        before, target = found.groups()
        if urlsplit(target).scheme or target.startswith("#"):
            return found[0]
        path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(document), target))
        if not path.startswith("docs/") or path.startswith("docs/notes/"):
            return before + on_the_web(path)
        # mdBook makes index.html of README.md, and leaves links to it as they are.
        return before + re.sub(r"(^|/)README\.md", r"\1index.md", target)

    return LINK.sub(link, text)


def kind(schema: dict) -> str:
    """The type of a field in words."""
    if "enum" in schema:
        return ", ".join("null" if value is None else f"`{value}`" for value in schema["enum"])
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    words = []
    for name in kinds:
        word = {"string": "text", "boolean": "true or false"}.get(name, name)
        items = schema.get("items")
        words.append(f"array of {kind(items)}" if name == "array" and items else word)
    return " or ".join(words)


def fields() -> str:
    """A section for each definition of the schema, with a table of its fields."""
    sections = []
    for name, definition in json.loads(SCHEMA.read_text(encoding="utf-8"))["$defs"].items():
        rows = ["| field | type | |", "|---|---|---|"]
        for field, schema in definition["properties"].items():
            words = [] if field in definition.get("required", []) else ["*optional*"]
            words += [schema["description"]] if "description" in schema else []
            rows.append(f"| `{field}` | {kind(schema)} | {': '.join(words)} |")
        sections.append("\n".join([f"## {name}", "", definition["description"], "", *rows]))
    return "\n\n".join(sections)


def preprocess() -> None:
    """Answers mdBook: a book in JSON on standard input, the changed one on standard output."""
    _, book = json.load(sys.stdin)

    def walk(items: list) -> None:
        for item in items:
            if isinstance(item, dict) and "Chapter" in item:
                chapter = item["Chapter"]
                if chapter["path"]:
                    content = chapter["content"].replace(FIELDS, fields())
                    chapter["content"] = rewrite(content, chapter["path"])
                walk(chapter["sub_items"])

    walk(book.get("items", book.get("sections")))
    json.dump(book, sys.stdout)


class Page(HTMLParser):
    """The links of a page and the names in it."""

    def __init__(self, text: str):
        super().__init__()
        self.links: list[str] = []
        self.names: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list) -> None:
        for name, value in attributes:
            if value is not None and name in ("href", "src"):
                self.links.append(value)
            elif value is not None and name in ("id", "name"):
                self.names.add(value)


def check(folder: Path) -> int:
    """Follows the links of all pages; prints those that lead nowhere, and returns how many they are."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")}
    lost = followed = 0
    for path, page in sorted(pages.items()):
        # What mdBook shows for a path that is not there has addresses of its own.
        if path.name == "404.html":
            continue
        for link in page.links:
            reason = follow(path, link, folder, pages)
            followed += 1
            if reason:
                lost += 1
                print(f"{path.relative_to(folder)}: {link}: {reason}")
    print(f"{followed} links of {len(pages)} pages followed, {lost} lead nowhere")
    return lost


def follow(path: Path, link: str, folder: Path, pages: dict[Path, Page]) -> str | None:
    """Why a link leads nowhere, if it does."""
    if link.startswith(REPOSITORY + "/"):
        parts = urlsplit(link).path.removeprefix(urlsplit(REPOSITORY).path).strip("/").split("/")
        # Pages that exist on the web only, such as that of the issues, name no file.
        if len(parts) > 2 and parts[0] in ("blob", "tree", "edit"):
            target = ROOT / unquote("/".join(parts[2:]))
            return None if target.exists() else "the repository has no such file"
        return None
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    base = "/" + path.relative_to(folder).as_posix()
    target = folder / unquote(urlsplit(urljoin(base, link)).path).lstrip("/")
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return "the book has no such file"
    # The explorer takes a proof behind the #, which names no place.
    names_place = parts.fragment and not parts.fragment.startswith("proof=")
    if names_place and target in pages and unquote(parts.fragment) not in pages[target].names:
        return "the page has no such place"
    return None


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments[:1] == ["supports"]:
        sys.exit(0)
    if arguments[:1] == ["check"] and len(arguments) == 2:
        sys.exit(1 if check(Path(arguments[1]).resolve()) else 0)
    if arguments:
        sys.exit(__doc__)
    preprocess()
