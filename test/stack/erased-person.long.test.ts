/**
 * Erases a person with the operators' command, and then searches all data for them. A campaign and a dispatch have called the person, who
 * has also called in.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { callToken } from '../../db/calls/agent-access';
import { rows } from '../../db/kernel/query';
import { onlyKey } from '../../db/kernel/secrets-keys';
import { repositoryRoot } from '../../dev/stack/repository';
import { WORKFLOW_TYPES } from '../../workflows/contract';
import { describeWith } from '../servers/availability';
import { eventually, eventuallyTrue } from './support/eventually';
import { placesOf } from './support/kept-data';
import type { Organization } from './support/organization';
import { Platform, START_WITHIN_MS } from './support/platform';

/** Returns a number that talks to the end. It belongs to no subscriber, because no mobile series in India begins with 61. */
const freshNumber = (): string => `61${String(randomInt(1_000_000)).padStart(6, '0')}00`;
const NATIONAL = freshNumber();
const NUMBER = `+91${NATIONAL}`;
const OTHER = `+91${freshNumber()}`;
const THIRD = `+91${freshNumber()}`;
const OWN_NUMBER = '+918040000001';
/** The person's number, name, town (which the agent says), e-mail address and illness, and a marker for the sound of their voice. */
const THEIRS = [NATIONAL, 'Zebediah', 'Quillhaven', 'quillfeather', 'arthritis', 'canary-sound'];
const CSV = [
  'name,phone_number,city,email',
  `Zebediah Q,${NUMBER},Quillhaven,z.quillfeather@example.org`,
  `Ottoline,${OTHER},Pune,ottoline@example.org`,
  `Third,${THIRD},Nashik,third@example.org`,
  '',
].join('\n');

/** The search must find the person in these places before the erasure. Otherwise it would prove nothing afterwards. */
const PLACES = [
  'call_segments.text',
  'calls.from_number',
  'calls.metadata',
  'calls.name',
  'calls.to_number',
  'contacts.name',
  'contacts.phone_number',
  'contacts.variables',
  'dnd_numbers.phone_number',
  'dnd_numbers.source',
  'files/*',
  'files/recordings/*',
  'webhook_deliveries.body',
];

describeWith('temporal', 'the erasure of a person', () => {
  let platform: Platform;
  let organization: Organization;
  let campaignId: string;
  let organizationId: string;

  beforeAll(async () => {
    platform = await Platform.open({ ownServers: true, environment: { LOG_LEVEL: 'debug' } });
    organization = await platform.newOrganization();
    await quoteWebhooks(INSERTS, 'detail');
    ({ id: campaignId, organizationId } = await startCampaign());
    await untilQuoted(3);
    await quoteWebhooks(INSERTS, 'message');
    await untilQuoted(3);
    await silencePostgresInStatement();
    await quoteNoMore();
    await dispatch();
    const config = { deployment: { phone: { call_type: { Inbound: OWN_NUMBER } } } };
    await organization.post('/api/create-agent', { agent_display_name: 'Reception', config });
    await ring();
    await ring();
    await untilProcessed(6);
    await redeliverOneThatIsQuoted();
    await asNetworksWrite([`0${NATIONAL}`, `sip:${NUMBER}@10.9.8.7`]);
    await storeRecordings();
    await admin('dnd', 'add', NUMBER, '--org', organizationId, '--source', 'Zebediah asked us');
  }, START_WITHIN_MS + 150_000);
  afterAll(() => platform.close());

  /**
   * Makes statements that contain a whole call fail, so that Postgres quotes the row: in the detail, as for a constraint, or in the
   * message, as for an invalid value. Postgres would also log the message, so its log is disabled here.
   */
  const quoteWebhooks = async (at: string, where: 'detail' | 'message'): Promise<void> => {
    const [silent, quoting] =
      where === 'detail'
        ? ['', `'this row is refused' using detail = new.body`]
        : ['set log_min_messages = fatal', `'this row is refused: %', new.body`];
    await rows(
      platform.db,
      `create or replace function quote_row() returns trigger language plpgsql ${silent} as
       $$ begin raise exception ${quoting}; end $$`,
    );
    await rows(platform.db, `create or replace trigger quoting ${at} execute function quote_row()`);
  };
  const INSERTS = 'before insert on webhook_deliveries for each row';
  const UPDATES = 'before update on webhook_deliveries for each row';
  const quoteNoMore = () => rows(platform.db, 'drop trigger quoting on webhook_deliveries');
  const untilQuoted = (times: number): Promise<void> => {
    const before = activityFailures();
    return eventuallyTrue(
      60_000,
      'Postgres quotes their webhook to the worker',
      () => activityFailures() >= before + times,
    );
  };
  /**
   * Provokes an error that quotes the row, in the API and in an activity whose failures Temporal stores. A local activity wouldn't do,
   * because Temporal doesn't see its failures.
   */
  const redeliverOneThatIsQuoted = async (): Promise<void> => {
    const { id } = await platform.db('webhook_deliveries').where('body', 'like', `%${NATIONAL}%`).first();
    const redeliver = () => organization.post(`/api/webhook-deliveries/${id}/redeliver`, {});
    await quoteWebhooks(UPDATES, 'message');
    expect((await redeliver()).status).toBe(500);
    await quoteWebhooks(`${UPDATES} when (old.status = 'pending')`, 'message');
    const quoted = untilQuoted(1);
    expect((await redeliver()).status).toBe(202);
    await quoted;
    await quoteNoMore();
    await untilProcessed(6);
  };
  /** Makes Postgres stop answering a statement that contains the whole transcript. The database client's error for that has no code. */
  const silencePostgresInStatement = async (): Promise<void> => {
    const trx = await platform.db.transaction();
    await rows(trx, 'lock table webhook_deliveries in share row exclusive mode');
    await eventuallyTrue(20_000, 'the worker waits in the statement', () => isWaiting('worker'));
    const stopped = await waitingFor('worker');
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    try {
      await eventuallyTrue(30_000, 'the worker gives it up', () => /read timeout/.test(logOf('worker')));
    } finally {
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
      await trx.rollback();
    }
  };
  const isWaiting = async (application: string): Promise<boolean> =>
    (await waitingFor(application)).length > 0;
  /** Returns the Postgres processes whose statements wait for a lock. */
  const waitingFor = async (application: string): Promise<number[]> => {
    const found = await rows<{ pid: number }>(
      platform.db,
      `select pid from pg_stat_activity where application_name = :application and wait_event_type = 'Lock'`,
      { application },
    );
    return found.map(({ pid }) => pid);
  };
  const activityFailures = (): number => logOf('worker').split('Activity failed').length - 1;
  const logOf = (name: string): string =>
    readFileSync(join(platform.stack.dataFolder, 'logs', `${name}.log`), 'utf8');

  const startCampaign = async (): Promise<{ id: string; organizationId: string }> => {
    const { status, body } = await organization.createCampaign({ numbers: [], csv: CSV, concurrency: 3 });
    expect(status).toBe(201);
    return { id: body.id, organizationId: body.client_id };
  };

  const dispatch = async (): Promise<void> => {
    const response = await fetch(`${platform.stack.apiUrl}/api/trigger-call/`, {
      method: 'POST',
      headers: {
        'X-API-Key': organization.key,
        'Idempotency-Key': 'once',
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        agent_id: organization.agentId,
        contact_number: NUMBER,
        name: 'Zebediah',
        metadata: { note: 'arthritis' },
      }),
    });
    expect(response.status).toBe(200);
  };

  const ring = async (): Promise<void> => {
    await eventually(15_000, async () =>
      expect(await platform.ring(OWN_NUMBER, NUMBER)).toMatchObject({ status: 201 }),
    );
  };

  /** Stores the callers' numbers in formats that other networks use, because the simulator accepts only one. */
  const asNetworksWrite = async (forms: string[]): Promise<void> => {
    const callers = await platform.db('calls').where({ direction: 'Incoming' });
    expect(callers).toHaveLength(forms.length);
    for (const [index, from_number] of forms.entries()) {
      await platform.db('calls').where({ call_id: callers[index].call_id }).update({ from_number });
    }
  };

  const untilProcessed = (calls: number): Promise<void> =>
    eventually(60_000, async () => {
      const done = await platform.db('calls').whereNotNull('concluded_at');
      expect(done).toHaveLength(calls);
      expect(await platform.db('webhook_deliveries').where({ status: 'pending' })).toEqual([]);
    });

  const storeRecordings = async (): Promise<void> => {
    const { apiUrl, secrets } = platform.stack;
    const keys = onlyKey(Buffer.from(secrets.secretsKey, 'base64'));
    const theirs = `regexp_replace(to_number || from_number, '\\D', '', 'g') like ?`;
    // Claims the calls as an agent would, because the simulator placed them without one.
    await platform.db('calls').whereRaw(theirs, `%${NATIONAL}%`).update({ agent_ticket: 0 });
    for (const { call_id: callId } of await platform.db('calls').whereRaw(theirs, `%${NATIONAL}%`)) {
      const response = await fetch(`${apiUrl}/api/carrier/calls/${callId}/recording`, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${callToken(keys, { callId, ticket: 0 }, Date.now())}`,
          'content-type': 'audio/wav',
        },
        body: `canary-sound of ${callId}`,
      });
      expect([200, 201, 204]).toContain(response.status);
    }
  };

  /** Runs the command in a separate process, as `npm run admin` does. */
  const start = (...args: string[]): ChildProcess =>
    spawn(process.execPath, [join(repositoryRoot(), 'dist/api/admin/main.js'), ...args], {
      env: { PATH: process.env.PATH, ...parseEnv(readFileSync(platform.stack.environmentFile, 'utf8')) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const admin = async (...args: string[]): Promise<number | null> => {
    const [code] = (await once(start(...args), 'exit')) as [number | null];
    return code;
  };
  const erasing = (number: string): string[] => ['person', 'erase', '--phone', number, '--yes'];
  const theirPlaces = (): Promise<string[]> => placesOf(platform, THEIRS);

  test('finds the person before the erasure, but never in a log or in Temporal', async () => {
    expect(await theirPlaces()).toEqual(expect.arrayContaining(PLACES));
    const elsewhere = (await theirPlaces()).filter((place) => /log|temporal/i.test(place));
    expect(elsewhere).toEqual([]);
    // Confirms that the search covers logs, and Temporal's inputs and attributes.
    const callIds: string[] = await platform.db('calls').pluck('call_id');
    expect(await placesOf(platform, callIds)).toContain('logs/worker.log');
    expect(await placesOf(platform, [organizationId])).toEqual(
      expect.arrayContaining([
        'logs/api.log',
        `temporal: ${WORKFLOW_TYPES.call}`,
        `temporal: ${WORKFLOW_TYPES.campaign}`,
      ]),
    );
    expect(await platform.db('idempotency_keys')).toHaveLength(1);
  });

  test('changes nothing if the erasure is killed before it commits', async () => {
    const before = await theirPlaces();
    const trx = await platform.db.transaction();
    await rows(trx, 'select 1 from webhook_deliveries for update');
    const killed = start(...erasing(NUMBER));
    const exit = once(killed, 'exit');
    await eventuallyTrue(20_000, 'the erasing waits', () => isWaiting('admin'));
    killed.kill('SIGKILL');
    await exit;
    await trx.rollback();
    expect(await theirPlaces()).toEqual(before);
  }, 120_000);

  test('keeps the person only on the do-not-disturb list if an erasure is killed at its commit and others follow', async () => {
    const killed = start(...erasing(NUMBER));
    const exit = once(killed, 'exit');
    await eventuallyTrue(20_000, 'their rows are erased', async () => {
      return (await platform.db('files_to_remove')).length > 0;
    });
    killed.kill('SIGKILL');
    await exit;
    // Data that arrives between the erasures.
    await dispatch();
    await untilProcessed(7);
    const codes = await Promise.all([NUMBER, NUMBER, OTHER].map((number) => admin(...erasing(number))));
    expect(codes).toEqual([0, 0, 0]);
    expect(await theirPlaces()).toEqual(['dnd_numbers.phone_number']);
    expect(await placesOf(platform, [OTHER.slice(3), 'Ottoline'])).toEqual([]);
    expect(await platform.db('idempotency_keys')).toEqual([]);
  }, 120_000);

  test('leaves the rows of other people in the contact file unchanged', async () => {
    const response = await fetch(`${platform.stack.apiUrl}/api/campaigns/${campaignId}/file`, {
      headers: { 'X-API-Key': organization.key },
    });
    expect(await response.text()).toBe(
      `name,phone_number,city,email\r\n\r\n\r\nThird,${THIRD},Nashik,third@example.org\r\n`,
    );
    expect(await placesOf(platform, ['third@example.org'])).not.toEqual([]);
  });
});
