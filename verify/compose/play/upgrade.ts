/** Tests an upgrade during calls and a change of `SECRETS_KEY`, with the commands from docs/production.md. */
import { randomBytes } from 'node:crypto';
import { SECOND_VERSION } from '../deployment';
import type { Step } from '../steps';
import { anotherCall, startCampaign, untilCompleted } from './calls';
import { AGENT, BRIDGE } from './first-contact';
import type { Stage } from './stage';
import { expectEqual, until } from './until';

const UPGRADE = 'upgrade to a new PLATFORM_VERSION during a talk';
const KEY_CHANGE = 'exchange of SECRETS_KEY';
/** Speaks from time to time until the platform hangs up. */
const TALKS = 205;
const SOON_MS = 90_000;

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
