import { SIMULATOR_DEFAULTS } from './app';
import { SettingReader, type Environment } from './setting-reader';

export interface SimulatorSettings {
  secret: string;
  logPath: string;
  host: string;
  /** 0 picks any free port. */
  port: number;
  ringMs: number;
  talkMs: number;
  ringCapMs: number | null;
}

const DEFAULT_PORT = 7080;
const DEFAULT_LOG = '.data/simulator.jsonl';

/** Reads the simulator's environment, or returns a fault for every invalid variable. */
export function readSettings(env: Environment): { settings: SimulatorSettings } | { faults: string[] } {
  const reader = new SettingReader(env);
  const settings: SimulatorSettings = {
    secret: reader.required('CARRIER_SECRET', 'the secret shared by the platform and the carrier'),
    logPath: reader.text('SIMULATOR_LOG') ?? DEFAULT_LOG,
    host: reader.text('HOST') ?? SIMULATOR_DEFAULTS.host,
    port: reader.whole('SIMULATOR_PORT', 65_535, DEFAULT_PORT),
    ...reader.timings(SIMULATOR_DEFAULTS),
  };
  return reader.faults.length === 0 ? { settings } : { faults: reader.faults };
}
