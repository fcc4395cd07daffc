# The service of `npm start` as an image (docs/deploy/docker.md): not root, nothing written outside of /data and /tmp, no development packages.
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No package runs a script of its own here: none is needed. The Node that npm installs is for machines whose own is too old.
RUN npm ci --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/.bin/node node_modules/node-*
COPY . .
RUN npm run build
# The bundles hold what they need of the packages that are named here, and Node loads none of them; the last step checks it.
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && cd node_modules \
  && rm -rf ../.wrangler .bin/node node-* @e965 @img echarts openai sharp swagger-ui-dist zrender

FROM ${NODE_IMAGE}
# workerd trusts the authorities of the system, and the slim image has none.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /app ./
# What the scripts load must be here; and workerd is tied to the service by these three programs (scripts/lib/watch.mjs).
RUN node -e "for (const name of ['environment', 'rebuild-indexes', 'compute-process', 'backup/place-backup', 'backup/make-backup']) await import('./scripts/lib/' + name + '.mjs'); await import('miniflare')" \
  && setpriv --pdeathsig KILL true && printf a | sed -z s/a/b/ >/dev/null && setsid true \
  && install -d -o 1000 -g 1000 -m 700 /data
# Beyond the container's loopback, because requests come from outside of the container. With keys this is production: PUBLIC_URL and SIGNING_SECRET too.
ENV NODE_ENV=production ENVIRONMENT=production HOST=0.0.0.0 PORT=8787 DATA_DIR=/data
VOLUME /data
EXPOSE 8787
USER 1000:1000
# 503 without keys or with a wrong variable is unhealthy too: the answer says which.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# It is process 1 itself: SIGTERM lets what is under way finish, at most 25 s. Give it 30 (docker stop --time 30).
STOPSIGNAL SIGTERM
CMD ["node", "scripts/start.mjs"]
