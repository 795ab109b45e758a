import { checkVariables, VARIABLES, type Environment } from '../../config';

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

/** Reads the simulator's environment, or returns a fault for every invalid variable. */
export function readSettings(env: Environment): { settings: SimulatorSettings } | { faults: string[] } {
  const read = checkVariables(VARIABLES, 'simulator', env);
  if ('faults' in read) return read;
  const { values } = read;
  return {
    settings: {
      secret: values.CARRIER_SECRET,
      logPath: values.SIMULATOR_LOG,
      host: values.HOST,
      port: values.SIMULATOR_PORT,
      ringMs: values.SIMULATOR_RING_MS,
      talkMs: values.SIMULATOR_TALK_MS,
      ringCapMs: values.SIMULATOR_RING_CAP_MS,
    },
  };
}
