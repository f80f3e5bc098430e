#!/usr/bin/env bash
# Packs the libraries and the program as for crates.io, and checks that what was packed compiles by itself.
#
# `cargo publish --dry-run` alone would build all dependencies once more for its own check; this one shares
# those of `cargo check`.
set -euo pipefail
cd "$(dirname "$0")/.."
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
cargo publish --dry-run --no-verify --workspace --allow-dirty --target-dir "$target"

packages=()
for package in $(grep --max-count=1 --no-filename '^name' crates/*/Cargo.toml | cut -d'"' -f2); do
  packages+=(--package "$package")
done
rm -rf "$target"/package
cargo package --no-verify --allow-dirty "${packages[@]}" --target-dir "$target"

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
