import { DEFAULT_TIME_ZONE, isTimeZone } from '../domain/local-time';
import {
  KEYED_PROVIDERS,
  keyVariable,
  type KeyedProvider,
  type SpeechSettings,
  LOCAL,
  parseModelName,
  type ModelName,
  readEndpoints,
} from './providers/speech-settings';
import type { MetricsAddress } from './worker/http-servers';

/**
 * Settings of the agent's processes, read once from the environment. An empty variable counts as unset, and one error names every fault.
 */
export interface AgentSettings {
  /** Base URL of the API, without a trailing slash. */
  apiUrl: string;
  /** Authenticates this worker when it asks the API for the calls of its jobs. */
  agentSecret: string;
  livekit: { url: string; apiKey: string; apiSecret: string };
  /**
   * The name under which the worker registers at LiveKit, which dispatches rooms to agents by it. When null, the agent asks the API for its
   * deployment's name.
   */
  agentName: string | null;
  /** Silence after which the agent hangs up. */
  silenceMs: number;
  /** How long a browser session waits for its participant to join. */
  joinLimitMs: number;
  /** Number of processes that are kept ready for new conversations. */
  idleProcesses: number;
  /** Hosts, as lower-case `host` or `host:port`, that an organization's configuration may name although their addresses are private. */
  allowedHosts: string[];
  /** Time limit for the first token of a custom LLM server. */
  customLlmFirstTokenMs: number;
  /** In which calls noise is suppressed before speech recognition. */
  noiseSuppression: NoiseSuppression;
  /** Time zone of contacts that have none. */
  timeZone: string;
  /** How the end of a turn is detected. */
  turnDetector: TurnDetector;
  /** Share of CPU time at which the worker stops accepting conversations; null for no limit. */
  maxLoad: number | null;
  /** Folder for recordings that the API has not accepted yet. */
  recordingsFolder: string;
  /** How long the worker lets conversations finish after SIGTERM. */
  drainMs: number;
  speech: SpeechSettings;
  /** Port of the health endpoint: null disables it, 0 picks any free port. */
  healthPort: number | null;
  /** Address of the Prometheus endpoint; null disables it. */
  metrics: MetricsAddress | null;
  logLevel: string;
}

/** `phone` covers phone calls only, because browsers suppress noise themselves. */
export type NoiseSuppression = (typeof NOISE_SUPPRESSION)[number];

/** `local` runs LiveKit's trained model on this machine, under its own licence. `off` relies on silence and words. */
export type TurnDetector = (typeof TURN_DETECTORS)[number];

type Environment = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const NOISE_SUPPRESSION = ['phone', 'all', 'off'] as const;
const TURN_DETECTORS = ['local', 'off'] as const;
const SECRET_CHARACTERS = 16;
/** `npm run talk` serves the local models here. */
const LOCAL_MODELS_URL = 'http://127.0.0.1:8790/v1';

export function readAgentSettings(env: Environment): AgentSettings {
  const read = new EnvironmentReader(env);
  const maxLoad = read.number('AGENT_MAX_LOAD', { min: 0.01, max: 1, fallback: 0.7 });
  const metricsPort = read.optionalInteger('AGENT_METRICS_PORT', { min: 0, max: 65_535 });
  const settings: AgentSettings = {
    apiUrl: read.address('API_URL', ['http:', 'https:']),
    agentSecret: read.text('AGENT_SECRET', SECRET_CHARACTERS),
    livekit: {
      url: read.address('LIVEKIT_URL', ['ws:', 'wss:', 'http:', 'https:']),
      apiKey: read.text('LIVEKIT_API_KEY'),
      apiSecret: read.text('LIVEKIT_API_SECRET'),
    },
    agentName: read.given('LIVEKIT_AGENT_NAME') ?? null,
    silenceMs: read.integer('AGENT_SILENCE_MS', { min: 500, max: 600_000, fallback: 15_000 }),
    joinLimitMs: read.integer('AGENT_JOIN_LIMIT_MS', { min: 500, max: 600_000, fallback: 120_000 }),
    idleProcesses: read.integer('AGENT_IDLE_PROCESSES', { min: 1, max: 16, fallback: 1 }),
    maxLoad: maxLoad === 1 ? null : maxLoad,
    noiseSuppression: read.oneOf('AGENT_NOISE_SUPPRESSION', NOISE_SUPPRESSION, 'phone'),
    turnDetector: read.oneOf('AGENT_TURN_DETECTOR', TURN_DETECTORS, 'local'),
    ...modelSettings(read, env),
    recordingsFolder: read.given('AGENT_RECORDINGS_DIR') ?? '.data/recordings',
    drainMs: read.integer('AGENT_DRAIN_S', { min: 0, max: 7_200, fallback: 600 }) * 1000,
    healthPort: read.optionalInteger('AGENT_HEALTH_PORT', { min: 0, max: 65_535 }),
    metrics:
      metricsPort === null ? null : { host: read.given('METRICS_HOST') ?? '127.0.0.1', port: metricsPort },
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
  };
  read.end();
  return settings;
}

/** Settings of a text conversation, which has neither a room nor the API. */
export type ModelSettings = Pick<
  AgentSettings,
  'allowedHosts' | 'customLlmFirstTokenMs' | 'timeZone' | 'speech'
>;

export function readModelSettings(env: Environment): ModelSettings {
  const read = new EnvironmentReader(env);
  const settings = modelSettings(read, env);
  read.end();
  return settings;
}

function modelSettings(read: EnvironmentReader, env: Environment): ModelSettings {
  return {
    allowedHosts: read.list('AGENT_ALLOWED_HOSTS'),
    customLlmFirstTokenMs: read.integer('AGENT_CUSTOM_LLM_FIRST_TOKEN_MS', {
      min: 200,
      max: 30_000,
      fallback: 5_000,
    }),
    timeZone: read.timeZone('TIME_ZONE'),
    speech: {
      endpoints: readEndpoints(
        env,
        {
          url: read.optionalAddress('OPENAI_BASE_URL', ['http:', 'https:']),
          apiKey: read.given('OPENAI_API_KEY') ?? null,
        },
        {
          url: read.optionalAddress('LOCAL_MODELS_URL', ['http:', 'https:']) ?? LOCAL_MODELS_URL,
          apiKey: null,
        },
      ),
      keys: Object.fromEntries(
        KEYED_PROVIDERS.map((provider) => [provider, read.given(keyVariable(provider)) ?? null]),
      ) as Record<KeyedProvider, string | null>,
      defaults: {
        stt: read.modelName('AGENT_STT'),
        llm: read.modelName('AGENT_LLM'),
        tts: read.modelName('AGENT_TTS'),
      },
    },
  };
}

interface Limits {
  min: number;
  max: number;
}

class EnvironmentReader {
  private readonly faults: string[] = [];

  constructor(private readonly env: Environment) {}

  given(name: string): string | undefined {
    const value = this.env[name];
    return value === '' ? undefined : value;
  }

  text(name: string, leastCharacters = 1): string {
    const value = this.given(name) ?? '';
    if (value === '') this.faults.push(`${name} is required`);
    else if (value.length < leastCharacters)
      this.faults.push(`${name} must have at least ${leastCharacters} characters`);
    return value;
  }

  /** Reads a comma-separated list. */
  list(name: string): string[] {
    const items = (this.given(name) ?? '').toLowerCase().split(',');
    return items.map((item) => item.trim()).filter((item) => item !== '');
  }

  address(name: string, schemes: readonly string[]): string {
    const value = this.text(name).replace(/\/+$/, '');
    if (value !== '' && !schemes.includes(schemeOf(value)))
      this.faults.push(`${name} must be an address with ${schemes.join(' or ')}`);
    return value;
  }

  optionalAddress(name: string, schemes: readonly string[]): string | null {
    return this.given(name) === undefined ? null : this.address(name, schemes);
  }

  modelName(name: string): ModelName | null {
    const given = this.given(name);
    if (given === undefined) return null;
    const model = parseModelName(given);
    if (model === null) this.faults.push(`${name} must be <provider>/<model> or ${LOCAL}`);
    return model;
  }

  timeZone(name: string): string {
    const given = this.given(name) ?? DEFAULT_TIME_ZONE;
    if (!isTimeZone(given)) this.faults.push(`${name} must be a time zone, such as Asia/Kolkata`);
    return given;
  }

  number(name: string, { min, max, fallback }: Limits & { fallback: number }): number {
    const text = this.given(name);
    if (text === undefined) return fallback;
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) this.faults.push(`${name} must be a number from ${min} to ${max}`);
    return value;
  }

  integer(name: string, limits: Limits & { fallback: number }): number {
    const value = this.number(name, limits);
    if (!Number.isInteger(value) && !Number.isNaN(value)) this.faults.push(`${name} must be a whole number`);
    return value;
  }

  optionalInteger(name: string, limits: Limits): number | null {
    return this.given(name) === undefined ? null : this.integer(name, { ...limits, fallback: 0 });
  }

  oneOf<Value extends string>(name: string, values: readonly Value[], fallback: Value): Value {
    const given = this.given(name) ?? fallback;
    const value = values.find((one) => one === given);
    if (value === undefined) this.faults.push(`${name} must be one of ${values.join(', ')}`);
    return value ?? fallback;
  }

  end(): void {
    if (this.faults.length === 0) return;
    throw new Error(`The environment is incomplete:\n${this.faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

function schemeOf(address: string): string {
  return URL.canParse(address) ? new URL(address).protocol : '';
}
