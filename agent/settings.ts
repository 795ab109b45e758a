/** The environment of the agent's processes, read once; one error names every fault. A variable set to nothing counts as not set. */
export interface AgentSettings {
  /** Where the agent reaches the API, without a slash at the end. */
  apiUrl: string;
  carrierSecret: string;
  livekit: { url: string; apiKey: string; apiSecret: string };
  /** As LiveKit knows the worker: rooms ask for their agent by it. */
  agentName: string;
  /** After so long without hearing anything the agent hangs up. */
  silenceMs: number;
  /** How long a browser session waits for its person. */
  joinLimitMs: number;
  /** Processes that are kept started for conversations to come. */
  idleProcesses: number;
  /** The share of the processor's time from which on no conversation is taken; null for no limit. */
  maxLoad: number | null;
  /** How long SIGTERM waits for conversations to end. */
  drainMs: number;
  /** Null where health is not served; 0 takes any free port. */
  healthPort: number | null;
  logLevel: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const SECRET_CHARACTERS = 16;

export function readAgentSettings(env: Environment): AgentSettings {
  const read = new Reading(env);
  const maxLoad = read.number('AGENT_MAX_LOAD', { least: 0.01, most: 1, unless: 0.7 });
  const settings: AgentSettings = {
    apiUrl: read.address('API_URL', ['http:', 'https:']),
    carrierSecret: read.text('CARRIER_SECRET', SECRET_CHARACTERS),
    livekit: {
      url: read.address('LIVEKIT_URL', ['ws:', 'wss:', 'http:', 'https:']),
      apiKey: read.text('LIVEKIT_API_KEY'),
      apiSecret: read.text('LIVEKIT_API_SECRET'),
    },
    agentName: read.given('LIVEKIT_AGENT_NAME') ?? 'voice-agent',
    silenceMs: read.integer('AGENT_SILENCE_MS', { least: 500, most: 600_000, unless: 15_000 }),
    joinLimitMs: read.integer('AGENT_JOIN_LIMIT_MS', { least: 500, most: 600_000, unless: 120_000 }),
    idleProcesses: read.integer('AGENT_IDLE_PROCESSES', { least: 1, most: 16, unless: 1 }),
    maxLoad: maxLoad === 1 ? null : maxLoad,
    drainMs: read.integer('AGENT_DRAIN_S', { least: 0, most: 7_200, unless: 600 }) * 1000,
    healthPort: read.optionalInteger('AGENT_HEALTH_PORT', { least: 0, most: 65_535 }),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
  };
  read.end();
  return settings;
}

interface Limits {
  least: number;
  most: number;
}

class Reading {
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

  address(name: string, schemes: readonly string[]): string {
    const value = this.text(name).replace(/\/+$/, '');
    if (value !== '' && !schemes.includes(schemeOf(value)))
      this.faults.push(`${name} must be an address with ${schemes.join(' or ')}`);
    return value;
  }

  number(name: string, { least, most, unless }: Limits & { unless: number }): number {
    const text = this.given(name);
    if (text === undefined) return unless;
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most))
      this.faults.push(`${name} must be a number from ${least} to ${most}`);
    return value;
  }

  integer(name: string, limits: Limits & { unless: number }): number {
    const value = this.number(name, limits);
    if (!Number.isInteger(value) && !Number.isNaN(value)) this.faults.push(`${name} must be a whole number`);
    return value;
  }

  optionalInteger(name: string, limits: Limits): number | null {
    return this.given(name) === undefined ? null : this.integer(name, { ...limits, unless: 0 });
  }

  oneOf(name: string, values: readonly string[], unless: string): string {
    const value = this.given(name) ?? unless;
    if (!values.includes(value)) this.faults.push(`${name} must be one of ${values.join(', ')}`);
    return value;
  }

  end(): void {
    if (this.faults.length === 0) return;
    throw new Error(
      `The environment is not complete:\n${this.faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
  }
}

function schemeOf(address: string): string {
  return URL.canParse(address) ? new URL(address).protocol : '';
}
