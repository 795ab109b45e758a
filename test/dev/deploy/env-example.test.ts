import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readAgentSettings } from '../../../agent/settings';
import { readApiSettings } from '../../../api/settings';
import { VARIABLES } from '../../../config';
import type { Process } from '../../../config/variable';
import { readSettings as readSimulatorSettings } from '../../../dev/simulator/settings';
import { readMcpSettings } from '../../../mcp/settings';
import { readWorkerSettings } from '../../../worker/settings';
import { root, textOf } from './compose-file';

const example = textOf('.env.example');

/** Values by name, including variables that are commented out. */
const documented = new Map(
  [...example.matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ]),
);

/** Values that an operator must fill in, so `.env.example` can't contain them. */
const secrets = {
  SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
  CARRIER_SECRET: 'a secret of sixteen characters',
  AGENT_SECRET: 'another of sixteen characters',
};
const required = {
  ...secrets,
  DATABASE_URL: documented.get('DATABASE_URL'),
  PUBLIC_URL: documented.get('PUBLIC_URL'),
  CARRIER_URL: documented.get('CARRIER_URL'),
};
const all: Record<string, string> = { ...Object.fromEntries(documented), ...secrets };

test('shows the defaults of the API and the worker in .env.example', () => {
  expect(readApiSettings(all)).toEqual(readApiSettings(required));
  expect(readWorkerSettings(all)).toEqual(readWorkerSettings(required));
});

test("shows the agent's defaults in .env.example", () => {
  const livekit = {
    LIVEKIT_URL: 'ws://localhost:7880',
    LIVEKIT_API_KEY: 'key',
    LIVEKIT_API_SECRET: 'secret',
  };
  const needed = { ...secrets, ...livekit, API_URL: documented.get('API_URL') };
  expect(readAgentSettings({ ...all, ...livekit })).toEqual(readAgentSettings(needed));
});

test("shows the MCP server's defaults in .env.example", () => {
  expect(readMcpSettings('http', all)).toEqual(readMcpSettings('http', {}));
});

test("shows the simulator's defaults in .env.example, except for its address", () => {
  const { HOST: _host, ...values } = all;
  expect(readSimulatorSettings(values)).toEqual(readSimulatorSettings(required));
});

test('describes exactly the variables that the local stack and the tests read', () => {
  const read = new Set(namesRead());
  expect([...read].filter((name) => !(name in VARIABLES))).toEqual([]);
  const described = Object.entries(VARIABLES)
    .filter(([, { readBy }]) => (readBy as readonly Process[]).every((reader) => TOOLS.includes(reader)))
    .map(([name]) => name);
  expect(described.filter((name) => !read.has(name))).toEqual([]);
});

/** Programs that read variables by name. All others read the table of variables. */
const TOOLS: readonly Process[] = ['stack', 'tests'];

/** Variables of the operating system, and those that tests set for processes they start. */
const NOT_OURS =
  /^(PATH|HOME|LC_ALL|TZ|TERM|NO_COLOR|DISPLAY|WAYLAND_DISPLAY|NODE_EXTRA_CA_CERTS|TEST_SERVERS_FOLDER|FAULTS_CLOCK_FILE)$/;

/** Returns names that `dev/`, `verify/` and the tests read, as `env.NAME`, `env['NAME']` or `variable: 'NAME'`. */
function namesRead(): string[] {
  const readers = [...typescriptFiles('dev'), ...typescriptFiles('verify'), 'test/servers/report-missing.js'];
  const form = /(?:env|environment)(?:\.|\[')([A-Z][A-Z0-9_]+)|variable: '([A-Z][A-Z0-9_]+)'/g;
  return readers
    .flatMap((file) => [...textOf(file).matchAll(form)].map(([, read, declared]) => read ?? declared ?? ''))
    .filter((name) => !NOT_OURS.test(name));
}

function typescriptFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));
}
