/** Creates the replicated processes with their ports and folders, and the balancer in front of three APIs. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ClosingOrder } from '../../../dev/stack/closing';
import type { MediaServers } from '../../../dev/stack/media-servers';
import type { Environment, Overrides } from '../../../dev/stack/platform-environment';
import { PlatformProcesses } from '../../../dev/stack/platform-processes';
import { freePort, releasePort } from '../../../dev/stack/ports';
import type { RunningProcess, Supervision } from '../../../dev/stack/processes';
import { ANY_PORTS, giveMediaPorts } from '../../../dev/stack/ports';
import { Balancer } from '../network/network';
import { AGENTS, APIS, WORKERS, type Replica, type Replicas } from '../plan/faults';
import type { Plan } from '../plan/plan';

type Ports = Awaited<ReturnType<typeof givePorts>>;

/** `entrance` is the address of the API or, with several APIs, of the balancer. */
export async function givePorts({ telephony, apis, workers, agents }: Plan, closing: ClosingOrder) {
  const replicas: { api: number; workerHealth: number; agentHealth: number }[] = [];
  for (let nth = 0; nth < Math.max(apis, workers, agents); nth += 1) {
    replicas.push({
      api: await freePort(0),
      workerHealth: await freePort(0),
      agentHealth: await freePort(0),
    });
  }
  const simulator = await freePort(0);
  const media = telephony === 'livekit' ? await giveMediaPorts(ANY_PORTS, simulator) : null;
  const ports = [simulator, ...replicas.flatMap((own) => Object.values(own)), ...Object.values(media ?? {})];
  closing.add('the ports', () => Promise.resolve(ports.forEach(releasePort)));
  const apiPorts = replicas.slice(0, apis).map(({ api }) => api);
  if (apis === 1) return { entrance: required(apiPorts[0]), replicas, simulator, media };
  const balancer = await Balancer.open(0, apiPorts);
  closing.add('the balancer', () => balancer.close());
  return { entrance: balancer.port, replicas, simulator, media };
}

/** Processes of one kind share a name, so all but the first get separate folders for logs and pid files. */
function supervisionOf(supervision: Supervision, nth: number): Supervision {
  if (nth === 0) return supervision;
  const name = `replica-${nth + 1}`;
  const own = {
    ...supervision,
    logFolder: join(supervision.logFolder, name),
    runFolder: join(supervision.runFolder, name),
  };
  mkdirSync(own.runFolder, { recursive: true });
  return own;
}

/** Returns the platforms that start the nth API and worker, for each n. */
export function platformsOf(
  { replicas, simulator }: Ports,
  {
    repository,
    supervision,
    settingsOf,
  }: {
    repository: string;
    supervision: Supervision;
    settingsOf: (nth: number) => { environment: Environment; overrides: Overrides };
  },
): PlatformProcesses[] {
  return replicas.map(
    (own, nth) =>
      new PlatformProcesses({
        repository,
        ...settingsOf(nth),
        ports: { ...own, simulator },
        supervision: supervisionOf(supervision, nth),
      }),
  );
}

/** Returns the names whose links the nth processes use. If a kind has fewer processes, its name isn't used. */
export function namesOf({ apis, workers }: Replicas, nth: number) {
  return {
    api: APIS[nth < apis ? nth : 0] ?? 'api',
    worker: WORKERS[nth < workers ? nth : 0] ?? 'worker',
  } as const;
}

/** Returns all processes of a run, before they are started. */
export function replicasOf(
  { apis, workers, agents }: Replicas,
  platforms: readonly PlatformProcesses[],
  live: { media: MediaServers; ports: Ports; supervision: Supervision } | null,
): [Replica, RunningProcess][] {
  const agentOf = (nth: number, { media, ports, supervision }: NonNullable<typeof live>) => {
    const { agentHealth } = required(ports.replicas[nth]);
    return media.with({ agentHealth }, supervisionOf(supervision, nth)).agent();
  };
  return [
    ...WORKERS.slice(0, workers).map((name, nth) => [name, required(platforms[nth]).worker()] as const),
    ...APIS.slice(0, apis).map((name, nth) => [name, required(platforms[nth]).api()] as const),
    ...(live === null ? [] : AGENTS.slice(0, agents).map((name, nth) => [name, agentOf(nth, live)] as const)),
  ].map(([name, process]) => [name, process]);
}

export function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the run has fewer processes than its plan');
  return value;
}
