/** Tests an operator's first day, from the empty `.env` to an agent. */
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FIRST_VERSION, JOBS, SERVICES } from '../deployment';
import { Skip, type Step } from '../steps';
import { expectEqual, machineAddress, ORIGIN, TRUNK_PORT, WEB_UI } from './api';
import { ORGANIZATION, OUR_NUMBER, type Stage } from './stage';

export const UP = 'up --detach --wait';
export const AGENT = 'organization, key, agent';
export const BRIDGE = 'SIP bridge';

export const FIRST_CONTACT: readonly Step<Stage>[] = [
  { name: 'make-env.sh', play: makeEnv },
  { name: 'build', needs: ['make-env.sh'], play: build },
  { name: 'image sizes', needs: ['build'], play: imageSizes },
  { name: UP, needs: ['build'], play: up },
  { name: 'idle memory', needs: [UP], play: memory },
  { name: AGENT, needs: [UP], play: organization },
  { name: 'health, pages, console link, Web UI', needs: [AGENT], play: pages },
  { name: 'metrics', needs: [UP], play: metrics },
  { name: 'import of do-not-disturb numbers', needs: [AGENT], play: importNumbers },
  { name: BRIDGE, needs: [UP], play: bridge },
];

async function makeEnv({ deployment, surroundings: { models } }: Stage): Promise<string> {
  await deployment.makeEnv();
  const { mode } = await stat(join(deployment.folder, '.env'));
  expectEqual('the mode of .env', (mode & 0o777).toString(8), '600');
  const { code, output } = await deployment.attempt(['config', '--quiet']);
  if (code === 0 || !output.includes('PUBLIC_URL'))
    throw new Error(`the deployment accepted an empty .env: ${output}`);
  await deployment.configure({
    PLATFORM_VERSION: FIRST_VERSION,
    PUBLIC_URL: ORIGIN,
    LIVEKIT_PUBLIC_URL: 'ws://127.0.0.1:7880',
    LIVEKIT_NODE_IP: machineAddress(),
    SIP_TRUNK_ADDRESS: `127.0.0.1:${TRUNK_PORT}`,
    SIP_TRUNK_TRANSPORT: 'udp',
    LEGAL_WINDOW_UTC: '00:00-24:00',
    CALLS_PER_SECOND: '2',
    OPENAI_BASE_URL: `http://models:${new URL(models.url).port}/v1`,
    OPENAI_API_KEY: 'stand-in',
    AGENT_STT: 'openai/stt',
    AGENT_LLM: 'openai/llm',
    AGENT_TTS: 'openai/tts',
    AGENT_SILENCE_MS: '60000',
    // The agent must accept calls even though image builds and other programs keep the processors busy.
    AGENT_MAX_LOAD: '1',
    SIP_MAX_CPU_UTILIZATION: '1',
  });
  return 'mode 600; an unfilled .env is refused by name';
}

/** Maximum size in MB of the layers that each image adds to Node's. */
const MAX_MB = { 'voice-agent-platform': 250, 'voice-agent-platform-agent': 200 };
const MEGABYTE = 1e6;

async function build({ deployment }: Stage): Promise<string> {
  await deployment.build();
  return 'platform and agent';
}

async function imageSizes({ docker }: Stage): Promise<string> {
  const [base] = await docker.lines(['image', 'ls', '--format', '{{.Repository}}:{{.Tag}}', 'node']);
  // An engine caches the base image of a build without a name, unless the image was pulled.
  if (base === undefined) throw new Skip('there is no Node image to compare with');
  const baseSize = await docker.imageSize(base);
  const sizes = await Promise.all(
    Object.entries(MAX_MB).map(async ([name, max]) => {
      const size = Math.round(((await docker.imageSize(`${name}:${FIRST_VERSION}`)) - baseSize) / MEGABYTE);
      return { text: `${name} ${size} MB`, isTooLarge: size > max, max };
    }),
  );
  const texts = sizes.map(({ text }) => text).join(', ');
  const tooLarge = sizes.filter(({ isTooLarge }) => isTooLarge);
  if (tooLarge.length > 0) {
    throw new Error(`own layers: ${texts}; at most ${tooLarge.map(({ max }) => max).join(' and ')} MB`);
  }
  return `own layers: ${texts}`;
}

async function up({ deployment }: Stage): Promise<string> {
  await deployment.up();
  for (const service of SERVICES) {
    expectEqual(`the state of ${service}`, await deployment.inspect(service, '{{.State.Status}}'), 'running');
  }
  for (const job of JOBS) {
    const state = await deployment.inspect(job, '{{.State.Status}} {{.State.ExitCode}}');
    expectEqual(`the state of ${job}`, state, 'exited 0');
  }
  return `${SERVICES.length} services run, ${JOBS.length} jobs ended with status 0`;
}

const MAX_AGENT_MIB = 250;

async function memory({ deployment, docker }: Stage): Promise<string> {
  const figures = await Promise.all(
    SERVICES.map(async (service) => {
      const id = await deployment.container(service);
      const [line = ''] = await docker.lines(['stats', '--no-stream', '--format', '{{.MemUsage}}', id]);
      return { service, mebibytes: mebibytesIn(line) };
    }),
  );
  figures.sort((one, other) => other.mebibytes - one.mebibytes);
  const all = figures.reduce((sum, { mebibytes }) => sum + mebibytes, 0);
  const texts = figures.map(({ service, mebibytes }) => `${service} ${mebibytes}`).join(', ');
  const agent = figures.find(({ service }) => service === 'agent')?.mebibytes ?? 0;
  if (agent > MAX_AGENT_MIB) throw new Error(`MiB: ${texts}; the agent may take ${MAX_AGENT_MIB}`);
  return `MiB: all ${all}, ${texts}`;
}

/** Returns the first value of a string such as `12.3MiB / 2GiB`. */
function mebibytesIn(usage: string): number {
  const [, value = '0', unit = 'MiB'] = /^([\d.]+)([KMG]iB|B)/.exec(usage.trim()) ?? [];
  const factors: Record<string, number> = { B: 1 / 1024 ** 2, KiB: 1 / 1024, MiB: 1, GiB: 1024 };
  return Math.round(Number(value) * (factors[unit] ?? 1));
}

async function organization(stage: Stage): Promise<string> {
  const { deployment } = stage;
  await deployment.admin('org', 'create', '--name', ORGANIZATION);
  const key = await deployment.admin('key', 'create', '--org', ORGANIZATION);
  stage.key = field(key, 'key');
  await deployment.admin('secret', 'create', '--org', ORGANIZATION);
  const config = {
    persona: { identity: { greeting_message: { agent_message: 'Namaste {{name}}, your check-up is due.' } } },
    deployment: { phone: { call_type: { Outbound: [OUR_NUMBER] } } },
  };
  const made = await stage.api.send<{ agent_id: string }>('POST', '/api/create-agent', {
    agent_display_name: 'Asha',
    config,
  });
  stage.agentId = made.agent_id;
  return 'made by admin and over REST';
}

async function pages({ deployment, api }: Stage): Promise<string> {
  const { parts } = await api.get<{ parts: { status: string }[] }>('/api/health');
  const down = parts.filter(({ status }) => status !== 'up');
  expectEqual('the parts that are not up', down, []);
  const link = field(
    await deployment.admin('console', 'link', '--org', ORGANIZATION, '--for', 'Asha'),
    'path',
  );
  const token = new URL(link, ORIGIN).hash.replace('#sign-in=', '');
  const { status } = await api.ask('POST', '/api/console/session', { sign_in_token: token });
  expectEqual('the status of the sign-in', status, 201);
  for (const page of [`${ORIGIN}/console/`, `${ORIGIN}/console/try`, `${ORIGIN}/api/docs/`, WEB_UI]) {
    const response = await fetch(page);
    const text = await response.text();
    if (!response.ok || !/<html/i.test(text))
      throw new Error(`${page} returned ${response.status} instead of a page`);
  }
  return `${parts.length} parts up, 4 pages`;
}

const METRICS = ['api:9464', 'worker:9465', 'temporal:9090', 'agent:9466'];

async function metrics({ deployment }: Stage): Promise<string> {
  const program = `Promise.all(${JSON.stringify(METRICS)}.map((host) =>
    fetch('http://' + host + '/metrics').then((answer) => host + ' ' + answer.status, (error) => host + ' ' + error)
  )).then((lines) => console.log(lines.join(', ')))`;
  const output = await deployment.compose(['exec', '--no-TTY', 'api', 'node', '-e', program]);
  const found = output.trim();
  expectEqual('the answers', found, METRICS.map((host) => `${host} 200`).join(', '));
  return found;
}

async function importNumbers({ deployment }: Stage): Promise<string> {
  const file = join(deployment.folder, 'numbers.csv');
  await writeFile(file, 'phone_number\n+919162000001\n+919162000002\n');
  await deployment.compose([
    ...['run', '--rm', '--no-TTY', '--volume', `${file}:/tmp/numbers.csv:ro`],
    ...['admin', 'dnd', 'import', '--org', ORGANIZATION, '/tmp/numbers.csv'],
  ]);
  const counted = await deployment.compose([
    'run',
    '--rm',
    '--no-TTY',
    'admin',
    'dnd',
    'count',
    '--org',
    ORGANIZATION,
  ]);
  if (!/\b2\b/.test(counted)) throw new Error(`the list does not have 2 numbers: ${counted}`);
  return '2 numbers of a file on the machine';
}

async function bridge({ surroundings: { withoutBridge }, deployment }: Stage): Promise<string> {
  if (withoutBridge !== null) throw new Skip(withoutBridge);
  return deployment.inspect('sip', '{{.Config.Image}}, {{.State.Health.Status}}');
}

function field(answer: unknown, name: string): string {
  const value: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined;
  if (typeof value !== 'string') throw new Error(`there is no "${name}" in ${JSON.stringify(answer)}`);
  return value;
}
