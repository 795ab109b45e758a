import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { removeFolder } from '../../dev/remove-folder';
import { retentionActivities, type Forgotten } from '../../activities/retention';
import { loadEndedCall, concludeCall } from '../../db/calls/conclusions';
import { platformState } from '../../db/reconciliation/platform-state';
import { keptTotal } from '../../db/kernel/list-page';
import { onlyRow, timestamp } from '../../db/kernel/query';
import { recordRecording } from '../../db/calls/recordings';
import { recordAudit } from '../../db/organizations/audit';
import { issueApiKey } from '../../db/organizations/api-keys';
import { issueSignInToken, openSession } from '../../db/organizations/console-tokens';
import { LATE_FILE_MS, listForRemoval } from '../../db/organizations/files-to-remove';
import { storePosition, setRetention, type Retention } from '../../db/organizations/retention';
import { folderStorage } from '../../runtime/storage/folder-storage';
import { describeWith } from '../servers/availability';
import { completedDraft } from './support/completed-draft';
import { EngineDatabase, START, type Owner } from './support/engine-database';
import { FINDINGS } from './support/findings';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOTHING: Forgotten = {
  recordings: 0,
  transcripts: 0,
  calls: 0,
  contacts: 0,
  contactFiles: 0,
  left: 0,
  auditPartitions: 0,
  deliveryPartitions: 0,
  archived: 0,
  callPartitions: 0,
};

describeWith('postgres', 'retention', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  let dataDir: string;
  let removed: string[];
  let failsToRemove: (key: string) => boolean;
  let auditDays: number | null;
  let deliveryDays: number | null;
  let callDays: number | null;

  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  beforeEach(async () => {
    await engine.db
      .raw(`truncate organizations, all_calls, all_call_segments, call_words, call_reports, call_analyses, recordings,
      webhook_deliveries, webhook_attempts, files_to_remove cascade`);
    owner = await engine.owner();
    dataDir = await mkdtemp(join(tmpdir(), 'retention-test-'));
    removed = [];
    failsToRemove = () => false;
    auditDays = null;
    deliveryDays = null;
    callDays = null;
  });
  afterEach(() => removeFolder(dataDir));
  afterAll(() => engine.close());

  const storage = () => folderStorage(dataDir);
  /** Runs retention this many days after the calls. */
  const enforce = (daysLater: number): Promise<Forgotten> =>
    new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') }).run(() =>
      retentionActivities({
        db: engine.db,
        clock: () => START + daysLater * DAY_MS,
        settings: { auditDays, deliveryDays, callDays, callbacks: { hashKeys: [Buffer.alloc(32)] } },
        log: { info: () => undefined, warn: () => undefined },
        files: {
          remove: async (key) => {
            if (failsToRemove(key)) throw new Error('the disk is read-only');
            removed.push(key);
            await storage().remove(key);
          },
        },
      }).enforceRetention(),
    );
  const keep = (days: Partial<Retention>, organization = owner) =>
    setRetention(engine.db, organization.organizationId, days);

  /** Returns a finished call with a recording, of an ended campaign with one contact. The call is processed by default. */
  async function talked({ by = owner, concluded = true } = {}): Promise<{
    callId: string;
    campaignId: string;
  }> {
    const campaignId = await engine.campaign(by, {
      contacts: 1,
      perCallWebhookUrl: 'https://example.com/call',
    });
    await storage().put(`${campaignId}.csv`, Buffer.from('name,phone_number'));
    await engine.set(campaignId, { contact_file_key: `${campaignId}.csv`, ended_at: new Date(START) });
    const [callId = ''] = (await engine.feed(by, campaignId)).granted;
    await engine.dial(callId);
    await engine.end(callId, 'agent', { answeredAt: new Date(START - 60_000).toISOString() });
    const storageKey = `recordings/${callId}.wav`;
    await storage().put(storageKey, Buffer.from('audio'));
    await recordRecording(engine.db, callId, { storageKey, contentType: 'audio/wav', bytes: 5 }, START);
    if (!concluded) return { callId, campaignId };
    await concludeCall(engine.db, {
      callId,
      findings: FINDINGS,
      segments: [{ speaker: 'user', text: 'Yes.', startMs: 0, endMs: 500 }],
      webhook: {
        url: 'https://example.com/call',
        draft: completedDraft({ callId }),
      },
      callback: null,
      now: START,
    });
    return { callId, campaignId };
  }
  const files = async () =>
    (await readdir(dataDir, { recursive: true, withFileTypes: true })).filter((file) => file.isFile()).length;
  const endedEarlier = (callId: string) =>
    engine
      .db('calls')
      .where({ call_id: callId })
      .update({ ended_at: new Date(START - 1_000) });
  const webhookOf = async (callId: string) =>
    JSON.parse((await engine.db('webhook_deliveries').where({ call_id: callId }).first()).body);

  test("removes expired console sessions and sign-in links, regardless of the organization's settings", async () => {
    const { id } = await issueApiKey(engine.db, owner.organizationId);
    await issueSignInToken(engine.db, id, START);
    await openSession(engine.db, id, START + DAY_MS);
    await enforce(1);
    expect(await engine.db('console_tokens').select('kind')).toEqual([{ kind: 'session' }]);
    await enforce(2);
    expect(await engine.db('console_tokens').select('kind')).toEqual([]);
  });

  test('drops a month of the audit log when its last day is past the retention period', async () => {
    auditDays = 90;
    await recordAudit(engine.db, {
      organizationId: null,
      actor: { kind: 'operator', id: 'Asha', requestId: null },
      action: 'org.create',
      subjectId: owner.organizationId,
      now: START,
    });
    expect(await enforce(0)).toMatchObject({ auditPartitions: 0 });
    expect(await enforce(89)).toMatchObject({ auditPartitions: 0 });
    expect(await engine.db('audit_log').where({ subject_id: owner.organizationId })).toHaveLength(1);
    expect((await enforce(122)).auditPartitions).toBeGreaterThan(0);
    expect(await engine.db('audit_log').where({ subject_id: owner.organizationId })).toEqual([]);
  });

  test('drops a month of webhooks past its retention, but not while a delivery is pending', async () => {
    deliveryDays = 90;
    const { callId } = await talked();
    expect(await enforce(122)).toMatchObject({ deliveryPartitions: 0 });
    expect(await webhookOf(callId)).toMatchObject({ event: 'call.completed' });
    await engine.db('webhook_deliveries').update({ status: 'failed', next_attempt_at: null });
    expect(await enforce(89)).toMatchObject({ deliveryPartitions: 0 });
    expect((await enforce(122)).deliveryPartitions).toBeGreaterThan(0);
    expect(await engine.db('webhook_deliveries')).toEqual([]);
    expect(await keptTotal(engine.db, owner.organizationId, 'webhook_deliveries')).toBe(0);
  });

  test('drops a month of archived calls past its retention, with all related data', async () => {
    callDays = 90;
    const { callId, campaignId } = await talked();
    const open = await talked({ concluded: false });
    expect(await enforce(31)).toMatchObject({ archived: 0, callPartitions: 0 });
    expect(await enforce(89)).toMatchObject({ archived: 1, callPartitions: 0 });
    expect(await keptTotal(engine.db, owner.organizationId, 'calls')).toBe(2);
    expect(await enforce(122)).toMatchObject({ archived: 0, callPartitions: 1 });
    expect(await engine.db('all_calls').pluck('call_id')).toEqual([open.callId]);
    for (const table of ['all_call_segments', 'call_words', 'call_reports', 'call_analyses', 'recordings'])
      expect(await engine.db(table).where({ call_id: callId })).toEqual([]);
    expect(await keptTotal(engine.db, owner.organizationId, 'calls')).toBe(1);
    expect(removed).toEqual([`recordings/${callId}.wav`]);
    expect(await engine.contacts(campaignId)).toMatchObject([{ state: 'completed' }]);
  });

  test('keeps everything forever without a setting', async () => {
    await talked();
    expect(await enforce(36_500)).toEqual({ ...NOTHING, archived: 1 });
    expect(await files()).toBe(2);
  });

  test('removes uploaded files without a row after an hour, but keeps those of campaigns', async () => {
    const { campaignId } = await talked();
    await storage().put('left.csv', Buffer.from('name,phone_number'));
    await listForRemoval(engine.db, ['left.csv', `${campaignId}.csv`], START + LATE_FILE_MS);
    await enforce(0);
    expect(removed).toEqual([]);
    await enforce(1);
    expect(removed).toEqual(['left.csv']);
    expect(await engine.db('files_to_remove')).toEqual([]);
  });

  test('removes recordings and their files after the configured days, and not a day earlier', async () => {
    await talked();
    await keep({ recordings: 30 });
    expect(await enforce(29.9)).toMatchObject({ recordings: 0 });
    expect(await enforce(30.1)).toMatchObject({ recordings: 1, transcripts: 0, calls: 0 });
    expect(await engine.db('recordings')).toEqual([]);
    expect(await files()).toBe(1);
  });

  test('erases transcripts and data derived from them, and keeps counts', async () => {
    const { callId } = await talked();
    await keep({ transcripts: 7 });
    expect(await enforce(8)).toMatchObject({ transcripts: 1, calls: 0, recordings: 0 });
    expect(await loadEndedCall(engine.db, callId)).toMatchObject({ segments: [], name: 'Contact 2' });
    expect(await engine.call(callId)).toMatchObject({
      summary: null,
      entity: null,
      conversation_eval: null,
      eval_tag: 'interested',
      outcome: 'interested',
      conversation_quality: {
        score: 80,
        sentiment: 'positive',
        agent_talk_ratio: 0.5,
        interruptions: 0,
        avg_response_ms: null,
        p95_response_ms: null,
      },
      call_status: 'completed',
    });
    expect(await webhookOf(callId)).toMatchObject({
      transcript: '',
      summary: '',
      contact: { name: 'Contact 2' },
    });
  });

  test('erases people from calls, contacts, webhooks and the contact file, and keeps states and counts', async () => {
    const { callId, campaignId } = await talked();
    await keep({ contacts: 7 });
    expect(await enforce(8)).toEqual({ ...NOTHING, calls: 1, contacts: 1, contactFiles: 1 });
    expect(await engine.call(callId)).toMatchObject({
      name: null,
      to_number: null,
      metadata: {},
      summary: 'They talked.',
    });
    expect(await engine.db('contacts').where({ campaign_id: campaignId })).toMatchObject([
      { name: '', phone_number: '', variables: {}, state: 'completed', attempts: 1 },
    ]);
    expect(await webhookOf(callId)).toMatchObject({
      contact: { name: '', phone: '' },
      transcript: 'USER: Yes.',
    });
    expect(removed).toEqual([`${campaignId}.csv`]);
    expect(await engine.sums(campaignId)).toEqual({ inProgress: 0, completed: 1, failed: 0 });
  });

  test('keeps contacts of an open campaign', async () => {
    const { campaignId } = await talked();
    await engine.set(campaignId, { ended_at: null });
    await keep({ contacts: 1 });
    expect(await enforce(8)).toMatchObject({ contacts: 0, contactFiles: 0 });
  });

  test('skips a call that is not processed yet, and erases calls that ended after it', async () => {
    const { callId } = await talked({ concluded: false });
    await talked();
    await endedEarlier(callId);
    await keep({ transcripts: 1, recordings: 1 });
    expect(await enforce(8)).toMatchObject({ transcripts: 1, recordings: 1, left: 2 });
    expect(await engine.db('recordings').pluck('call_id')).toEqual([callId]);
    expect(await platformState(engine.db, engine.now)).toMatchObject({ callsPastRetention: 1 });
    expect(await enforce(9)).toMatchObject({ transcripts: 0, recordings: 0, left: 0 });
    await engine
      .db('calls')
      .where({ call_id: callId })
      .update({ concluded_at: new Date(START) });
    expect(await platformState(engine.db, engine.now)).toMatchObject({ callsPastRetention: 0 });
    expect(await enforce(10)).toMatchObject({ transcripts: 1, recordings: 1, left: 0 });
    expect(await engine.db('retention_left')).toEqual([]);
  });

  test("erases contacts of a campaign that only waits for a call that can't be processed", async () => {
    const { callId, campaignId } = await talked({ concluded: false });
    await engine.set(campaignId, { ended_at: null });
    await keep({ contacts: 7 });
    expect(await enforce(6.9)).toMatchObject({ contacts: 0, contactFiles: 0 });
    expect(await enforce(7.1)).toMatchObject({ calls: 0, contacts: 1, contactFiles: 1, left: 1 });
    expect(await engine.call(callId)).toMatchObject({ name: 'Contact 2' });
    // A callback that is requested later has no number to dial.
    const request = { id: 'callback', dueAt: new Date(START), maxDepth: 3, toNumber: null };
    const { made } = await onlyRow<{ made: unknown }>(
      engine.db,
      'select schedule_callback(:callId, :request, :now) as made',
      { callId, request: JSON.stringify(request), now: timestamp(START) },
    );
    expect(made).toBeNull();
    expect(await engine.db('contacts').where({ campaign_id: campaignId })).toMatchObject([
      { state: 'completed' },
    ]);
  });

  test('removes nothing more in a second run', async () => {
    await talked();
    await keep({ recordings: 1, transcripts: 1, contacts: 1 });
    expect(await enforce(8)).toEqual({
      ...NOTHING,
      recordings: 1,
      transcripts: 1,
      calls: 1,
      contacts: 1,
      contactFiles: 1,
    });
    expect(await enforce(9)).toEqual({ ...NOTHING });
  });

  test('erases transcripts according to the current setting, even if it was different before', async () => {
    await talked();
    await keep({ transcripts: 30 });
    await enforce(8);
    await keep({ transcripts: 5 });
    expect(await enforce(8)).toMatchObject({ transcripts: 1 });
    await keep({ transcripts: null });
    await talked();
    expect(await enforce(80)).toMatchObject({ transcripts: 0 });
  });

  test("keeps another organization's data", async () => {
    const other = await engine.owner();
    await talked({ by: other });
    await talked();
    await keep({ recordings: 1, transcripts: 1, contacts: 1 });
    expect(await enforce(8)).toEqual({
      ...NOTHING,
      recordings: 1,
      transcripts: 1,
      calls: 1,
      contacts: 1,
      contactFiles: 1,
    });
  });

  test("erases rows although a file can't be removed, and keeps the file listed until it is", async () => {
    const other = await engine.owner();
    const theirs = await talked({ by: other });
    await talked();
    await keep({ recordings: 1 });
    await keep({ recordings: 1, transcripts: 1, contacts: 1 }, other);
    failsToRemove = (key) => key.includes(theirs.callId);
    await expect(enforce(8)).rejects.toThrow('some data could not be deleted');
    expect(await engine.db('recordings')).toEqual([]);
    expect(await engine.call(theirs.callId)).toMatchObject({ summary: null, name: null });
    expect(removed).toHaveLength(2);
    await expect(enforce(9)).rejects.toThrow('some data could not be deleted');
    expect(await engine.db('files_to_remove').pluck('storage_key')).toEqual([
      `recordings/${theirs.callId}.wav`,
    ]);
    failsToRemove = () => false;
    await enforce(10);
    expect([await engine.db('files_to_remove'), await files()]).toEqual([[], 1]);
  });

  test('works page by page, even if many calls ended at the same instant', async () => {
    const { callId } = await talked();
    await engine.db.raw(
      `insert into calls (call_id, organization_id, agent_id, agent_version, call_type, direction, stage, call_status, accepted_at, ended_at, concluded_at, name)
       select 'c-' || n, organization_id, agent_id, 1, 'Outbound', 'Outbound', 'over', 'completed', accepted_at, ended_at, ended_at, 'Asha'
       from calls, generate_series(1, 450) n where call_id = ?`,
      [callId],
    );
    await keep({ contacts: 1 });
    expect(await enforce(8)).toMatchObject({ calls: 451 });
    expect(await engine.db('calls').whereNotNull('name')).toEqual([]);
  });

  test('continues where an interrupted run stopped', async () => {
    const { callId } = await talked();
    await talked();
    await endedEarlier(callId);
    const endedAt = new Date(START - 1_000).toISOString();
    await storePosition(
      engine.db,
      { organizationId: owner.organizationId, kind: 'transcripts' },
      { endedAt, callId },
    );
    await keep({ transcripts: 1 });
    expect(await enforce(8)).toMatchObject({ transcripts: 1 });
    expect((await engine.call(callId)).summary).toBe('They talked.');
  });
});
