# docker build -t fencepost . && docker run --rm -v "$PWD:/work" fencepost check ring.c
# clang-16 compiles C; the clang from npm, which comes with the package, compiles C++.
FROM node:22-bookworm-slim AS build
WORKDIR /fencepost
COPY . .
# npm ci builds as well. The build tools need their optional dependencies, so none is omitted here.
RUN npm ci && npm pack --ignore-scripts --pack-destination /tmp

FROM node:22-bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends clang-16 && rm -rf /var/lib/apt/lists/*
COPY --from=build /tmp/fencepost-*.tgz /tmp/
RUN npm install --global /tmp/fencepost-*.tgz && rm /tmp/fencepost-*.tgz
USER node
WORKDIR /work
ENTRYPOINT ["fencepost"]
