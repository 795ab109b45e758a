/** Variables of the MCP server, the simulated carriers, the local stack and the tests. */
import { baseAddress, flag, hosts, integer, port, text, variable } from './variable';

const MCP_SERVER = ['mcp', 'mcp-http'] as const;
const SIMULATED = ['simulator', 'sip-stand-in'] as const;

const simulatedMs = integer({ min: 0, max: 3_600_000, unit: 'milliseconds' });

const serverPath = (description: string) => variable({ kind: text, readBy: ['stack', 'tests'], description });
const testedPath = (description: string) => variable({ kind: text, readBy: ['tests'], description });

export const TOOLS = {
  SIMULATOR_PORT: variable({
    kind: port,
    default: 7080,
    readBy: ['simulator'],
    description: 'Port of the simulator. 0 means any free port.',
  }),
  SIP_STAND_IN_PORT: variable({
    kind: port,
    default: 7080,
    readBy: ['sip-stand-in'],
    description: 'Port of the SIP stand-in. 0 means any free port.',
  }),
  SIMULATOR_LOG: variable({
    kind: text,
    default: { simulator: '.data/simulator.jsonl', 'sip-stand-in': '.data/sip-stand-in.jsonl' },
    readBy: SIMULATED,
    as: 'logPath',
    description:
      'Log file of JSON lines. Calls in it continue when the simulator starts. `npm start` and `npm run demo` put it in <DATA_DIR>/logs.',
  }),
  SIMULATOR_RING_MS: variable({
    kind: simulatedMs,
    default: 2000,
    readBy: SIMULATED,
    as: 'ringMs',
    description: 'How long a simulated phone rings, ±30 % depending on the number.',
  }),
  SIMULATOR_TALK_MS: variable({
    kind: simulatedMs,
    default: 4000,
    readBy: SIMULATED,
    as: 'talkMs',
    description: 'How long a simulated callee talks, ±30 % depending on the number.',
  }),
  SIMULATOR_RING_CAP_MS: variable({
    kind: simulatedMs,
    readBy: SIMULATED,
    as: 'ringCapMs',
    description: 'Maximum time that an unanswered phone rings, even if the ring timeout is longer.',
  }),
  VOICE_API_URL: variable({
    kind: baseAddress('http', 'https'),
    default: 'http://127.0.0.1:8080',
    readBy: MCP_SERVER,
    as: 'apiUrl',
    description: 'Address of the API for the MCP server.',
  }),
  VOICE_API_KEY: variable({
    kind: text,
    readBy: MCP_SERVER,
    requiredBy: ['mcp'],
    description:
      'API key with the scope `read`, for the stdio transport. Over HTTP, each request sends its own key.',
  }),
  MCP_HOST: variable({
    kind: text,
    default: '127.0.0.1',
    readBy: MCP_SERVER,
    description: 'Address to listen on with --http.',
  }),
  MCP_PORT: variable({
    kind: port,
    default: 8090,
    readBy: MCP_SERVER,
    description: 'Port to listen on with --http.',
  }),
  MCP_ALLOWED_HOSTS: variable({
    kind: hosts,
    default: '',
    readBy: MCP_SERVER,
    description: 'Additional host names to accept in the `Host` and `Origin` headers.',
  }),
  MCP_MODEL_CONFIRMS: variable({
    kind: flag,
    default: false,
    readBy: MCP_SERVER,
    as: 'modelConfirms',
    description: "true lets the model confirm a change if its client can't ask the person (mcp/README.md).",
  }),
  TEMPORAL_CLI_PATH: serverPath(
    "The Temporal CLI. By default it's looked up on PATH and in the cache, then downloaded from the vendor or built with Go.",
  ),
  LIVEKIT_SERVER_PATH: serverPath(
    "LiveKit's server, for `npm start -- --livekit` and `npm test`. By default it's looked up, downloaded or built like the Temporal CLI.",
  ),
  REDIS_SERVER_PATH: serverPath(
    "The Redis server, for `npm start -- --livekit` and `npm test`. By default it's looked up on PATH.",
  ),
  LIVEKIT_SIP_PATH: testedPath(
    "LiveKit's SIP bridge, for `npm run test:sip`. By default it's looked up on PATH.",
  ),
  SIPP_PATH: testedPath("SIPp, for `npm run test:sip`. By default it's looked up on PATH."),
  CHROMIUM_PATH: serverPath("Chromium, for `npm test`. By default it's looked up on PATH."),
  PYTHON_PATH: serverPath(
    "Python 3.10 or newer for `npm run talk`, 3.11 for tests of the Python client. By default it's looked up on PATH.",
  ),
  TEMPORAL_SERVER_PATH: testedPath(
    "Temporal's production server, with temporal-sql-tool in the same folder, for `npm run bench` and `npm run test:long`. By default it's looked up on PATH and in the cache, or built with Go.",
  ),
  TEMPORAL_UI_PATH: testedPath(
    "Temporal's Web UI (`ui-server`), for `npm run test:compose`. By default it's looked up on PATH and in the cache, or built with Go.",
  ),
  TEMPORAL_TEST_SERVER_PATH: testedPath(
    "Temporal's time-skipping test server, for `npm test`. By default it's looked up on PATH and in the cache, or downloaded with Maven.",
  ),
  XDG_CACHE_HOME: serverPath(
    'Downloaded and built servers are cached in <XDG_CACHE_HOME>/voice-agent-platform. The default is ~/.cache, or /var/cache for root.',
  ),
  CI: testedPath(
    "true makes a run fail if a suite's server is missing. By default `npm test` only names the suite at the end.",
  ),
  REQUIRE_SERVERS: testedPath(
    'true has the same effect as CI. `npm run test:long`, `test:sip` and `test:console` set it.',
  ),
};
