import { checkVariables, VARIABLES, type Environment } from '../../config';

/** Reads the simulator's environment, or returns a fault for every invalid variable. */
export function readSettings(env: Environment) {
  const read = checkVariables(VARIABLES, 'simulator', env);
  if ('faults' in read) return read;
  const { carrierSecret: secret, ...others } = read.settings;
  return { settings: { ...others, secret, port: read.values.SIMULATOR_PORT } };
}

export type SimulatorSettings = Extract<ReturnType<typeof readSettings>, { settings: object }>['settings'];
