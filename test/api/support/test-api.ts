import { ORDINARY_TYPES } from '../../../domain/phone-number';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { Registry } from 'prom-client';
import { removeFolder } from '../../../dev/remove-folder';
import { onlyKey, type SecretsKeys } from '../../../db/kernel/secrets-keys';
import { agentGatewayRoutes } from '../../../api/calls/agent-gateway/routes';
import { createApp } from '../../../api/app';
import type Router from '@koa/router';
import { eventReceiver, type CarrierEventDependencies } from '../../../api/carriers/http/receive-event';
import { carrierEventRoutes } from '../../../api/carriers/http/routes';
import type { ApiDependencies } from '../../../api/dependencies';
import type { ApiState } from '../../../api/http/context';
import { connectionShares } from '../../../api/http/limits';
import { apiMetrics } from '../../../api/http/metrics';
import { ApiServer } from '../../../api/http/server';
import type { LiveProgressOptions } from '../../../api/campaigns/live/live-progress';
import type { BodyLimits } from '../../../api/http/input/body-budget';
import { apiLog } from '../../../api/http/log';
import { LiveCaptions, type LiveCaptionsDependencies } from '../../../api/calls/live-captions/live-captions';
import { QUOTA_DEFAULTS } from '../../../domain/quotas';
import type { FileStorage } from '../../../runtime/storage/file-storage';
import { issueApiKey, noteKeyUse } from '../../../db/organizations/api-keys';
import { insertOrganization, type Organization } from '../../../db/organizations/organizations';
import { openDatabase, type Db } from '../../../db/kernel/connection';
import type { SignalSender } from '../../../runtime/signal-workflows';
import { folderStorage } from '../../../runtime/storage/folder-storage';
import { createTestDatabase } from '../../servers/database';
import { RecordingTemporal } from './recording-temporal';

/** A Monday, in the middle of the legal window. */
export const MONDAY = Date.parse('2026-11-02T05:00:00.000Z');

export interface TestOrganization extends Organization {
  key: string;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; undefined if it isn't JSON. */
  body: any;
}

export interface Asked {
  method?: string;
  json?: unknown;
  body?: string | FormData | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  /** The organization whose key is sent. If null, no key is sent. */
  as?: TestOrganization | null;
}

/** Secret of the agent gateway. */
export const AGENT_SECRET = 'a-secret-of-the-agents';

export interface TestApi {
  url: string;
  databaseUrl: string;
  db: Db;
  temporal: RecordingTemporal;
  storage: FileStorage;
  clock: { time: number; now(): number };
  secretsKeys: SecretsKeys;
  organization: TestOrganization;
  /** Another organization, which must not see anything of the first. */
  stranger: TestOrganization;
  ask(path: string, asked?: Asked): Promise<Answer>;
  storedFiles(): Promise<string[]>;
  logLines(): string[];
  /** The metrics as Prometheus would read them. */
  scrape(): Promise<string>;
  newOrganization(maxConcurrency?: number): Promise<TestOrganization>;
  close(): Promise<void>;
}

export interface TestApiOptions {
  /** Maps the URL of the test's database to the one that the app connects to. */
  databaseUrl?: (real: string) => string;
  settings?: Partial<ApiDependencies['settings']>;
  /** Default: a temporary folder. */
  storage?: FileStorage;
  isDraining?: () => boolean;
  /** Connections of the pool, which organizations share. Default: 10 without shares. */
  connections?: number;
  bodies?: Partial<BodyLimits>;
  liveProgress?: Partial<LiveProgressOptions>;
  consoleFolder?: string;
  /** Serves the carrier events and the agent gateway with this secret. Workflows aren't signalled. */
  carrierSecret?: string;
  /** Serves live captions with these limits. */
  captions?: Pick<LiveCaptionsDependencies, 'limits' | 'pingMs'>;
  /** Extra routes that accept call events. They use the same event receiver as the carrier's routes. */
  moreEventRoutes?: (
    deps: Pick<CarrierEventDependencies, 'db' | 'clock' | 'log'> & Receiving,
  ) => Router<ApiState>[];
}

interface Receiving {
  receive: ReturnType<typeof eventReceiver>;
}

const NOBODY: SignalSender = { getHandle: () => ({ signal: () => Promise.resolve() }) };

/** Opens the real app on a real port with a real database. Only Temporal is a fake. */
export async function openTestApi({
  settings,
  storage: givenStorage,
  databaseUrl,
  isDraining,
  consoleFolder,
  liveProgress,
  bodies,
  connections,
  carrierSecret,
  captions,
  moreEventRoutes = () => [],
}: TestApiOptions = {}): Promise<TestApi> {
  const database = await createTestDatabase();
  // The timeout is long because the machine may be busy. Tests of outages give the app other connections with the usual timeout.
  const db = openDatabase({ url: database.url, poolSize: 10, timeoutMs: 30_000, applicationName: 'test' });
  const dataDir = await mkdtemp(join(tmpdir(), 'api-test-'));
  const storage = givenStorage ?? folderStorage(dataDir);
  const temporal = new RecordingTemporal();
  const clock = { time: MONDAY, now: () => clock.time };
  const secretsKeys = onlyKey(randomBytes(32));
  const lines: string[] = [];
  const registry = new Registry();
  const metrics = apiMetrics(registry);
  const log = apiLog(
    { level: 'debug' },
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString());
        done();
      },
    }),
  );
  const appDb =
    databaseUrl === undefined && connections === undefined
      ? db
      : openDatabase({
          url: databaseUrl?.(database.url) ?? database.url,
          applicationName: 'test',
          ...(connections !== undefined && {
            poolSize: connections,
            timeoutMs: 30_000,
            admit: connectionShares(connections),
          }),
        });
  const liveCaptions = new LiveCaptions({
    db: appDb,
    databaseUrl: databaseUrl?.(database.url) ?? database.url,
    clock,
    log,
    metrics,
    settings: { secretsKeys, publicUrl: 'https://calls.example.test', trustedProxies: [] },
    ...captions,
  });
  // Captions need a separate connection, so they start only if a test requests them.
  if (captions !== undefined) liveCaptions.start();
  const eventDeps = {
    db: appDb,
    temporal,
    signals: NOBODY,
    clock,
    log,
    metrics,
    settings: {
      creditsPerMinute: 1,
      usageRates: settings?.usageRates ?? {},
      registeredOnly: settings?.registeredOnly ?? false,
      spendPerDay: settings?.spendPerDay ?? { perCampaign: 0, perOrganization: 0 },
      ringTimeoutS: 30,
    },
    dials: { dialled: () => undefined },
    liveUpdates: liveCaptions,
  };
  const receive = eventReceiver(eventDeps);
  const app = createApp(
    {
      db: appDb,
      temporal,
      storage,
      clock,
      log,
      metrics,
      settings: {
        publicUrl: 'https://calls.example.test',
        secretsKeys,
        legalWindow: { startMinute: 150, endMinute: 869 },
        legalWindowLocal: { startMinute: 480, endMinute: 1260 },
        ruleProfile: null,
        allowedCountries: ['IN'],
        allowedNumberTypes: [...ORDINARY_TYPES],
        registeredOnly: false,
        transferSipDomains: ['pbx.example.com'],
        dispatchWaitLimitMs: 900_000,
        creditsPerMinute: 1,
        usageRates: {},
        callsPerSecond: 0,
        spendPerDay: { perCampaign: 0, perOrganization: 0 },
        livekit: null,
        workflowPages: null,
        trustedProxies: [],
        bodyBufferBytes: 64 * 1024 * 1024,
        uploadFolder: join(dataDir, 'uploads'),
        corsOrigins: [],
        rateLimits: { dispatchPerMinute: 0, otherPerMinute: 0 },
        quotas: QUOTA_DEFAULTS,
        mailConfirmedDomains: [],
        ...settings,
      },
    },
    {
      ...(isDraining && { isDraining }),
      consoleFolder,
      liveProgress,
      ...(bodies && { bodies }),
      ...(carrierSecret !== undefined && {
        moreRoutes: [
          carrierEventRoutes(receive, carrierSecret),
          ...moreEventRoutes({ db: appDb, clock, log, receive }),
          agentGatewayRoutes({
            db: appDb,
            storage,
            clock,
            receive,
            settings: {
              agentSecret: AGENT_SECRET,
              livekit: null,
              ringTimeoutS: 30,
              secretsKeys,
              allowedCountries: ['IN'],
              allowedNumberTypes: [...ORDINARY_TYPES],
              transferSipDomains: ['pbx.example.com'],
              transferMinutes: 10,
              ruleProfile: null,
              rulesForDispatches: false,
              creditsPerMinute: 1,
              callsPerSecond: 0,
              spendPerDay: { perCampaign: 0, perOrganization: 0 },
              ...settings,
            },
          }),
        ],
      }),
    },
  );
  const answer = app.callback();
  const { http: server } = new ApiServer(
    (request, response) => void answer(request, response),
    {},
    liveCaptions.upgrades,
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;

  const newOrganization = async (maxConcurrency = 10): Promise<TestOrganization> => {
    const created = await insertOrganization(db, { name: 'Asha Finance', maxConcurrency });
    const { id, key } = await issueApiKey(db, created.id);
    // Mark the key as just used, so that requests don't record their use.
    await noteKeyUse(db, id, clock.time);
    return { ...created, key };
  };
  const organization = await newOrganization();
  const stranger = await newOrganization();

  return {
    url,
    databaseUrl: database.url,
    db,
    temporal,
    storage,
    clock,
    secretsKeys,
    organization,
    stranger,
    newOrganization,
    ask: (path, asked) => ask(url, organization, path, asked),
    storedFiles: () => readdir(join(dataDir, 'files'), { recursive: true }).catch(() => []),
    logLines: () => lines,
    scrape: () => registry.metrics(),
    async close() {
      await liveCaptions.close();
      server.close();
      server.closeAllConnections();
      await Promise.all([db.destroy(), appDb.destroy()]);
      await removeFolder(dataDir);
      await database.drop();
    },
  };
}

async function ask(
  url: string,
  organization: TestOrganization,
  path: string,
  { method, json, body, headers = {}, as = organization }: Asked = {},
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method: method ?? (json === undefined && body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(as === null ? {} : { 'X-API-Key': as.key }),
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: json === undefined ? (body ?? null) : JSON.stringify(json),
    redirect: 'manual',
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
