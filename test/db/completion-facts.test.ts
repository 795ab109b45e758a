import { reportAttachment } from '../../activities/mail/notifying';
import { completionFacts } from '../../db/campaigns/completion-mails';
import { describeWith } from '../servers/availability';
import { EngineDatabase, MINUTE_MS, START } from './support/engine-database';

describeWith('postgres', 'completionFacts()', () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());

  /** Creates a campaign and makes a call for each contact, in the order of the file. */
  async function campaignWith(
    ...ends: { state: string; reason?: string; call?: Record<string, unknown> }[]
  ): Promise<string> {
    const owner = await engine.owner();
    const id = await engine.campaign(owner, { contacts: ends.length, contactColumns: ['city'] });
    const contacts = await engine.contacts(id);
    for (const [index, { state, reason, call }] of ends.entries()) {
      const contact = contacts[index]!;
      await engine
        .db('contacts')
        .where({ id: contact.id })
        .update({ state, reason: reason ?? null });
      if (call === undefined) continue;
      await engine.db('calls').insert({
        call_id: `outbound-0-${id}-${index}`,
        organization_id: owner.organizationId,
        agent_id: owner.agentId,
        agent_version: 1,
        campaign_id: id,
        contact_id: contact.id,
        attempt: 1,
        call_type: 'Outbound',
        direction: 'Outbound',
        stage: 'over',
        accepted_at: new Date(START),
        requested_at: new Date(START + index * MINUTE_MS),
        ...call,
      });
    }
    await engine.set(id, { status: 'completed', ended_at: new Date(START + 60 * MINUTE_MS) });
    return id;
  }

  const talked = (outcome: string, more: Record<string, unknown> = {}) => ({
    state: 'completed',
    call: {
      call_status: 'completed',
      answered_at: new Date(START),
      duration_ms: 90_000,
      call_cost: 2,
      outcome,
      ...more,
    },
  });

  test('counts contacts and calls of a campaign', async () => {
    const id = await campaignWith(
      talked('interested'),
      talked('interested'),
      talked('callback_requested', {
        callback_requested: true,
        callback_status: 'failed',
        summary: 'Wants Friday.',
      }),
      talked('callback_requested', { callback_requested: true, callback_status: 'completed' }),
      { state: 'failed', reason: 'busy', call: { call_status: 'busy' } },
      { state: 'invalid', reason: 'invalid_number', call: { call_status: 'failed' } },
      { state: 'expired', reason: 'campaign_over' },
    );
    const facts = await completionFacts(engine.db, id, { noteworthy: 5 });
    expect(facts).toMatchObject({
      campaign: { id, organizationName: 'A client', agentName: 'An agent', status: 'completed' },
      calls: { placed: 6, answered: 4, talkMs: 360_000, credits: 8, firstAt: new Date(START) },
      callbacks: [
        { status: 'completed', contacts: 1 },
        { status: 'failed', contacts: 1 },
      ],
      noteworthy: [
        { kind: 'callback', row: 4, name: 'Contact 4', summary: 'Wants Friday.' },
        { kind: 'invalid', row: 7, name: 'Contact 7', summary: null },
      ],
    });
    const groups = facts!.groups.map(({ state, reason, called, outcome, contacts }) =>
      [state, reason, called, outcome, contacts].join(' '),
    );
    expect(groups.sort()).toEqual([
      'completed  true callback_requested 2',
      'completed  true interested 2',
      'expired campaign_over false  1',
      'failed busy true  1',
      'invalid invalid_number true  1',
    ]);
  });

  test('lists a limited number of contacts of each kind, in the order of the file', async () => {
    const wish = () => talked('callback_requested', { callback_requested: true });
    const id = await campaignWith(wish(), wish(), wish(), { state: 'invalid' }, { state: 'invalid' });
    const facts = await completionFacts(engine.db, id, { noteworthy: 2 });
    expect(facts!.noteworthy.map(({ kind, row }) => [kind, row])).toEqual([
      ['callback', 2],
      ['callback', 3],
      ['invalid', 5],
      ['invalid', 6],
    ]);
  });

  test('returns undefined for an open campaign', async () => {
    const id = await engine.campaign(await engine.owner());
    await expect(completionFacts(engine.db, id, { noteworthy: 5 })).resolves.toBeUndefined();
  });

  test('includes the report of every contact, unless it is too large for an e-mail', async () => {
    const id = await engine.campaign(await engine.owner(), { contacts: 2_500, contactColumns: ['city'] });
    const csv = await reportAttachment(engine.db, { id, contactColumns: ['city'] });
    const lines = csv!.toString('utf8').trimEnd().split('\r\n');
    expect([lines.length, lines.at(-1)]).toEqual([
      2_501,
      expect.stringMatching(/^2501,Contact 2501,\+9198765/),
    ]);
    const size = csv!.length;
    await expect(reportAttachment(engine.db, { id, contactColumns: ['city'] }, size)).resolves.toHaveLength(
      size,
    );
    await expect(reportAttachment(engine.db, { id, contactColumns: ['city'] }, size - 1)).resolves.toBeNull();
  });
});
