/** Starts the servers of a run over LiveKit. Events of LiveKit and the agent reach the API through the event relay. */
import type { ClosingOrder } from '../../../dev/stack/closing';
import {
  livekitAccess,
  MediaServers,
  mediaToolsFor,
  type MediaPorts,
} from '../../../dev/stack/media-servers';
import type { Environment, LivekitAccess, Overrides } from '../../../dev/stack/platform-environment';
import type { RunningProcess, Supervision } from '../../../dev/stack/processes';
import type { Secrets } from '../../../dev/stack/secrets';
import { silent } from '../../../dev/progress';
import type { ProcessName } from '../plan/faults';

/** Ring time of a phone that rings until the timeout. Each run makes two attempts at such a number. */
export const RING_TIMEOUT = { RING_TIMEOUT_S: '6' };

/**
 * A short silence limit ends calls to silent phones early. Each of the three lines (two of one campaign, one of another) needs an agent
 * process.
 */
export const AGENT_SETTINGS = { AGENT_SILENCE_MS: '700', AGENT_IDLE_PROCESSES: '2' };

/** Access to LiveKit for the worker and the API, through a link. */
export function linkedAccess(ports: MediaPorts, secrets: Secrets, host: string): LivekitAccess {
  return { ...livekitAccess(ports, secrets), url: `http://${host}` };
}

/** Makes callers ring through the process that simulates the phone network. */
export const callerRings =
  ({ port, secret }: { port: number; secret: string }) =>
  async (to: string, from: string): Promise<boolean> => {
    try {
      const { ok } = await fetch(`http://127.0.0.1:${port}/inbound-calls`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${secret}` },
        body: JSON.stringify({ to, from }),
        redirect: 'error',
      });
      return ok;
    } catch {
      // The process has been killed.
      return false;
    }
  };

export async function faultMedia(options: {
  repository: string;
  /** Data folder of the run. */
  folder: string;
  ports: MediaPorts;
  secrets: Secrets;
  relayPort: number;
  /** Environment of this process, which is used to find tools, and that of the platform's processes. */
  callerEnvironment: Environment;
  environment: Environment;
  overrides: Overrides;
  supervision: Supervision;
}): Promise<MediaServers> {
  const { relayPort, callerEnvironment, secrets, ...common } = options;
  return new MediaServers({
    ...common,
    tools: await mediaToolsFor(options.repository, callerEnvironment, silent),
    access: livekitAccess(options.ports, secrets),
    apiUrl: `http://127.0.0.1:${relayPort}`,
  });
}

/** Starts all media servers except the agent, in order of dependency. Returns the variables that the worker needs. */
export async function beginMedia(
  servers: MediaServers,
  log: string,
  begin: (name: ProcessName, process: RunningProcess) => Promise<void>,
  closing: ClosingOrder,
): Promise<Environment> {
  const redis = servers.redis();
  closing.add(redis.name, () => redis.stop());
  await redis.start();
  await begin('livekit', servers.livekit());
  await begin('simulator', servers.sipStandIn(log));
  return { LIVEKIT_SIP_TRUNK_ID: await servers.openTrunk() };
}
