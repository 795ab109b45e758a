/** Tests that the deployment survives kills, restarts, a backup and restore, and an upgrade. */
import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SECOND_VERSION, SERVICES } from '../deployment';
import { Skip, type Step } from '../steps';
import { expectEqual, until } from './api';
import { anotherCall, startCampaign, untilCompleted } from './calls';
import { AGENT, BRIDGE, UP } from './first-contact';
import type { Stage } from './stage';

const RESTORE = 'restore';
const BACKUP = 'backup';
const DUMP = 'platform.dump';
const AGAIN_WITHIN_MS = 240_000;

/** Tests that data survives down and up, backup and restore, and a restart of the engine. */
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

const UPGRADE = 'upgrade to a new PLATFORM_VERSION during a talk';
const KEY_CHANGE = 'exchange of SECRETS_KEY';
/** Speaks from time to time until the platform hangs up. */
const TALKS = 205;
const SOON_MS = 90_000;

/** Tests an upgrade during calls and a change of `SECRETS_KEY`, with the commands from docs/production.md. */
export const UPGRADES: readonly Step<Stage>[] = [
  { name: UPGRADE, needs: [AGENT, BRIDGE], play: upgrade },
  { name: 'call after the upgrade', needs: [UPGRADE], play: anotherCall },
  { name: KEY_CHANGE, needs: [AGENT], play: changeKey },
  { name: 'call after the exchange', needs: [KEY_CHANGE, BRIDGE], play: anotherCall },
];

async function upgrade(stage: Stage): Promise<string> {
  const { deployment, phones, api } = stage;
  const number = phones.number(TALKS);
  const campaign = await startCampaign(stage, [number]);
  await until('the answer of the phone', SOON_MS, () => phones.calls(number)[0]?.answeredAt ?? undefined);
  await deployment.configure({ PLATFORM_VERSION: SECOND_VERSION });
  await deployment.build();
  await deployment.compose(['run', '--rm', '--no-TTY', 'migrate']);
  const replayed = await replay(stage);
  for (const service of ['worker', 'api']) await replace(stage, service);
  expectEqual('the end of the talk', phones.calls(number)[0]?.endedAt, null);
  const { call_id: id } = await until('the dispatch', SOON_MS, () =>
    api.call(({ to_number: to }) => to === number),
  );
  await api.send('POST', `/api/calls/${id}/hangup`);
  const over = await stage.untilOver(id);
  await untilCompleted(stage, campaign);
  await replace(stage, 'agent');
  expectEqual('the INVITEs of the number', phones.calls(number).length, 1);
  return `${replayed}; the talk went on, ${over.call_status}`;
}

async function replace({ deployment }: Stage, service: string): Promise<void> {
  await deployment.compose(['up', '--detach', '--no-deps', '--wait', service]);
  const image = await deployment.inspect(service, '{{.Config.Image}}');
  if (!image.endsWith(`:${SECOND_VERSION}`)) throw new Error(`${service} still has the image ${image}`);
}

/** Replays the open workflows with the new version's code. */
async function replay({ deployment }: Stage): Promise<string> {
  const output = await deployment.compose([
    ...['run', '--rm', '--no-TTY', '--no-deps', 'worker'],
    ...['node', 'dist/verify/histories/running/main.js'],
  ]);
  const line = output.trim().split('\n').at(-1) ?? '';
  if (!/[1-9]/.test(line)) throw new Error(`no open workflow was replayed: ${output}`);
  return line;
}

async function changeKey({ deployment }: Stage): Promise<string> {
  const [old, fresh] = [await deployment.configured('SECRETS_KEY'), randomBytes(32).toString('base64')];
  const restart = () => deployment.compose(['up', '--detach', '--no-deps', '--wait', 'api', 'worker']);
  await deployment.configure({ SECRETS_KEY_PREVIOUS: fresh });
  await restart();
  await deployment.configure({ SECRETS_KEY: fresh, SECRETS_KEY_PREVIOUS: old });
  await restart();
  const output = await deployment.compose(['run', '--rm', '--no-TTY', 'admin', 'secrets', 're-encrypt']);
  await deployment.configure({ SECRETS_KEY_PREVIOUS: '' });
  await restart();
  return output.trim().split('\n').at(-1) ?? '';
}
