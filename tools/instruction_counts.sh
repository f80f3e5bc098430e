#!/usr/bin/env bash
# Instructions per node, sample and expansion, counted by valgrind's callgrind: the same on every run and on a
# noisy machine, so a regression shows.
#
#     cargo build --release -p shogi-cli && tools/instruction_counts.sh
set -euo pipefail
cd "$(dirname "$0")/.."
shogi=${SHOGI:-target/release/shogi}
command -v valgrind >/dev/null || { echo "valgrind is needed (Debian: apt-get install valgrind)"; exit 1; }

# Instructions of one run of the program, on one thread.
instructions() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$shogi" "$@" --threads 1 2>&1 >/dev/null |
    awk '/Collected/ { print $4 }'
}

nodes() { "$shogi" perft "$1" "$2" --json | sed 's/.*"nodes":\([0-9]*\).*/\1/'; }

# The difference of two depths takes the program's start-up out.
perft() {
  local variant=$1 depth=$2
  local deep shallow
  deep=$(instructions perft "$variant" "$depth")
  shallow=$(instructions perft "$variant" $((depth - 1)))
  awk -v i=$((deep - shallow)) -v n=$(($(nodes "$variant" "$depth") - $(nodes "$variant" $((depth - 1))))) \
    -v v="$variant" -v d="$depth" 'BEGIN { printf "%-12s perft %d, bulk: %7.1f instructions a node\n", v, d, i / n }'
}

perft minishogi 5
perft kyotoshogi 5
perft dobutsu 7
perft shogi34 6
perft shogi 4
more=$(instructions estimate minishogi --samples 500000 --seed 1)
less=$(instructions estimate minishogi --samples 100000 --seed 1)
awk -v i=$((more - less)) 'BEGIN { printf "minishogi    estimate:      %7.1f instructions a sample\n", i / 400000 }'

expansions() { "$shogi" solve "$@" --json | sed 's/.*"expansions":\([0-9]*\).*/\1/'; }

# A proof search with leaves 1 and 1, without the look at a small game beside it; again the difference of two budgets.
search() {
  local name=$1
  shift
  local more less expansions
  more=$(instructions solve "$@" --small-game 0 --nodes 600000)
  less=$(instructions solve "$@" --small-game 0 --nodes 200000)
  expansions=$(($(expansions "$@" --nodes 600000) - $(expansions "$@" --nodes 200000)))
  awk -v i=$((more - less)) -v n="$expansions" -v s="$name" \
    'BEGIN { printf "%-28s %7.1f instructions an expansion\n", s ":", i / n }'
}

# A game of the player against itself, each search to the same depth; without the first search, which begins with
# empty tables as the program does.
player() {
  local variant=$1 depth=$2
  local more less nodes
  more=$(instructions bench "$variant" --depth "$depth" --searches 20)
  less=$(instructions bench "$variant" --depth "$depth" --searches 1)
  nodes=$(($(bench_nodes "$variant" "$depth" 20) - $(bench_nodes "$variant" "$depth" 1)))
  awk -v i=$((more - less)) -v n="$nodes" -v v="$variant" -v d="$depth" \
    'BEGIN { printf "%-12s player, depth %2d: %7.1f instructions a node\n", v, d, i / n }'
}

bench_nodes() { "$shogi" bench "$1" --depth "$2" --searches "$3" --json | sed 's/^{"nodes":\([0-9]*\).*/\1/'; }

search "kyotoshogi solve, df-pn" kyotoshogi --sfen "startpos moves 1e1d+ 4a5b-"
search "shogi34 solve RKB, df-pn" shogi34 --start RKB
search "shogi34 solve RKB, PDS" shogi34 --start RKB --algorithm pds

player minishogi 10
player kyotoshogi 8
player shogi 7

# The first six plies of a game with each evaluation; the difference of two budgets for each ply.
evaluation() {
  local eval=$1
  local more less
  more=$(instructions selfplay shogi --games 1 --opening 0 --plies 6 --nodes 40000 --hash 16 --eval "$eval" --out "$folder/played")
  less=$(instructions selfplay shogi --games 1 --opening 0 --plies 6 --nodes 20000 --hash 16 --eval "$eval" --out "$folder/played")
  awk -v i=$((more - less)) -v v="${eval##*/}" \
    'BEGIN { printf "shogi        player, %-9s %6.1f instructions a node\n", v ":", i / 120000 }'
}

# A search of a proof builder with each leaf; the difference of two budgets.
leaf() {
  local more less
  more=$(build "$1" 400000)
  less=$(build "$1" 200000)
  awk -v i=$((more - less)) -v v="$1" 'BEGIN { printf "kyotoshogi   build, leaf %-7s %5.1f instructions a node\n", v ":", i / 200000 }'
}

build() {
  instructions proof build kyotoshogi --sfen "startpos moves 1e1d+ 4a3b-" --leaf "$1" --workers 1 --job "$2" --limit "$2" --nodes "$2" --hash 64 --out "$folder/proof"
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Networks of the forms that are loaded from files; what they have learnt does not matter.
"$shogi" selfplay shogi --games 12 --nodes 30 --seed 3 --out "$folder/games" >/dev/null 2>&1
"$shogi" learn convert shogi "$folder/games" --out "$folder/games.psv" >/dev/null
for form in kp halfkp; do
  "$shogi" learn fit shogi --archive "$folder/games.psv" --form "$form" --passes 1 --out "$folder/$form" >/dev/null 2>&1
done
for eval in standard material weighted "$folder/kp" "$folder/halfkp"; do evaluation "$eval"; done
for leaf in linear effort mean; do leaf "$leaf"; done
