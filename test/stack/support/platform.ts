/** Runs a whole platform for one test file. All processes are real, and tests use them from outside. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { removeFolder } from '../../../dev/remove-folder';
import { openDatabase, type Db } from '../../../db/kernel/connection';
import { silent } from '../../../dev/progress';
import { query } from '../../../dev/stack/postgres';
import { repositoryRoot } from '../../../dev/stack/repository';
import { ANY_PORTS, startStack, type Stack, type StackOptions } from '../../../dev/stack/stack';
import { temporalAccess, temporalProfileIn } from '../../../runtime/temporal-access';
import { createTestDatabase, type TestDatabase } from '../../servers/database';
import { startPgbouncer, type Pgbouncer } from '../../servers/pgbouncer';
import { published } from '../../servers/published';
import { CampaignRun } from './campaign-run';
import { CarrierLog } from './carrier-log';
import { Organization, type CampaignWish } from './organization';
import { WebhookReceiver } from './receiver';

export interface PlatformOptions {
  ringMs?: number;
  talkMs?: number;
  /** Environment variables for all processes. They override the usual ones. */
  environment?: Record<string, string>;
  dynamicConfig?: Record<string, string>;
  /** Makes calls through LiveKit, to simulated phones. */
  livekit?: boolean;
  /** Requires `livekit`. Reaches phones through the real SIP bridge. */
  sipBridge?: StackOptions['sipBridge'];
  /** Silence after which the agent hangs up. */
  silenceMs?: number;
  /** Base URLs of extra APIs that receive LiveKit's events, for platforms that run `beside` this one. */
  alsoReportedTo?: readonly string[];
  /** Shares LiveKit and Temporal with another platform, but uses a separate namespace. */
  beside?: { platform: Platform; namespace: string; apiPort: number };
  /** Routes everything except migrations and notifications through a PgBouncer with this many connections. */
  lentConnections?: number;
  /** Uses this Temporal server, with these environment variables. */
  temporal?: { address: string; variables: Record<string, string> };
  /** Starts separate Postgres and Temporal servers, which keep their data when killed. Default: a database on the run's server. */
  ownServers?: boolean;
}

/** The first start on a busy machine may have to compile, unpack and migrate. */
export const START_WITHIN_MS = 90_000;

export class Platform {
  private constructor(
    readonly stack: Stack,
    readonly db: Db,
    readonly receiver: WebhookReceiver,
    readonly temporal: Client,
    private readonly database: TestDatabase | null,
    private readonly pgbouncer: Pgbouncer | null,
  ) {}

  static async open(options: PlatformOptions = {}): Promise<Platform> {
    const receiver = new WebhookReceiver();
    await receiver.listen();
    const database = options.ownServers ? null : await createTestDatabase();
    if (options.beside !== undefined && database !== null) await becomeAnother(database.url);
    const pgbouncer =
      options.lentConnections === undefined || database === null
        ? null
        : await startPgbouncer(database.url, options.lentConnections);
    const stack = await startStack({
      repository: repositoryRoot(),
      environment: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        TMPDIR: process.env.TMPDIR,
        ...(options.livekit ? mediaTools() : {}),
        ...(pgbouncer === null ? {} : { DATABASE_POOLED_URL: pgbouncer.url }),
        ...options.temporal?.variables,
        ...(options.beside ? { TEMPORAL_NAMESPACE: options.beside.namespace } : {}),
      },
      telephony: options.livekit ? 'livekit' : 'http',
      sipBridge: options.sipBridge,
      alsoReportedTo: options.alsoReportedTo ?? [],
      media: options.beside?.platform.stack.media ?? undefined,
      temporalAddress: options.temporal?.address ?? options.beside?.platform.stack.temporalAddress,
      onProgress: silent,
      dataDir: join(published('TEST_SERVERS_FOLDER'), `stack-${randomBytes(4).toString('hex')}`),
      ports: { ...ANY_PORTS, api: options.beside?.apiPort ?? 0 },
      databaseUrl: database?.url,
      temporalCliPath: published('TEST_TEMPORAL_CLI'),
      temporalInMemory: options.ownServers !== true,
      dynamicConfig: options.dynamicConfig ?? {},
      overrides: overrides(options, receiver.host),
    });
    // Generous limit for the tests' own queries, because a busy machine is slow.
    const db = openDatabase({
      url: stack.databaseUrl,
      poolSize: 4,
      timeoutMs: 20_000,
      applicationName: 'test',
    });
    const profile = temporalProfileIn({
      ...options.temporal?.variables,
      TEMPORAL_ADDRESS: stack.temporalAddress,
    });
    const connection = Connection.lazy(temporalAccess(profile));
    const temporal = new Client({ connection, namespace: options.beside?.namespace ?? 'default' });
    return new Platform(stack, db, receiver, temporal, database, pgbouncer);
  }

  newOrganization(maxConcurrency = 10): Promise<Organization> {
    const { apiUrl, secrets } = this.stack;
    return Organization.create(
      { apiUrl, db: this.db, secretsKey: secrets.secretsKey },
      this.receiver,
      maxConcurrency,
    );
  }

  /** Creates a campaign, in a new organization by default. */
  async campaign(wish: CampaignWish, organization?: Organization): Promise<CampaignRun> {
    const owner = organization ?? (await this.newOrganization());
    const { status, body } = await owner.createCampaign(wish);
    if (status !== 201) throw new Error(`the campaign was not created: ${JSON.stringify(body)}`);
    return new CampaignRun(this, owner, wish, body.id);
  }

  /** Returns the carrier's log, limited to these numbers if given. */
  carrier(numbers?: readonly string[]): CarrierLog {
    return CarrierLog.read(this.stack.simulatorLog, numbers);
  }

  /** Simulates a call to one of our numbers, through the simulated carrier or the stand-in. */
  async ring(to: string, from: string): Promise<{ status: number; carrierId: string }> {
    const { carrierUrl, secrets } = this.stack;
    const response = await fetch(`${carrierUrl}/inbound-calls`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secrets.carrierSecret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to, from }),
    });
    const { carrier_id: carrierId } = (await response.json()) as { carrier_id: string };
    return { status: response.status, carrierId };
  }

  async close(): Promise<void> {
    await this.temporal.connection.close();
    await this.db.destroy();
    await this.stack.stop();
    await this.receiver.close();
    await this.pgbouncer?.close();
    await this.database?.drop();
    await removeFolder(this.stack.dataFolder);
  }
}

/** Gives the database a new deployment id, because all test databases are copies and share one. */
async function becomeAnother(url: string): Promise<void> {
  await query(url, (client) => client.query('update deployment set id = gen_random_uuid()'));
}

/** Short, because simulated phones respond without a pause. */
const SILENCE_MS = 700;

const mediaTools = () => ({
  LIVEKIT_SERVER_PATH: published('TEST_LIVEKIT_SERVER'),
  REDIS_SERVER_PATH: published('TEST_REDIS_SERVER'),
});

function overrides(
  { ringMs = 200, talkMs = 600, silenceMs = SILENCE_MS, environment }: PlatformOptions,
  receiverHost: string,
) {
  return {
    all: {
      LEGAL_WINDOW_UTC: '00:00-24:00',
      WEBHOOK_ALLOWED_HOSTS: receiverHost,
      // Disabled, because tests poll twenty times a second.
      RATE_LIMIT_PER_MIN: '0',
      ...environment,
    },
    // Idle processes for tests that start a conversation on each of their lines at once.
    agent: { AGENT_SILENCE_MS: String(silenceMs), AGENT_IDLE_PROCESSES: '2' },
    simulator: {
      SIMULATOR_RING_MS: String(ringMs),
      SIMULATOR_TALK_MS: String(talkMs),
      SIMULATOR_RING_CAP_MS: String(2 * ringMs),
    },
  };
}
