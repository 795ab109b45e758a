/** Runs the commands of `docs/operators.md` as people paste them. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { repositoryRoot } from '../../dev/stack/repository';
import { issueApiKey } from '../../db/clients/api-keys';
import { describeWith } from '../servers/availability';
import { published } from '../servers/published';
import { eventually } from './support/eventually';
import { freshNumbers, talkers } from './support/numbers';
import { Platform, START_WITHIN_MS } from './support/platform';

const PAGE = readFileSync(join(repositoryRoot(), 'docs', 'operators.md'), 'utf8');
const BLOCKS = [...PAGE.matchAll(/^## (.+)$|^```sh\n([^]*?)^```$/gm)].reduce<[string, string][]>(
  (blocks, [, heading, commands]) => {
    if (heading !== undefined) return [...blocks, [heading, '']];
    return [...blocks, [blocks.at(-1)?.[0] ?? '', commands ?? '']];
  },
  [],
);
const COMMANDS = BLOCKS.filter(([, commands]) => commands !== '');

/** Stands in for `psql URL -c SQL`, which a machine for tests need not have. */
const PSQL = `#!/usr/bin/env node
const { Client } = require('pg');
const [url, , sql] = process.argv.slice(2);
const client = new Client({ connectionString: url });
client.connect().then(() => client.query(sql)).then((result) => console.log(JSON.stringify(result.rows)))
  .then(() => client.end(), (error) => { console.error(error.message); process.exit(1); });
`;

describeWith('temporal', 'the page for operators', () => {
  let platform: Platform;
  let env: NodeJS.ProcessEnv;
  let delivery: string;

  beforeAll(async () => {
    platform = await Platform.open({ talkMs: 60_000 });
    platform.receiver.refuses = ({ body }) => body.event === 'campaign.status_changed';
    const tools = join(platform.stack.dataFolder, 'tools');
    mkdirSync(tools);
    writeFileSync(join(tools, 'psql'), PSQL, { mode: 0o755 });
    env = {
      HOME: process.env.HOME,
      NODE_PATH: join(repositoryRoot(), 'node_modules'),
      PATH: [tools, dirname(published('TEST_TEMPORAL_CLI')), process.env.PATH].join(':'),
      ...parseEnv(readFileSync(platform.stack.environmentFile, 'utf8')),
    };
    const refused = await platform.campaign({ numbers: talkers(1), concurrency: 1 });
    await refused.command('pause');
    delivery = await eventually(20_000, async () => {
      const [row] = await platform.db('webhook_deliveries').where({ campaign_id: refused.id });
      expect(row).toBeDefined();
      return row.id;
    });
  }, START_WITHIN_MS + 30_000);
  afterAll(() => platform.close());

  /** A campaign of its own for each block: a call that talks, and one that waits. */
  const variables = async (): Promise<NodeJS.ProcessEnv> => {
    const campaign = await platform.campaign({
      numbers: [...freshNumbers([0]), ...talkers(1)],
      concurrency: 1,
    });
    await campaign.untilPlaced(1, 40_000);
    // Else there is no task that it could be reset to.
    await campaign.untilRunning();
    const { client_id: clientId } = await platform.db('campaigns').where({ id: campaign.id }).first();
    const { key } = await issueApiKey(platform.db, clientId);
    const { client_id: owner } = await platform.db('webhook_deliveries').where({ id: delivery }).first();
    const { key: ownersKey } = await issueApiKey(platform.db, owner);
    return {
      ...env,
      CAMPAIGN: campaign.id,
      CALL: campaign.carrier().placed[0]?.reference ?? '',
      CLIENT: clientId,
      DELIVERY: delivery,
      API_KEY: key,
      OWNERS_KEY: ownersKey,
    };
  };

  test('has commands under every heading that asks for them', () => {
    expect([...new Set(COMMANDS.map(([heading]) => heading))]).toEqual([
      'Is it well?',
      'How far behind is it?',
      'Why does a campaign wait?',
      'Which call is stuck?',
      'Who answers a number?',
      'To end one',
      'Terminate and reset',
      'A webhook is refused',
      'The worker is down',
    ]);
  });

  test.each(COMMANDS)(
    'says what runs: %s',
    async (_heading, commands) => {
      const given = await variables();
      // The delivery is another client's than the campaign.
      const mine = commands.includes('$DELIVERY') ? { ...given, API_KEY: given.OWNERS_KEY } : given;
      const { stdout } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', commands], {
        cwd: repositoryRoot(),
        env: mine,
      });
      expect(stdout).not.toBe('');
    },
    90_000,
  );
});
