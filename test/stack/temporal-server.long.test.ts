/** Tests the server that production uses, over TLS with client certificates and with the platform's task queue settings. */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { removeFolder } from '../../dev/remove-folder';
import { silent } from '../../dev/progress';
import { ClosingOrder } from '../../dev/stack/closing';
import { checkTemporal } from '../../dev/stack/given-servers';
import type { RunningTemporal } from '../../dev/stack/temporal';
import { query } from '../../dev/stack/postgres';
import { startTemporalOnPostgres, TEMPORAL_DATABASES } from '../../dev/stack/temporal-on-postgres';
import { startWatchdog } from '../../dev/stack/watchdog';
import { sqlToolBeside } from '../../dev/toolchain/temporal-tools';
import { temporalAccess, temporalProfileIn } from '../../runtime/temporal-access';
import { searchAttributes } from '../../workflows/contract';
import { ownedBy, type Owner } from '../../workflows/workflow-metadata';
import { describeWith } from '../servers/availability';
import { published } from '../servers/published';
import { eventually } from './support/eventually';
import { freshNumbers } from './support/numbers';
import { Platform, START_WITHIN_MS } from './support/platform';

const CAMPAIGN_WITHIN_MS = 60_000;
const POLL_MS = 20_000;
const BACKLOG = 40;

/** Created with `openssl` for `temporal.internal`, for these tests only. */
const certificate = (name: string): string => join(__dirname, '..', 'runtime', 'certificates', name);
const NAME = 'temporal.internal';
const TLS = {
  server: { certFile: certificate('server.pem'), keyFile: certificate('server.key') },
  client: { certFile: certificate('client.pem'), keyFile: certificate('client.key') },
  authorityFile: certificate('authority.pem'),
  serverName: NAME,
};
const TRUSTING = {
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: TLS.authorityFile,
  TEMPORAL_TLS_SERVER_NAME: NAME,
};
const VARIABLES = {
  ...TRUSTING,
  TEMPORAL_TLS_CLIENT_CERT_PATH: TLS.client.certFile,
  TEMPORAL_TLS_CLIENT_KEY_PATH: TLS.client.keyFile,
  TEMPORAL_API_KEY: 'a key that this server does not ask for',
};

describeWith('temporal-server', "Temporal's own server, over TLS", () => {
  const closing = new ClosingOrder();
  let server: RunningTemporal;
  let connection: Connection;

  beforeAll(async () => {
    const folder = join(published('TEST_SERVERS_FOLDER'), 'temporal-server');
    await mkdir(folder, { recursive: true });
    closing.add('the folder', () => removeFolder(folder));
    const watchdog = startWatchdog();
    closing.add('the watchdog', () => Promise.resolve(watchdog.stop()));
    const path = published('TEST_TEMPORAL_SERVER');
    server = await startTemporalOnPostgres({
      server: { path, sqlTool: sqlToolBeside(path), origin: 'configured', version: '' },
      postgresUrl: published('TEST_POSTGRES_URL'),
      folder,
      port: 0,
      supervision: { logFolder: folder, runFolder: folder, watchdog },
      onProgress: silent,
      environment: { PATH: process.env.PATH },
      tls: TLS,
    });
    closing.add('Temporal', server.stop);
    const profile = temporalProfileIn({ ...VARIABLES, TEMPORAL_ADDRESS: server.address });
    connection = await Connection.connect(temporalAccess(profile));
    closing.add('the connection', () => connection.close());
  }, START_WITHIN_MS);
  afterAll(() => closing.close(), START_WITHIN_MS);

  test(
    'runs a campaign whose API and worker get certificate and API key only from environment variables',
    async () => {
      const { address } = server;
      const platform = await Platform.open({ temporal: { address, variables: VARIABLES } });
      closing.add('the platform', () => platform.close());
      // A fresh server takes a moment to know new search attributes. Until then, it rejects new workflows.
      const run = await eventually(CAMPAIGN_WITHIN_MS, () =>
        platform.campaign({ numbers: freshNumbers([0, 70, 85]), concurrency: 3 }),
      );
      await run.untilOver('completed', CAMPAIGN_WITHIN_MS);
      await run.expectNothingLost();
      run.expectAllNotified();
    },
    START_WITHIN_MS + 2 * CAMPAIGN_WITHIN_MS,
  );

  // deploy/temporal-visibility.sql creates these indexes.
  test("keeps the indexes of the platform's search attributes", async () => {
    const { config } = await connection.workflowService.describeNamespace({ namespace: 'default' });
    const columns = Object.entries(config?.customSearchAttributeAliases ?? {});
    expect(columns.map(([, name]) => name).sort()).toEqual(
      Object.values(searchAttributes)
        .map(({ name }) => name)
        .sort(),
    );
    const url = new URL(published('TEST_POSTGRES_URL'));
    url.pathname = `/${TEMPORAL_DATABASES.visibility}`;
    const { rows } = await query(url.href, (client) =>
      client.query<{ indexdef: string }>(
        "select indexdef from pg_indexes where tablename = 'executions_visibility'",
      ),
    );
    const indexed = (column: string) =>
      rows.some(({ indexdef }) => indexdef.includes(`(namespace_id, ${column.toLowerCase()}, `));
    expect(columns.filter(([column]) => !indexed(column))).toEqual([]);
    expect(indexed('Int01')).toBe(false);
  });

  test.each([
    ['without TLS', {}],
    ['without a certificate', TRUSTING],
  ])('rejects connections %s', async (_how, variables) => {
    await expect(checkTemporal(server.address, variables)).rejects.toThrow("isn't responding");
  });

  describe('with tasks waiting for a worker', () => {
    const startedFor = async (
      taskQueue: string,
      name: string,
      owner: Owner,
      count: number,
    ): Promise<void> => {
      const { workflow } = new Client({ connection });
      for (let nth = 0; nth < count; nth += 1) {
        await workflow.start('callWorkflow', {
          workflowId: `${name}-${nth}-${randomUUID()}`,
          taskQueue,
          workflowTaskTimeout: '1m',
          priority: ownedBy(owner).priority,
        });
      }
    };
    /** A task reaches its queue a moment after its workflow starts. */
    const untilWaiting = (taskQueue: string, count: number): Promise<void> =>
      eventually(CAMPAIGN_WITHIN_MS, async () => {
        const { stats } = await connection.workflowService.describeTaskQueue({
          namespace: 'default',
          taskQueue: { name: taskQueue },
          taskQueueType: temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
          reportStats: true,
        });
        expect(Number(stats?.approximateBacklogCount)).toBe(count);
      });
    /** Returns the order in which a worker gets the tasks. */
    const order = async (taskQueue: string, count: number): Promise<string[]> => {
      const names: string[] = [];
      while (names.length < count) {
        const { workflowExecution } = await connection.withDeadline(Date.now() + POLL_MS, () =>
          connection.workflowService.pollWorkflowTaskQueue({
            namespace: 'default',
            taskQueue: { name: taskQueue },
            identity: 'test',
          }),
        );
        names.push(workflowExecution?.workflowId?.split('-')[0] ?? '');
      }
      return names;
    };

    test(
      "alternates a small organization's tasks with a large one's backlog, and serves dispatches before both",
      async () => {
        const taskQueue = randomUUID();
        await startedFor(taskQueue, 'big', { organizationId: 'big', campaignId: 'b' }, BACKLOG);
        await startedFor(taskQueue, 'small', { organizationId: 'small', campaignId: 's' }, 3);
        await startedFor(taskQueue, 'dispatch', { organizationId: 'big' }, 2);
        await untilWaiting(taskQueue, BACKLOG + 5);
        const names = await order(taskQueue, BACKLOG + 5);
        // Dispatches come right after the tasks that the server already holds in memory.
        expect(names.lastIndexOf('dispatch')).toBeLessThan(4);
        expect(names.lastIndexOf('small')).toBeLessThan(BACKLOG / 4);
        expect(names.filter((name) => name === 'big')).toHaveLength(BACKLOG);
      },
      2 * CAMPAIGN_WITHIN_MS,
    );
  });
});
