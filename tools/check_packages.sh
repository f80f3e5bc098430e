#!/usr/bin/env bash
# Packs the libraries and the program as for crates.io, and checks that what was packed compiles by itself.
#
# `cargo publish --dry-run` alone would build all dependencies once more for its own check; this one shares
# those of `cargo check`.
set -euo pipefail
cd "$(dirname "$0")/.."
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
# Tests are not packed: they need `testing`, which is not published. Every other warning fails.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cargo publish --dry-run --no-verify --workspace --allow-dirty --target-dir "$target" >"$log" 2>&1 || { cat "$log"; exit 1; }
expected='ignoring test `it` as|aborting upload due to dry run'
if grep -E '^warning' "$log" | grep -vE "$expected"; then
  echo "warnings about what is packed"
  exit 1
fi

packages=()
for package in $(grep --max-count=1 --no-filename '^name' crates/*/Cargo.toml | cut -d'"' -f2); do
  packages+=(--package "$package")
done
rm -rf "$target"/package
cargo package --quiet --no-verify --allow-dirty "${packages[@]}" --target-dir "$target"

packed=$target/packed
rm -rf "$packed"
mkdir -p "$packed"
for file in "$target"/package/*.crate; do
  tar --extract --gzip --file "$file" --directory "$packed"
done
{
  printf '[workspace]\nresolver = "3"\nmembers = ["*"]\n\n[profile.dev]\nopt-level = 1\n\n[patch.crates-io]\n'
  for folder in "$packed"/*/; do
    folder=$(basename "$folder")
    printf '%s = { path = "%s" }\n' "${folder%-*}" "$folder"
  done
} >"$packed/Cargo.toml"
cp Cargo.lock "$packed/Cargo.lock"
cargo check --manifest-path "$packed/Cargo.toml" --workspace --target-dir "$target"
