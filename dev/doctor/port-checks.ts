/** Checks the default ports of `npm start` and the demo. Both skip a port that is in use, so no port is ever reported as missing. */
import { checkOf, MEDIA_PORTS, PORT_VARIABLES, USUAL_PORTS, type WantedPorts } from '../stack/stack-ports';
import type { Check } from './check';
import { listenerOn } from './listener';

export interface PortSeen {
  name: keyof WantedPorts;
  port: number;
  isFree: boolean;
  /** Null if no process listens, or if the system doesn't show which one. */
  listener: { pid: number; command: string } | null;
}

export async function portChecks(): Promise<Check[]> {
  const names = Object.keys(USUAL_PORTS).filter((name): name is keyof WantedPorts => name in USUAL_PORTS);
  return portFindings(await Promise.all(names.map(look)));
}

async function look(name: keyof WantedPorts): Promise<PortSeen> {
  const port = USUAL_PORTS[name];
  const free = await checkOf(name)(port);
  return { name, port, isFree: free, listener: free ? null : await listenerOn(port) };
}

/** Returns one line for all free ports, and one for each port in use. */
export function portFindings(seen: readonly PortSeen[]): Check[] {
  const free = seen.filter((each) => each.isFree).map(({ port, name }) => `${port} ${WORDS[name]}`);
  const line = { group: 'ports', onlyFor: null, remedy: null } as const;
  return [
    ...(free.length > 0
      ? [{ ...line, title: 'ports', state: 'ok' as const, found: `free: ${free.join(', ')}` }]
      : []),
    ...seen.filter((each) => !each.isFree).map(takenFinding),
  ];
}

function takenFinding({ name, port, listener }: PortSeen): Check {
  const who = listener === null ? 'another program' : `process ${listener.pid} (${short(listener.command)})`;
  const variable = variableOf(name);
  return {
    group: 'ports',
    title: `port ${port}`,
    state: 'note',
    found: `in use by ${who}; ${WORDS[name]} will use the next free port`,
    onlyFor: MEDIA_PORTS.includes(name) ? 'npm start -- --livekit' : null,
    remedy: variable === undefined ? null : `set ${variable} to try another port first`,
  };
}

const WORDS: Record<keyof WantedPorts, string> = {
  api: 'API',
  simulator: 'carrier',
  workerHealth: "worker's health",
  smtp: 'e-mail',
  postgres: 'Postgres',
  temporal: 'Temporal',
  temporalUi: 'Temporal UI',
  livekit: 'LiveKit',
  livekitTcp: 'LiveKit over TCP',
  livekitUdp: 'LiveKit over UDP',
  redis: 'Redis',
  agentHealth: "agent's health",
};

/** Drops the arguments, because they may contain passwords. */
function short(command: string): string {
  const [program = ''] = command.split(' ');
  return program.split('/').pop() ?? program;
}

const variableOf = (name: keyof WantedPorts): string | undefined =>
  name === 'api' || name === 'simulator' ? PORT_VARIABLES[name] : undefined;
