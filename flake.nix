{
  description = "Small-board shogi: rules, records, counting, solving, tablebases, mates, a player";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
      version = (builtins.fromTOML (builtins.readFile ./Cargo.toml)).workspace.package.version;
    in
    {
      packages = each (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = "shogi-variants";
          inherit version;
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          cargoBuildFlags = [ "--package" "shogi-cli" ];
          # The tests of the whole workspace take a quarter of an hour; the check below runs the program.
          doCheck = false;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = ''
            $out/bin/shogi manual man
            installManPage man/*
            for shell in bash zsh fish; do
              $out/bin/shogi completions $shell > shogi.$shell
            done
            installShellCompletion shogi.bash shogi.zsh shogi.fish
          '';
          doInstallCheck = true;
          installCheckPhase = "$out/bin/shogi selftest --quick";
          meta = {
            homepage = "https://github.com/shogi-variants/shogi-variants";
            license = with pkgs.lib.licenses; [ mit asl20 ];
            mainProgram = "shogi";
          };
        };
      });

      devShells = each (pkgs: {
        default = pkgs.mkShell {
          packages = with pkgs; [ cargo clippy rustc rustfmt nodejs python3 ];
        };
      });
    };
}
