#!/usr/bin/env bash
# Allocations of the player's search: those that three times as many nodes need more. The search itself takes no
# memory after its start, so what is left are the lines that it reports, a few for each iteration. More than one for
# five hundred nodes is an error.
#
#     cargo build --release -p shogi-cli && tools/allocations.sh
set -euo pipefail
cd "$(dirname "$0")/.."
engine=$(realpath "${ENGINE:-target/release/shogi-usi}")
getconf GNU_LIBC_VERSION >/dev/null 2>&1 || { echo "what is counted are the functions of glibc"; exit 1; }
command -v cc >/dev/null || { echo "cc is needed (Debian: apt-get install gcc)"; exit 1; }

# The allocator is replaced by one that counts: valgrind, which counts too, takes thirty times as long.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -O1 -shared -fPIC -o "$work/counter.so" -x c - <<'C'
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
static atomic_long allocations;

void *malloc(size_t bytes) { allocations++; return __libc_malloc(bytes); }
void *calloc(size_t number, size_t bytes) { allocations++; return __libc_calloc(number, bytes); }
void *realloc(void *old, size_t bytes) { allocations++; return __libc_realloc(old, bytes); }
void *aligned_alloc(size_t alignment, size_t bytes) { allocations++; return __libc_memalign(alignment, bytes); }
int posix_memalign(void **place, size_t alignment, size_t bytes) {
  allocations++;
  *place = __libc_memalign(alignment, bytes);
  return *place ? 0 : ENOMEM;
}
__attribute__((destructor)) static void report(void) { fprintf(stderr, "allocations: %ld\n", allocations); }
C

# Allocations of a run that searches so many nodes, which the answers have to show.
allocations() {
  printf 'setoption name USI_Variant value %s\nsetoption name USI_Hash value 4\nsetoption name MateProbe value %s\nisready\ngo nodes %s\n' "$@" |
    LD_PRELOAD=$work/counter.so "$engine" 2>"$work/errors" >"$work/answers" || { echo "$engine has failed" >&2; exit 1; }
  awk -v most="$3" -v v="$1" '
    /^info / { for (i = 2; i < NF; i++) if ($i == "nodes" && $(i + 1) > nodes) nodes = $(i + 1) }
    /^bestmove / { best = $2 }
    END {
      if (best == "" || best == "resign" || nodes < most / 2 || nodes > 2 * most) {
        printf "%s: the engine was to search %d nodes, and reported %d and the move \"%s\"\n", v, most, nodes, best >"/dev/stderr"
        exit 1
      }
    }' "$work/answers" || exit 1
  awk '/^allocations: / { print $2; found = 1 } END { exit !found }' "$work/errors" ||
    { echo "$engine has not counted: $(head -n 3 "$work/errors")" >&2; exit 1; }
}

few=100000
many=300000
for variant in minishogi kyotoshogi shogi shogi34 dobutsu; do
  for probe in false true; do
    first=$(allocations "$variant" "$probe" "$few")
    second=$(allocations "$variant" "$probe" "$many")
    awk -v v="$variant" -v p="$probe" -v a="$first" -v b="$second" -v n=$((many - few)) 'BEGIN {
      more = b - a
      printf "%-12s mate probe %-5s %6d and %6d allocations: %4d more for %d nodes more\n", v, p, a, b, more, n
      exit a + 0 == 0 || b + 0 == 0 || more > n / 500
    }'
  done
done
