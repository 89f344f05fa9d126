# docker build -t fencepost . && docker run --rm -v "$PWD:/work" fencepost check ring.c
FROM node:22-bookworm-slim AS build
WORKDIR /fencepost
COPY . .
RUN npm ci --omit=optional && npm pack --pack-destination /tmp

FROM node:22-bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends clang-16 && rm -rf /var/lib/apt/lists/*
COPY --from=build /tmp/fencepost-*.tgz /tmp/
RUN npm install --global --omit=optional /tmp/fencepost-*.tgz && rm /tmp/fencepost-*.tgz
USER node
WORKDIR /work
ENTRYPOINT ["fencepost"]
