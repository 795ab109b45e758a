# Image for the API, the worker, migrations, replays and the admin CLI. The container's command chooses which one runs:
#
#   docker build --file deploy/platform.Dockerfile --tag voice-agent-platform .
#
# Uses Debian instead of Alpine, because Temporal's native library needs glibc.

FROM node:22.22.2-bookworm-slim@sha256:9f6d5975c7dca860947d3915877f85607946403fc55349f39b4bc3688448bb6e AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY agent/package.json agent/
COPY console/package.json console/
COPY mcp/package.json mcp/
# Skips install scripts, because they only set up a local Postgres and the tests' compiler.
RUN npm ci --workspaces=false --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.image.json ./
COPY api api
COPY domain domain
COPY workflows workflows
COPY activities activities
COPY worker worker
COPY db db
COPY config config
COPY runtime runtime
COPY dev/build/copy-sql.ts dev/build/
COPY dev/stack/repository.ts dev/stack/
# For the replay of open workflows before a deployment.
COPY dev/error-text.ts dev/
COPY verify/histories/fetch-history.ts verify/histories/
COPY verify/histories/running verify/histories/running
RUN npm run build:image

FROM node:22.22.2-bookworm-slim@sha256:9f6d5975c7dca860947d3915877f85607946403fc55349f39b4bc3688448bb6e AS console
WORKDIR /build
COPY package.json package-lock.json ./
COPY agent/package.json agent/
COPY console/package.json console/
COPY mcp/package.json mcp/
RUN npm ci --workspace console --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY sdk/typescript sdk/typescript
COPY domain domain
COPY examples/agents examples/agents
COPY console console
RUN npm run build --workspace console

FROM node:22.22.2-bookworm-slim@sha256:9f6d5975c7dca860947d3915877f85607946403fc55349f39b4bc3688448bb6e AS dependencies
WORKDIR /build
COPY package.json package-lock.json ./
COPY agent/package.json agent/
COPY console/package.json console/
COPY mcp/package.json mcp/
RUN npm ci --workspaces=false --omit=dev --ignore-scripts --no-audit --no-fund
# Removes files that the processes never load, such as native libraries of other systems.
COPY dev/build/slim-packages.js dev/build/
RUN node dev/build/slim-packages.js package.json

FROM node:22.22.2-bookworm-slim@sha256:9f6d5975c7dca860947d3915877f85607946403fc55349f39b4bc3688448bb6e
# Temporal's native library needs the system's certificate authorities, which the slim image lacks. Node has Mozilla's list.
RUN mkdir -p /etc/ssl/certs && node -e "require('node:fs').writeFileSync('/etc/ssl/certs/ca-certificates.crt', require('node:tls').rootCertificates.join('\n'))"
# Folder for contact files and recordings if there is no bucket. A volume mounted here inherits the folder's owner.
RUN mkdir /data && chown node:node /data
WORKDIR /platform
COPY --from=dependencies /build/node_modules node_modules
COPY --from=build /build/dist/api dist/api
COPY --from=build /build/dist/domain dist/domain
COPY --from=build /build/dist/workflows dist/workflows
COPY --from=build /build/dist/activities dist/activities
COPY --from=build /build/dist/worker dist/worker
COPY --from=build /build/dist/db dist/db
COPY --from=build /build/dist/config dist/config
COPY --from=build /build/dist/runtime dist/runtime
COPY --from=build /build/dist/verify dist/verify
COPY --from=build /build/dist/dev/error-text.js dist/dev/
# The second bundle is for a worker that sends traces.
COPY --from=build /build/dist/workflow-bundle.js /build/dist/workflow-bundle-traced.js dist/
COPY --from=console /build/console/dist console/dist
COPY package.json LICENSE ./
# V8's four background threads would use more processor time than one does.
ENV NODE_ENV=production NODE_OPTIONS=--v8-pool-size=1 DATA_DIR=/data
USER node
EXPOSE 8080
# Health check of the API, which is the default command. docker-compose.yml defines those of other processes.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/api/main.js"]
