# The image of Ghostlight: `docker build -t ghostlight .` in the repository, for amd64 and arm64.
# The lockfile decides every version: also of the Node that runs the service. That of the first stages only runs npm.
ARG NODE_IMAGE=docker.io/library/node:24-trixie-slim
ARG BASE_IMAGE=docker.io/library/debian:trixie-slim

FROM ${NODE_IMAGE} AS manifests
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY packages/collector/package.json packages/collector/
COPY packages/core/package.json packages/core/
COPY packages/dashboard/package.json packages/dashboard/
COPY packages/node/package.json packages/node/
COPY packages/sdk/package.json packages/sdk/
COPY packages/server/package.json packages/server/
COPY packages/tail/package.json packages/tail/

FROM manifests AS build
RUN npm ci --ignore-scripts
COPY . .
RUN npm run package

# What the service needs at run time, where Node finds it from /app/server/dist.
FROM manifests AS dependencies
RUN npm ci --ignore-scripts --omit=dev --workspace=packages/server --include-workspace-root
COPY deploy/image/collect.js /collect.mjs
COPY --from=build /src/packages/server/dist/packages.json /inside.json
RUN node /collect.mjs /src /app /inside.json

FROM ${BASE_IMAGE}
# Node is linked against libatomic, which the slim image lacks.
RUN apt-get update \
  && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends libatomic1 \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/log/*
COPY --from=dependencies /app /app
COPY --from=build /src/dist/ghostlight /app
COPY deploy/image/health.js deploy/image/warm.js /app/image/
ENV PATH=/app/bin:/usr/local/bin:/usr/bin:/bin \
  NODE_ENV=production \
  NODE_COMPILE_CACHE=/app/compiled \
  HOST=0.0.0.0 \
  PORT=8080 \
  DATA_DIR=/data \
  HOME=/tmp
# A first start, so that Node compiles all code once. Node looks for its compile cache by user id, so that user compiles. The cache is
# then read-only, as is everything except /data and /tmp.
RUN ln -s ../server/bin/ghostlight.js /app/bin/ghostlight \
  && install -d -m 0777 /app/compiled \
  && install -d -m 0700 -o 10001 -g 10001 /data \
  && setpriv --reuid=10001 --regid=10001 --clear-groups node /app/image/warm.js \
  && rm -rf /tmp/* \
  && chown -R root:root /app/compiled && chmod -R a+rX,a-w /app/compiled
WORKDIR /app
USER 10001:10001
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
# Asks whether the process answers. /readyz would have some supervisors restart a node that waits for its database.
HEALTHCHECK --interval=10s --timeout=5s --start-period=2m --retries=3 CMD ["node", "/app/image/health.js", "/healthz"]
LABEL org.opencontainers.image.title="Ghostlight" \
  org.opencontainers.image.description="Self-hosted analytics of AI crawlers, AI referrals and agents" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.base.name="docker.io/library/debian:trixie-slim"
ENTRYPOINT ["ghostlight"]
CMD ["serve"]
