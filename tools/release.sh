#!/usr/bin/env bash
# Rehearses a release without a network and without publishing anything: packs every crate, puts the packages into an empty
# registry on this machine, builds each library alone from there, installs the program from there, and runs it.
#
#     tools/release.sh            everything
#     tools/release.sh --pack     only what is packed, and the order of publishing
#
# What it needs lies in Cargo's cache after `cargo fetch`. What is built shares target/release-rehearsal.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
work=$(realpath -m "${CARGO_TARGET_DIR:-target}")/release-rehearsal
rm -rf "$work/registry" "$work/users" "$work/root"
mkdir -p "$work/users"

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
grep --quiet "^## \[$version\]" CHANGELOG.md || { echo "CHANGELOG.md has no section [$version]"; exit 1; }
grep --quiet "^version: $version$" CITATION.cff || { echo "CITATION.cff is of another version than $version"; exit 1; }

packages=()
for package in $(grep --max-count=1 --no-filename '^name' crates/*/Cargo.toml | cut -d'"' -f2); do
  packages+=("$package")
done
cargo package --offline --no-verify --allow-dirty --target-dir "$work" "${packages[@]/#/--package=}"
python3 tools/local_registry.py "$work/package" "$work/registry"
[ "${1:-}" != --pack ] || exit 0

# The users stand outside of this workspace, and see the registry instead of crates.io.
mkdir -p "$work/users/.cargo"
cat >"$work/users/.cargo/config.toml" <<END
[source.crates-io]
replace-with = "rehearsal"
[source.rehearsal]
local-registry = "$work/registry"
[net]
offline = true
[build]
target-dir = "$work/built"
# The program computes for a while below.
[profile.dev]
opt-level = 1
debug = false
END
for package in "${packages[@]}"; do
  [ "$package" != shogi-cli ] || continue
  user=$work/users/uses-$package
  mkdir -p "$user/src"
  printf '[package]\nname = "uses-%s"\nversion = "0.0.0"\nedition = "2024"\n\n[workspace]\n\n[dependencies]\n%s = "=%s"\n' \
    "$package" "$package" "$version" >"$user/Cargo.toml"
  library=${package//-/_}
  [ "$package" != shogi-variants-core ] || library=shogi_core
  printf '//! Uses one crate of the release alone.\nuse %s as _;\n' "$library" >"$user/src/lib.rs"
  echo "== $package alone"
  (cd "$user" && cargo check --quiet)
done

echo "== installing the program"
# It reads no settings of the folder it runs in.
(cd "$work/users" && cargo install --config "$work/users/.cargo/config.toml" --quiet --debug --root "$work/root" --version "$version" shogi-cli)
"$work/root/bin/shogi" --version
"$work/root/bin/shogi" selftest --quick | tail -n 1
printf 'usi\nquit\n' | "$work/root/bin/shogi-usi" | tail -n 1
cd "$root"
echo "release $version: ${#packages[@]} crates packed, built alone and installed"
