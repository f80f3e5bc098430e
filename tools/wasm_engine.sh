#!/usr/bin/env bash
# Builds an engine of USI for the web version of ShogiHome (shogihome-wasm-engine/1) into a folder:
#
#     tools/wasm_engine.sh shogi OUT         or another game that is built in; or all of them
#     LEVEL=-O0 tools/wasm_engine.sh all OUT in less time: Binaryen does not optimise
#     node web/engine/test.mjs OUT           whether it keeps to the interface; needs target/debug/shogi
#
# Needs Rust with the target wasm32-unknown-unknown, and Node.js with npm, which brings Binaryen's wasm-opt.
set -euo pipefail
[ $# = 2 ] || { echo "usage: $0 VARIANT OUT" >&2; exit 2; }
variant=$1
features=$variant
[ "$variant" != all ] || features=shogi,minishogi,kyotoshogi,shogi34,dobutsu,gorogoro,gorogoroplus,judkins,micro,torishogi
out=$(realpath -m "$2")
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}/wasm32-unknown-unknown

# The functions that a suspended search may have frames of: all between `search` of web/engine and the clock. No others
# are made longer by Asyncify; where one is missing, the test finds that a search in slices differs.
functions=(
  search
  '*FnOnce*call_once*'
  '*shogi_rules*inherit*'
  '*begin_short_backtrace*'
  '*shogi_search*Session*go*closure*'
  '*shogi_search*engine*'
  '*shogi_search*think*'
  '*shogi_search*deepening*'
  '*shogi_search*quiescence*'
  '*shogi_search*search*Worker*search*'
  '*shogi_search*search*Worker*null_move*'
  '*shogi_search*Worker*enter*'
  '*shogi_search*Thread*report_nodes*'
  '*shogi_mate*'
  '*Instant*now*'
)

rustup target add wasm32-unknown-unknown >/dev/null 2>&1 || true
# The names of functions are kept for Asyncify, which takes them away. Every browser since 2023 has SIMD.
CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-C target-feature=+simd128" \
  cargo build --quiet --package shogi-engine-wasm --no-default-features --features "$features" \
  --target wasm32-unknown-unknown --profile dist --config profile.dist.strip=false
[ -d web/engine/node_modules ] || (cd web/engine && npm ci --silent --no-audit --no-fund)

mkdir -p "$out"
# What an earlier build has left: names change with the content.
rm -f "$out"/engine*.js "$out"/engine*.wasm
(IFS=, && web/engine/node_modules/.bin/wasm-opt "$target/dist/shogi_engine_wasm.wasm" --output "$out/engine.wasm" \
  --asyncify --pass-arg=asyncify-imports@host.now --pass-arg=asyncify-onlylist@"${functions[*]}" "${LEVEL:--O3}")
cp web/engine/engine.js "$out/"
cat LICENSE-MIT LICENSE-APACHE >"$out/LICENSE.txt"
node web/engine/manifest.mjs "$variant" "$out"
