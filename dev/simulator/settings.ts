import { checkVariables, VARIABLES, type Environment } from '../../config';
import { errorCode } from '../../db/kernel/error-code';

/** Reads the simulator's environment, or returns a fault for every invalid variable. */
export function readSettings(env: Environment) {
  const read = checkVariables(VARIABLES, 'simulator', env);
  if ('faults' in read) return read;
  const { carrierSecret: secret, ...others } = read.settings;
  return { settings: { ...others, secret, port: read.values.SIMULATOR_PORT } };
}

export type SimulatorSettings = Extract<ReturnType<typeof readSettings>, { settings: object }>['settings'];

/** Returns one line that explains what to change if the simulator can't start. */
export function explainStartFault(
  error: unknown,
  settings: Pick<SimulatorSettings, 'host' | 'port' | 'logPath'>,
): string {
  const { host, port, logPath } = settings;
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return `simulator: port ${port} on ${host} is in use; set SIMULATOR_PORT to a free port, or to 0 for any`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `simulator: ${host} is not an address of this machine; change HOST`;
    case 'EACCES':
    case 'EISDIR':
      return `simulator: no access to ${logPath} or port ${port}; change SIMULATOR_LOG or SIMULATOR_PORT`;
    default:
      return `simulator: ${String(error)}`;
  }
}
