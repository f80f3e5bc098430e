#!/usr/bin/env bash
# The documents as a book with the explorer in it, for any server of files:
#
#     tools/build_book.sh                        writes target/book; needs Rust, Node.js and mdBook
#     python3 -m http.server --directory target/book
#
# MDBOOK names another mdbook, EXPLORER a folder that `node web/build.mjs --static` has filled already.
set -euo pipefail
cd "$(dirname "$0")/.."
book=target/book

"${MDBOOK:-mdbook}" build docs
if [ -n "${EXPLORER:-}" ]; then
  mkdir -p "$book/explorer"
  cp "$EXPLORER"/* "$book/explorer/"
else
  [ -d web/node_modules ] || (cd web && npm ci --silent --no-audit --no-fund)
  node web/build.mjs --static "$PWD/$book/explorer"
fi
python3 tools/book_links.py check "$book"
