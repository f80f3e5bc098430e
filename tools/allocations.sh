#!/usr/bin/env bash
# Allocations of the player's search, counted by valgrind: those that three times as many nodes need more.
# The search itself asks for no memory after its start, so what is left are the lines that it tells,
# a few for each iteration. More than one for a hundred nodes is an error.
#
#     cargo build --release -p shogi-cli && tools/allocations.sh
set -euo pipefail
cd "$(dirname "$0")/.."
engine=${ENGINE:-target/release/shogi-usi}
command -v valgrind >/dev/null || { echo "valgrind is needed (Debian: apt-get install valgrind)"; exit 1; }

# Allocations of a run that searches so many nodes. Valgrind only counts them: the definedness of values, which it
# would also follow, takes a third of its time.
allocations() {
  printf 'setoption name USI_Variant value %s\nsetoption name USI_Hash value 4\nsetoption name MateProbe value %s\nisready\ngo nodes %s\n' "$@" |
    valgrind --undef-value-errors=no "$engine" 2>&1 >/dev/null | awk '/total heap usage/ { gsub(",", ""); print $5 }'
}

few=10000
many=30000
for variant in minishogi kyotoshogi shogi shogi34 dobutsu; do
  for probe in false true; do
    first=$(allocations "$variant" "$probe" "$few")
    second=$(allocations "$variant" "$probe" "$many")
    awk -v v="$variant" -v p="$probe" -v a="$first" -v b="$second" -v n=$((many - few)) 'BEGIN {
      more = b - a
      printf "%-12s mate probe %-5s %6d and %6d allocations: %4d more for %d nodes more\n", v, p, a, b, more, n
      exit more > n / 100
    }'
  done
done
