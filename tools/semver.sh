#!/usr/bin/env bash
# Compares the public interface of each library with the version of it that is published, and fails where a change
# needs a higher version than Cargo.toml has. A library that is not published yet is named and left out.
#
# Needs cargo-semver-checks (cargo install cargo-semver-checks --version 0.51) and a network.
set -euo pipefail
cd "$(dirname "$0")/.."
failed=
for manifest in crates/*/Cargo.toml; do
  package=$(grep --max-count=1 '^name' "$manifest" | cut -d'"' -f2)
  [ "$package" != shogi-cli ] || continue # Its library is for its programs alone.
  if cargo info --registry crates-io --quiet "$package" >/dev/null 2>&1; then
    cargo semver-checks --package "$package" || failed="$failed $package"
  else
    echo "$package is not published yet"
  fi
done
[ -z "$failed" ] || { echo "changes that need a higher version:$failed"; exit 1; }
