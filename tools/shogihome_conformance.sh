#!/usr/bin/env bash
# ShogiHome's own parser of manifests and its conformance test, run on a folder that tools/wasm_engine.sh has made.
#
#     tools/wasm_engine.sh all target/engine && tools/shogihome_conformance.sh target/engine
#
# Needs git, Node.js with npm, and a network the first time; SHOGIHOME names another repository to clone from.
# ShogiHome's sources lie in target/shogihome at the commit below; the engine is put where ShogiHome has its engines, and
# named in its catalogue.
set -euo pipefail
cd "$(dirname "$0")/.."
engine=${1:?usage: tools/shogihome_conformance.sh FOLDER}
COMMIT=040d2921d6f9b37ce3768b44dad86a0bc0668939
shogihome=$PWD/${CARGO_TARGET_DIR:-target}/shogihome

if [ "$(git -C "$shogihome" rev-parse HEAD 2>/dev/null)" != "$COMMIT" ]; then
  rm -rf "$shogihome"
  git init --quiet "$shogihome"
  git -C "$shogihome" fetch --quiet --depth 1 "${SHOGIHOME:-https://github.com/sunfish-shogi/shogihome}" "$COMMIT"
  git -C "$shogihome" checkout --quiet FETCH_HEAD
fi

rm -rf "$shogihome"/public/engines/shogi-variants
cp -r "$engine" "$shogihome/public/engines/shogi-variants"
catalogue=src/renderer/wasm-engine/catalog.ts
git -C "$shogihome" checkout --quiet -- "$catalogue"
sed -i 's/BUILTIN_ENGINE_DIRS = \[/&"shogi-variants", /' "$shogihome/$catalogue"
grep -q '"shogi-variants", ' "$shogihome/$catalogue"

# Of what ShogiHome depends on these tests need only this.
test=$shogihome/conformance
mkdir -p "$test"
printf '{ "private": true, "type": "module" }\n' >"$test/package.json"
npm install --prefix "$test" --silent --no-audit --no-fund --ignore-scripts vitest@4.1.12 tsshogi@2.2.0 encoding-japanese@2.2.0
cat >"$test/vitest.config.mjs" <<END
export default {
  root: "$shogihome",
  resolve: {
    alias: {
      "@": "$shogihome/src",
      tsshogi: "$test/node_modules/tsshogi",
      "encoding-japanese": "$test/node_modules/encoding-japanese",
    },
  },
  test: {
    globals: true,
    environment: "node",
    include: ["src/tests/engines/conformance.spec.ts", "src/tests/renderer/wasm-engine/manifest.spec.ts"],
  },
};
END
"$test/node_modules/.bin/vitest" run --config "$test/vitest.config.mjs"
