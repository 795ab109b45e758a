/** Checks the default ports of `npm start` and the demo. Both skip a port that is in use, so no port is ever reported as missing. */
import { portCheckFor, MEDIA_PORTS, PORT_VARIABLES, USUAL_PORTS, type WantedPorts } from '../stack/ports';
import type { Check } from './tools';

/** Returns one line for all free ports, and one for each port in use. */
export async function portChecks(): Promise<Check[]> {
  const names = Object.keys(USUAL_PORTS).filter((name): name is keyof WantedPorts => name in USUAL_PORTS);
  const seen = await Promise.all(
    names.map(async (name) => ({ name, isFree: await portCheckFor(name)(USUAL_PORTS[name]) })),
  );
  const free = seen.filter((each) => each.isFree).map(({ name }) => `${USUAL_PORTS[name]} ${WORDS[name]}`);
  return [
    {
      group: 'ports',
      title: 'ports',
      state: 'ok',
      found: `free: ${free.join(', ') || 'none'}`,
      onlyFor: null,
      remedy: null,
    },
    ...seen.filter((each) => !each.isFree).map(({ name }) => usedPort(name)),
  ];
}

const usedPort = (name: keyof WantedPorts): Check => ({
  group: 'ports',
  title: `port ${USUAL_PORTS[name]}`,
  state: 'note',
  found: `in use; ${WORDS[name]} will use the next free port`,
  onlyFor: MEDIA_PORTS.includes(name) ? 'npm start -- --livekit' : null,
  remedy:
    name === 'api' || name === 'simulator' ? `set ${PORT_VARIABLES[name]} to try another port first` : null,
});

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
