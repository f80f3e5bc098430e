# The formula for a tap of Homebrew. tools/packaging_sums.py fills in version and sums.
class ShogiVariants < Formula
  desc "Small-board shogi: rules, records, counting, solving, tablebases, mates, a player"
  homepage "https://github.com/shogi-variants/shogi-variants"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@RELEASE@/shogi-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256:shogi-@VERSION@-aarch64-apple-darwin.tar.gz@"
    end
    on_intel do
      url "@RELEASE@/shogi-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256:shogi-@VERSION@-x86_64-apple-darwin.tar.gz@"
    end
  end

  on_linux do
    on_arm do
      url "@RELEASE@/shogi-@VERSION@-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256:shogi-@VERSION@-aarch64-unknown-linux-musl.tar.gz@"
    end
    on_intel do
      url "@RELEASE@/shogi-@VERSION@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256:shogi-@VERSION@-x86_64-unknown-linux-musl.tar.gz@"
    end
  end

  def install
    bin.install "shogi", "shogi-usi"
    man1.install Dir["man/man1/*"]
    bash_completion.install "completions/shogi.bash" => "shogi"
    zsh_completion.install "completions/shogi.zsh" => "_shogi"
    fish_completion.install "completions/shogi.fish"
  end

  test do
    assert_match "\"nodes\":8276188", shell_output("#{bin}/shogi perft minishogi 6 --json")
  end
end
