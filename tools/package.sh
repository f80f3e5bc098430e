#!/usr/bin/env bash
# Packs the programs into an archive, as a release has it: `tools/package.sh TARGET FOLDER OUT` takes
# `shogi` and `shogi-usi` for TARGET from FOLDER and writes OUT/shogi-VERSION-TARGET.tar.gz, for Windows .zip,
# with manual pages, completions, licences and a SHA-256 sum beside it.
set -euo pipefail
target=$1 built=$(realpath "$2") out=$3
mkdir -p "$out"
out=$(realpath "$out")
cd "$(dirname "$0")/.."
case $target in
  *windows*) suffix=.exe ;;
  *) suffix= ;;
esac
version=$("$built/shogi$suffix" --version | cut -d' ' -f2)
name=shogi-$version-$target
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=$work/$name
mkdir -p "$folder/completions"
cp "$built/shogi$suffix" "$built/shogi-usi$suffix" LICENSE-APACHE LICENSE-MIT CHANGELOG.md "$folder"
cp crates/shogi-cli/README.md "$folder/README.md"
"$folder/shogi$suffix" manual "$folder/man/man1"
for shell in bash zsh fish elvish powershell; do
  "$folder/shogi$suffix" completions "$shell" >"$folder/completions/shogi.$shell"
done
if [ -n "$suffix" ]; then
  archive=$name.zip
  (cd "$work" && 7z a -bd -r "$out/$archive" "$name" >/dev/null)
else
  archive=$name.tar.gz
  tar --create --gzip --file "$out/$archive" --directory "$work" "$name"
fi
cd "$out"
if command -v sha256sum >/dev/null; then sha256sum "$archive"; else shasum -a 256 "$archive"; fi >"$archive.sha256"
echo "$out/$archive"
