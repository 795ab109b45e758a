# Image of the agent, which is an npm workspace with separate packages:
#
#   docker build --file deploy/agent.Dockerfile --tag voice-agent-platform-agent .
#
# Uses Debian instead of Alpine, because LiveKit's native libraries need glibc.

FROM node:22.22.2-bookworm-slim@sha256:9f6d5975c7dca860947d3915877f85607946403fc55349f39b4bc3688448bb6e AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY agent/package.json agent/
COPY console/package.json console/
COPY mcp/package.json mcp/
# Installs only this workspace, without the packages of API and worker.
RUN npm ci --workspace agent --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
# The agent shares the platform's types and decision functions.
COPY domain domain
COPY config config
COPY runtime/network runtime/network
COPY agent agent
RUN npm run build --workspace agent

FROM node:22.22.2-bookworm-slim@sha256:9f6d5975c7dca860947d3915877f85607946403fc55349f39b4bc3688448bb6e AS dependencies
WORKDIR /build
COPY package.json package-lock.json ./
COPY agent/package.json agent/
COPY console/package.json console/
COPY mcp/package.json mcp/
RUN npm ci --workspace agent --omit=dev --ignore-scripts --no-audit --no-fund
# Removes files that the process never loads, such as native libraries of other systems.
COPY dev/build/slim-packages.js dev/build/
RUN node dev/build/slim-packages.js agent/package.json

FROM node:22.22.2-bookworm-slim@sha256:9f6d5975c7dca860947d3915877f85607946403fc55349f39b4bc3688448bb6e
# LiveKit's native library needs the system's certificate authorities, which the slim image lacks. Node has Mozilla's list.
RUN mkdir -p /etc/ssl/certs && node -e "require('node:fs').writeFileSync('/etc/ssl/certs/ca-certificates.crt', require('node:tls').rootCertificates.join('\n'))"
# Folder for recordings that wait for upload. A volume mounted here inherits the folder's owner.
RUN mkdir -m 700 /recordings && chown node:node /recordings
WORKDIR /agent
COPY --from=dependencies /build/node_modules node_modules
COPY --from=build /build/agent/dist dist
COPY agent/package.json LICENSE ./
ENV NODE_ENV=production AGENT_HEALTH_PORT=3030 AGENT_RECORDINGS_DIR=/recordings
USER node
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.AGENT_HEALTH_PORT + '/readyz').then(async (answer) => { console.log(await answer.text()); process.exit(answer.ok ? 0 : 1) }, () => process.exit(1))"]
CMD ["node", "dist/agent/main.js"]
