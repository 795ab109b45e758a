/** Variables for conversations. The agent imports no other table, because its image lacks the packages that the other tables need. */
import { DEFAULT_TIME_ZONE, isTimeZone } from '../domain/local-time';
import { CONNECTIONS } from './connections';
import { baseAddress, choice, hosts, integer, number, parsed, port, text, variable } from './variable';

const AGENT_ONLY = ['agent'] as const;
const WITH_CHAT = ['agent', 'chat'] as const;

const timeZone = parsed('time zone', 'a time zone, such as Asia/Kolkata', (given) =>
  isTimeZone(given) ? given : undefined,
);

const modelName = parsed('<provider>/<model>, or local', '<provider>/<model> or local', (given) =>
  /^\s*local\s*$/i.test(given) || /^[^/]*[^/\s][^/]*\/.*\S/.test(given) ? given : undefined,
);

const milliseconds = (min: number, max: number) => integer({ min, max, unit: 'milliseconds' });

/** API key of a provider with its own interface. `as` is the provider's name in `agent/providers/`. */
const providerKey = <As extends string>(as: As, brand: string) =>
  variable({ kind: text, readBy: WITH_CHAT, as, description: `${brand} API key.` });
const defaultModel = (description: string) => variable({ kind: modelName, readBy: WITH_CHAT, description });

/** The providers with their own interface, each with the variable of its key. */
export const PROVIDER_KEYS = {
  DEEPGRAM_API_KEY: providerKey('deepgram', 'Deepgram'),
  ELEVENLABS_API_KEY: providerKey('elevenlabs', 'ElevenLabs'),
  CARTESIA_API_KEY: providerKey('cartesia', 'Cartesia'),
  SARVAM_API_KEY: providerKey('sarvam', 'Sarvam'),
};

export const AGENT = {
  API_URL: variable({
    kind: baseAddress('http', 'https'),
    readBy: AGENT_ONLY,
    requiredBy: AGENT_ONLY,
    as: 'apiUrl',
    example: 'http://localhost:8080',
    description: 'Address of the API for the agent.',
  }),
  TIME_ZONE: variable({
    kind: timeZone,
    default: DEFAULT_TIME_ZONE,
    readBy: ['worker', 'agent', 'chat'],
    as: 'timeZone',
    description:
      'Time zone of people whose contact has no variable `timezone`. The agent and the analysis use it to understand times such as "at five".',
  }),
  OPENAI_BASE_URL: variable({
    kind: baseAddress('http', 'https'),
    readBy: WITH_CHAT,
    description:
      "Address of the provider `openai`, which can be any server with OpenAI's API. Default: OpenAI. OPENAI_COMPATIBLE_<NAME>_URL and OPENAI_COMPATIBLE_<NAME>_API_KEY add the provider `<name>`.",
  }),
  OPENAI_API_KEY: variable({
    kind: text,
    readBy: WITH_CHAT,
    description:
      'API key for OPENAI_BASE_URL. An agent can use a provider that has a key or an address here (docs/agent-config.md).',
  }),
  AGENT_STT: defaultModel(
    'Default speech recognition, such as openai/whisper-1, for agents that name no provider or only unavailable ones. local uses the models on this machine (dev/local-models/README.md).',
  ),
  AGENT_LLM: defaultModel('Default language model for agents that name no available provider.'),
  AGENT_TTS: defaultModel(
    'Default voice for agents that name no available provider. local uses the models on this machine.',
  ),
  LOCAL_MODELS_URL: variable({
    kind: baseAddress('http', 'https'),
    default: 'http://127.0.0.1:8790/v1',
    readBy: WITH_CHAT,
    description: 'Address of the local models. `npm run talk` serves them at the default address.',
  }),
  AGENT_SILENCE_MS: variable({
    kind: milliseconds(500, 600_000),
    default: 15_000,
    readBy: AGENT_ONLY,
    as: 'silenceMs',
    description: 'Silence after which the agent hangs up.',
  }),
  AGENT_JOIN_LIMIT_MS: variable({
    kind: milliseconds(500, 600_000),
    default: 120_000,
    readBy: AGENT_ONLY,
    as: 'joinLimitMs',
    description: 'How long a browser session waits for the person to join.',
  }),
  AGENT_IDLE_PROCESSES: variable({
    kind: integer({ min: 1, max: 16 }),
    default: 1,
    readBy: AGENT_ONLY,
    as: 'idleProcesses',
    description:
      'Number of processes that the agent starts in advance. Each conversation has its own process.',
  }),
  AGENT_ALLOWED_HOSTS: variable({
    kind: hosts,
    default: '',
    readBy: WITH_CHAT,
    as: 'allowedHosts',
    description:
      'Private hosts that custom LLMs and HTTP actions can reach, also over ws:, each with or without a port. For development.',
  }),
  AGENT_CUSTOM_LLM_FIRST_TOKEN_MS: variable({
    kind: milliseconds(200, 30_000),
    default: 5_000,
    readBy: WITH_CHAT,
    as: 'customLlmFirstTokenMs',
    description:
      'How long a custom LLM can take to send the first word of an answer. After that, the fallback model answers.',
  }),
  AGENT_NOISE_SUPPRESSION: variable({
    kind: choice('phone', 'all', 'off'),
    default: 'phone',
    readBy: AGENT_ONLY,
    as: 'noiseSuppression',
    description:
      'Noise suppression on this machine, for what the agent hears. phone means phone calls only, because browsers suppress noise themselves. It takes about 7 % of a core per conversation. Recordings keep the noise.',
  }),
  AGENT_TURN_DETECTOR: variable({
    kind: choice('local', 'off'),
    default: 'local',
    readBy: AGENT_ONLY,
    as: 'turnDetector',
    description:
      "End-of-turn detection: local (LiveKit's trained model on this machine) or off (silence and words only). The LiveKit Model License allows the model only together with LiveKit Agents, which the agent is built on.",
  }),
  AGENT_MAX_LOAD: variable({
    kind: number({ min: 0.01, max: 1 }),
    default: 0.7,
    readBy: AGENT_ONLY,
    description:
      "Share of the machine's CPU time above which the agent takes no new conversation. 1 means no limit.",
  }),
  AGENT_RECORDINGS_DIR: variable({
    kind: text,
    default: '.data/recordings',
    readBy: AGENT_ONLY,
    as: 'recordingsFolder',
    description:
      "Folder in which recordings wait, for up to a week, while the API or its storage doesn't accept them.",
  }),
  AGENT_DRAIN_S: variable({
    kind: integer({ min: 0, max: 7_200, unit: 'seconds' }),
    default: 600,
    readBy: AGENT_ONLY,
    description: 'How long the agent waits after SIGTERM for its conversations to end.',
  }),
  AGENT_HEALTH_PORT: variable({
    kind: port,
    readBy: AGENT_ONLY,
    as: 'healthPort',
    description:
      "Port of the agent's /healthz, /readyz and /registered on 127.0.0.1 (docs/operations.md). Unset disables them, and 0 means any free port.",
  }),
  AGENT_METRICS_PORT: variable({
    kind: port,
    readBy: AGENT_ONLY,
    description:
      "Port of the agent's /metrics on METRICS_HOST. Unset disables it, and 0 means any free port.",
  }),
};

/** All variables that the agent can read, except for PROVIDER_KEYS. */
export const AGENT_VARIABLES = { ...CONNECTIONS, ...AGENT };
