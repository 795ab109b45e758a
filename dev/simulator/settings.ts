import { SIMULATOR_DEFAULTS } from './app';
import { SettingReader, type Environment } from './setting-reader';

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

const DEFAULT_PORT = 7080;
const DEFAULT_LOG = '.data/simulator.jsonl';

/** Reads the simulator's environment, or names every variable that is wrong and what it should be. */
export function readSettings(env: Environment): { settings: SimulatorSettings } | { faults: string[] } {
  const reader = new SettingReader(env);
  const settings: SimulatorSettings = {
    secret: reader.required('CARRIER_SECRET', 'the secret that platform and carrier share'),
    logPath: reader.text('SIMULATOR_LOG') ?? DEFAULT_LOG,
    host: reader.text('HOST') ?? SIMULATOR_DEFAULTS.host,
    port: reader.whole('SIMULATOR_PORT', 65_535, DEFAULT_PORT),
    ...reader.timings(SIMULATOR_DEFAULTS),
  };
  return reader.faults.length === 0 ? { settings } : { faults: reader.faults };
}
