#!/usr/bin/env bash
# Builds an engine of USI for the web version of ShogiHome (shogihome-wasm-engine/1) into a folder:
#
#     tools/wasm_engine.sh shogi OUT         or another game that is built in; or all of them
#     LEVEL=-O0 tools/wasm_engine.sh all OUT in less time: Binaryen does not optimise
#     THREADS=0 tools/wasm_engine.sh all OUT without the engine with threads, which is for pages with shared memory
#     THREADS=1 tools/wasm_engine.sh all OUT fails where there can be none, in place of leaving it out
#     node web/engine/test.mjs OUT           whether it keeps to the interface; needs target/debug/shogi
#
# Needs Rust with the target wasm32-unknown-unknown, for threads wasm32-wasip1-threads too (rustup installs both, where there
# is a network), and Node.js with npm, which brings Binaryen's wasm-opt.
set -euo pipefail
[ $# = 2 ] || { echo "usage: $0 VARIANT OUT" >&2; exit 2; }
variant=$1
features=$variant
[ "$variant" != all ] || features=shogi,minishogi,kyotoshogi,shogi34,dobutsu,gorogoro,gorogoroplus,judkins,micro,torishogi
out=$(realpath -m "$2")
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}

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
  '*shogi_search*search*Worker*after*'
  '*shogi_search*Worker*enter*'
  '*shogi_search*Thread*report_nodes*'
  '*shogi_mate*'
  '*shogi_core*clock*Instant*'
)

# Whether Rust has the target, which is installed where rustup can.
has_target() {
  rustup target add "$1" >/dev/null 2>&1 || true
  [ -d "$(rustc --print sysroot)/lib/rustlib/$1/lib" ]
}

# Every browser since 2023 has SIMD. What a module needs of its host and the names of functions are kept for Binaryen, which
# takes the names away.
build() {
  RUSTFLAGS="-C target-feature=+simd128" cargo build --quiet --package shogi-engine-wasm --no-default-features \
    --features "$features" --profile dist --config profile.dist.strip=false "$@"
}

has_target wasm32-unknown-unknown || { echo "$0: Rust has no target wasm32-unknown-unknown (rustup target add)" >&2; exit 1; }
build --lib --target wasm32-unknown-unknown
threads=${THREADS:-1}
if [ "$threads" = 1 ] && ! has_target wasm32-wasip1-threads; then
  echo "$0: Rust has no target wasm32-wasip1-threads (rustup target add): no engine with threads" >&2
  [ -z "${THREADS:-}" ] || exit 1
  threads=0
fi
[ "$threads" = 0 ] || build --bin shogi-engine-threads --target wasm32-wasip1-threads
[ -d web/engine/node_modules ] || (cd web/engine && npm ci --silent --no-audit --no-fund)

mkdir -p "$out"
# What an earlier build has left: names change with the content.
rm -f "$out"/engine*.js "$out"/engine*.wasm
# Asyncify comes first: it goes by the names of functions as they were compiled.
optimise() {
  web/engine/node_modules/.bin/wasm-opt "$target/$1" --output "$out/$2" "${@:3}" "${LEVEL:--O3}" --strip-debug --strip-producers
}
(IFS=, && optimise wasm32-unknown-unknown/dist/shogi_engine_wasm.wasm engine.wasm \
  --asyncify --pass-arg=asyncify-imports@host.now --pass-arg=asyncify-onlylist@"${functions[*]}")
cp web/engine/engine.js "$out/"
if [ "$threads" = 1 ]; then
  optimise wasm32-wasip1-threads/dist/shogi-engine-threads.wasm engine-threads.wasm
  cp web/engine/threads.js "$out/engine-threads.js"
  cp web/engine/worker.js "$out/engine-worker.js"
fi
cat LICENSE-MIT LICENSE-APACHE >"$out/LICENSE.txt"
node web/engine/manifest.mjs "$variant" "$out"
