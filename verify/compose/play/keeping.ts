/** Tests that data survives down and up, backup and restore, and a restart of the engine. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVICES } from '../deployment';
import { Skip, type Step } from '../steps';
import { anotherCall } from './calls';
import { AGENT, BRIDGE, UP } from './first-contact';
import type { Stage } from './stage';
import { expectEqual, until } from './until';

const RESTORE = 'restore';
const BACKUP = 'backup';
const DUMP = 'platform.dump';
const AGAIN_WITHIN_MS = 240_000;

export const KEEPING: readonly Step<Stage>[] = [
  { name: 'call after the kills', needs: [AGENT, BRIDGE], play: anotherCall },
  { name: 'down and up', needs: [AGENT], play: downAndUp },
  { name: BACKUP, needs: [AGENT], play: backup },
  { name: RESTORE, needs: [BACKUP], play: restore },
  { name: 'call after the restore', needs: [RESTORE, BRIDGE], play: anotherCall },
];

export const ENGINE_RESTART: Step<Stage> = {
  name: 'restart of the engine',
  needs: [UP],
  play: restartEngine,
};

async function downAndUp(stage: Stage): Promise<string> {
  const { deployment, docker } = stage;
  const before = await rows(stage);
  const startedAt = performance.now();
  await deployment.compose(['down']);
  const downS = Math.round((performance.now() - startedAt) / 1000);
  const volumes = await docker.lines(['volume', 'ls', '--quiet', '--filter', 'dangling=true']);
  const anonymous = volumes.filter((name) => /^[0-9a-f]{64}$/.test(name));
  await deployment.up();
  expectEqual('the rows', await rows(stage), before);
  if (anonymous.length > 0) throw new Error(`down left ${anonymous.length} anonymous volumes`);
  return `down ${downS} s, no anonymous volume left; ${before}`;
}

/** Uses the commands from docs/production.md. */
async function backup({ deployment }: Stage): Promise<string> {
  await deployment.shell(
    `exec --no-TTY postgres pg_dump --username postgres --format custom platform > ${DUMP}`,
  );
  const { size } = await stat(join(deployment.folder, DUMP));
  return `${(size / 1e6).toFixed(2)} MB`;
}

async function restore(stage: Stage): Promise<string> {
  const { deployment } = stage;
  const before = await rows(stage);
  // This row is created after the backup, so the restored database must not have it.
  await deployment.admin('org', 'create', '--name', 'After the backup');
  await deployment.compose(['stop', 'api', 'worker', 'agent']);
  await deployment.compose([
    ...['exec', '--no-TTY', 'postgres', 'psql', '--username', 'postgres', '--set', 'ON_ERROR_STOP=1'],
    ...['--command', 'drop database platform with (force)'],
    ...['--command', 'create database platform owner platform'],
    ...['--command', 'revoke connect on database platform from public'],
  ]);
  await deployment.shell(
    `exec --no-TTY postgres pg_restore --username postgres --dbname platform --exit-on-error < ${DUMP}`,
  );
  await deployment.up();
  expectEqual('the rows', await rows(stage), before);
  return before;
}

/** Returns the row counts of the main tables. */
async function rows({ deployment }: Stage): Promise<string> {
  const statement =
    "select (select count(*) from organizations) || ' organizations, ' || (select count(*) from agents) || ' agents, ' ||" +
    " (select count(*) from campaigns) || ' campaigns, ' || (select count(*) from calls) || ' calls'";
  const lines = await deployment.compose([
    ...['exec', '--no-TTY', 'postgres', 'psql', '--username', 'postgres', '--dbname', 'platform'],
    ...['--tuples-only', '--no-align', '--command', statement],
  ]);
  return lines.trim();
}

async function restartEngine(stage: Stage): Promise<string> {
  const { engine } = stage.surroundings;
  if (engine === null) throw new Skip("the run uses the machine's engine");
  // A failed step may have left a service stopped.
  await stage.deployment.up();
  const startedAt = performance.now();
  await engine.restart();
  await until('recovery of every service', AGAIN_WITHIN_MS, () => allHealthy(stage));
  return `all healthy after ${Math.round((performance.now() - startedAt) / 1000)} s without "up"`;
}

async function allHealthy({ deployment, surroundings: { withoutBridge } }: Stage): Promise<true | undefined> {
  const watched = SERVICES.filter((service) => service !== 'sip' || withoutBridge === null);
  const states = await Promise.all(
    watched.map((service) => deployment.inspect(service, '{{.State.Status}} {{.State.Health.Status}}')),
  );
  return states.every((state) => state === 'running healthy') || undefined;
}
