import { SIMULATOR_DEFAULTS } from './app';

export interface SimulatorSettings {
  secret: string;
  logPath: string;
  host: string;
  /** 0: any free port. */
  port: number;
  ringMs: number;
  talkMs: number;
  ringCapMs: number | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_PORT = 7080;
const DEFAULT_LOG = '.data/simulator.jsonl';
const MAX_MS = 3_600_000;

/** Reads the simulator's environment, or names every variable that is wrong and what it should be. */
export function readSettings(env: Environment): { settings: SimulatorSettings } | { faults: string[] } {
  const faults: string[] = [];
  const whole = <T>(name: string, max: number, otherwise: T): number | T => {
    const text = env[name] ?? '';
    if (text === '') return otherwise;
    const value = Number(text);
    if (/^\d{1,9}$/.test(text) && value <= max) return value;
    faults.push(`${name} must be a whole number from 0 to ${max}, not "${text}"`);
    return otherwise;
  };
  const secret = env['CARRIER_SECRET'] ?? '';
  if (secret === '') faults.push('CARRIER_SECRET is required: the secret that platform and carrier share');
  const settings: SimulatorSettings = {
    secret,
    logPath: env['SIMULATOR_LOG'] || DEFAULT_LOG,
    host: env['HOST'] || SIMULATOR_DEFAULTS.host,
    port: whole('SIMULATOR_PORT', 65_535, DEFAULT_PORT),
    ringMs: whole('SIMULATOR_RING_MS', MAX_MS, SIMULATOR_DEFAULTS.ringMs),
    talkMs: whole('SIMULATOR_TALK_MS', MAX_MS, SIMULATOR_DEFAULTS.talkMs),
    ringCapMs: whole('SIMULATOR_RING_CAP_MS', MAX_MS, SIMULATOR_DEFAULTS.ringCapMs),
  };
  return faults.length === 0 ? { settings } : { faults };
}
