import { readFile } from 'node:fs/promises';
import { SERVICES } from '../deployment';
import type { Step } from '../steps';
import { until } from './api';
import { BRIDGE, UP } from './first-contact';
import type { Stage } from './stage';

const HEALTHY_WITHIN_MS = 180_000;

/** Kills a service's process with `kill -9` by its pid on the machine, because Docker doesn't restart a container after `docker kill`. */
export const KILLS: readonly Step<Stage>[] = SERVICES.map((service) => ({
  name: `kill -9 of ${service}`,
  needs: service === 'sip' ? [UP, BRIDGE] : [UP],
  play: (stage) => killed(stage, service),
}));

/** Kills the service's program and waits until the next container is healthy. Returns how long that took. */
export async function killed({ deployment }: Stage, service: string): Promise<string> {
  const restarts = Number(await deployment.inspect(service, '{{.RestartCount}}'));
  const pid = await programOf(Number(await deployment.inspect(service, '{{.State.Pid}}')));
  const startedAt = performance.now();
  process.kill(pid, 'SIGKILL');
  await until(`recovery of ${service}`, HEALTHY_WITHIN_MS, async () => {
    const format = '{{.RestartCount}} {{.State.Health.Status}}';
    const [count, health] = (await deployment.inspect(service, format)).split(' ');
    return (Number(count) > restarts && health === 'healthy') || undefined;
  });
  return `healthy after ${Math.round((performance.now() - startedAt) / 1000)} s`;
}

/** Returns the process, or its child if the process is only the container's init. */
async function programOf(pid: number): Promise<number> {
  const name = (await readFile(`/proc/${pid}/comm`, 'utf8')).trim();
  if (!/^(?:docker-init|tini)/.test(name)) return pid;
  const [child] = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
  return Number(child ?? pid);
}
