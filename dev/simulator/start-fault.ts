import { errorCode } from '../../db/kernel/error-code';
import type { SimulatorSettings } from './settings';

/** One line that says what to change when the simulator cannot start. */
export function explainStartFault(
  error: unknown,
  settings: Pick<SimulatorSettings, 'host' | 'port' | 'logPath'>,
): string {
  const { host, port, logPath } = settings;
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return `simulator: port ${port} on ${host} is taken; set SIMULATOR_PORT to a free port, or to 0 for any`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `simulator: ${host} is no address of this machine; set HOST`;
    case 'EACCES':
    case 'EISDIR':
      return `simulator: no access to ${logPath} or port ${port}; set SIMULATOR_LOG, SIMULATOR_PORT`;
    default:
      return `simulator: ${String(error)}`;
  }
}
