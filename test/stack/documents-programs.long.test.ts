/** Runs the programs in the documentation against a platform. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { signatureHeaders } from '../../activities/delivering/signature';
import { removeFolder } from '../../dev/remove-folder';
import { repositoryRoot } from '../../dev/stack/repository';
import { describeWith } from '../servers/availability';
import { given, openPlatform } from './support/documents/given';
import { blockOf } from './support/documents/pages';
import { Programs } from './support/documents/programs';
import { freshNumbers } from './support/numbers';
import { START_WITHIN_MS, type Platform } from './support/platform';

const RUN_WITHIN_MS = 120_000;
/** The receiver in the documentation leaves this line to the reader. */
const LISTENS = 'const server: any = app.listen(0, () => console.log(server.address().port));';

describeWith('python', 'the documentation', () => {
  let platform: Platform;
  let programs: Programs;
  let env: NodeJS.ProcessEnv;

  /** Replaces the example call in the documentation with a real one. */
  const filledIn = (source: string): string =>
    source
      .replaceAll('http://127.0.0.1:8080', platform.stack.apiUrl)
      .replaceAll('outbound-…', env.CALL ?? '')
      .replaceAll('+919876543200', freshNumbers([0])[0] ?? '');

  beforeAll(async () => {
    platform = await openPlatform();
    env = await given(platform);
    const readme = blockOf('README.md', 'ts');
    programs = new Programs(env);
    await programs.compile({
      'readme.mts': filledIn(`const { URL = '', KEY = '' } = process.env;\n${readme}`),
      'client.mts': filledIn(blockOf('sdk/typescript/README.md', 'ts')),
      'receiver.mts': `${blockOf('docs/webhooks.md', 'ts')}\n${LISTENS}`,
    });
    writeFileSync(join(programs.folder, 'contacts.csv'), `name,phone_number\nAsha,${freshNumbers([0])[0]}\n`);
  }, START_WITHIN_MS + RUN_WITHIN_MS);
  afterAll(async () => {
    await platform.close();
    await removeFolder(programs.folder);
  });

  const dispatches = async (): Promise<number> =>
    Number(
      (await platform.db('calls').where({ organization_id: env.ORGANIZATION, campaign_id: null }).count())[0]
        ?.count,
    );

  test('dispatches a call with the TypeScript and Python code in README.md', async () => {
    const before = await dispatches();
    await programs.javascript('readme.mjs');
    const python = `import os\nURL, KEY = os.environ["URL"], os.environ["KEY"]\n${blockOf('README.md', 'python')}`;
    await programs.python(filledIn(python));
    expect(await dispatches()).toBe(before + 2);
  });

  test(
    'reads captions, creates a campaign and downloads a recording with each client',
    async () => {
      expect(await programs.javascript('client.mjs')).toMatch(/^connected\n[^]*call_ended\n/);
      const python = filledIn(blockOf('sdk/python/README.md', 'python'));
      expect(await programs.python(python)).toMatch(/^connected\n[^]*call_ended\n/);
      expect(readFileSync(join(programs.folder, 'call.wav'), 'utf8')).toBe('sound');
      const campaigns = await platform
        .db('campaigns')
        .where({ organization_id: env.ORGANIZATION, campaign_name: 'November' });
      expect(campaigns).toHaveLength(2);
    },
    RUN_WITHIN_MS,
  );

  test('prints the conversation with the code in docs/live-captions.md', async () => {
    const response = await fetch(`${env.URL}/api/trigger-call/`, {
      method: 'POST',
      headers: { 'X-API-Key': env.KEY ?? '', 'Content-Type': 'application/json' },
      body: JSON.stringify({ agent_id: env.AGENT, contact_number: freshNumbers([0])[0], name: 'Asha' }),
    });
    const { output } = (await response.json()) as { output: { live_captions_url: string } };
    const address = `const live_captions_url = ${JSON.stringify(output.live_captions_url)};\n`;
    const printed = await programs.javascript(
      'captions.cjs',
      address + blockOf('docs/live-captions.md', 'js'),
    );
    expect(printed).toMatch(/^(?:agent|user) .+/m);
  });

  test('accepts a signed webhook and rejects a changed one with the receiver in docs/webhooks.md', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const receiver = programs.start('receiver.mjs', { WEBHOOK_SECRETS: secret });
    try {
      const [port] = await once(createInterface({ input: receiver.stdout! }), 'line');
      const eventId = '0b5e6f0a-0000-4000-8000-000000000001';
      const body = JSON.stringify({ event: 'call.completed', event_id: eventId });
      const timestampS = Math.floor(Date.now() / 1000);
      const headers = signatureHeaders({ eventId, body, attempt: 1, timestampS, secrets: [secret] });
      const statusOf = async (sent: string) =>
        (await fetch(`http://127.0.0.1:${port}/hooks`, { method: 'POST', headers, body: sent })).status;
      expect([await statusOf(body), await statusOf(`${body} `)]).toEqual([204, 401]);
    } finally {
      receiver.kill('SIGKILL');
    }
  });

  test('starts the MCP server with the configuration in mcp/README.md', async () => {
    const { mcpServers } = JSON.parse(filledIn(blockOf('mcp/README.md', 'json')));
    const { command, args, env: named } = mcpServers['voice-agents'];
    const program = args[0].replace('/path/to/voice-agent-platform', repositoryRoot());
    expect(command).toBe('node');
    // The server's input is empty, so the server exits.
    const server = programs.start(program, { ...named, VOICE_API_KEY: env.KEY, LOG_LEVEL: 'warn' });
    expect(await once(server, 'exit')).toEqual([0, null]);
  });
});
