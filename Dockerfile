# The program alone, as a server of tablebases or as a worker on proofs:
#
#     docker build --tag shogi .
#     docker run --rm shogi selftest --quick
#     docker run --rm --publish 9000:9000 --volume "$PWD:/data" shogi serve --host 0.0.0.0 --port 9000 E1G2L2.tablebase
#     docker run --rm --volume "$PWD:/data" shogi proof work --job job.json --out answer.json
FROM rust:1.95-slim-bookworm AS build
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN cargo build --locked --profile dist --package shogi-cli

FROM debian:bookworm-slim
COPY --from=build /source/target/dist/shogi /source/target/dist/shogi-usi /usr/local/bin/
COPY LICENSE-MIT LICENSE-APACHE /usr/share/doc/shogi-variants/
RUN useradd --create-home shogi
USER shogi
WORKDIR /data
ENTRYPOINT ["shogi"]
CMD ["--help"]
