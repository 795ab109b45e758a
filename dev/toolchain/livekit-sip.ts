import type { Tool } from './find-tool';
import { printedVersion } from './printed-version';

/** No program can be downloaded or built with `go install`, because LiveKit releases it as a container image only. */
export const livekitSip: Tool = {
  title: "LiveKit's SIP bridge",
  variable: 'LIVEKIT_SIP_PATH',
  program: 'livekit-sip',
  cacheName: 'livekit-sip',
  vendorArtifact: null,
  remedy:
    'build it from https://github.com/livekit/sip (Go; Debian: apt-get install pkg-config libopus-dev libopusfile-dev libsoxr-dev; ' +
    '"CGO_ENABLED=1 go build ./cmd/livekit-sip", about 5 minutes)',
  verify: async (path, environment) =>
    (await printedVersion({ pattern: /SIP version [\w.-]+/ }, { path, environment })).found,
  build: null,
};
