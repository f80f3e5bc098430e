#!/bin/sh
# Installs `shogi` and `shogi-usi` from a release into a folder, after checking their sum:
#
#     curl --proto '=https' --tlsv1.2 -LsSf https://github.com/shogi-variants/shogi-variants/releases/latest/download/install.sh | sh
#
# SHOGI_VERSION   a version such as 0.1.0, in place of the newest
# SHOGI_FOLDER    where the programs go, in place of ~/.local/bin
# SHOGI_RELEASES  another place of releases, such as a mirror
set -eu

releases=${SHOGI_RELEASES:-https://github.com/shogi-variants/shogi-variants/releases}
folder=${SHOGI_FOLDER:-$HOME/.local/bin}

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

# Programs linked to the system's C library need glibc 2.35; the others are static.
linux_library() {
  glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null | cut -d' ' -f2)
  oldest=$(printf '%s\n2.35\n' "${glibc:-0}" | sort -t. -k1,1n -k2,2n | head -n 1)
  if [ "$oldest" = 2.35 ]; then echo gnu; else echo musl; fi
}

target() {
  case $(uname -m) in
    x86_64 | amd64) processor=x86_64 ;;
    aarch64 | arm64) processor=aarch64 ;;
    *) fail "no program is built for the processor $(uname -m); cargo install shogi-cli compiles one" ;;
  esac
  case $(uname -s) in
    Linux) echo "$processor-unknown-linux-$(linux_library)" ;;
    Darwin) echo "$processor-apple-darwin" ;;
    *) fail "no program is built for $(uname -s) here; on Windows use install.ps1" ;;
  esac
}

fetch() {
  if command -v curl >/dev/null; then curl -LsSf --output "$2" "$1"
  elif command -v wget >/dev/null; then wget --quiet --output-document "$2" "$1"
  else fail "curl or wget is needed"
  fi || fail "cannot fetch $1"
}

# The newest version: where GitHub's address of it leads.
newest() {
  command -v curl >/dev/null || fail "curl is needed to find the newest version; or set SHOGI_VERSION"
  curl -LsSf --output /dev/null --write-out '%{url_effective}' "$releases/latest" | sed 's|.*/v||'
}

check_sum() {
  if command -v sha256sum >/dev/null; then sha256sum --check --status "$1"
  else shasum --algorithm 256 --check --status "$1"
  fi || fail "$1 does not have the sum of its release"
}

version=${SHOGI_VERSION:-$(newest)}
[ -n "$version" ] || fail "cannot find the newest version at $releases/latest"
name=shogi-$version-$(target)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for file in "$name.tar.gz" "$name.tar.gz.sha256"; do
  fetch "$releases/download/v$version/$file" "$file"
done
check_sum "$name.tar.gz.sha256"
tar -xzf "$name.tar.gz"
mkdir -p "$folder"
for program in shogi shogi-usi; do
  # Replaced in one step, so that a running program is left alone.
  cp "$name/$program" "$folder/.$program.new"
  mv "$folder/.$program.new" "$folder/$program"
done
echo "shogi $version is in $folder"
case :$PATH: in
  *":$folder:"*) ;;
  *) echo "add it to the path: export PATH=\"$folder:\$PATH\"" ;;
esac
