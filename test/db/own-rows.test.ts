/** Tests what each engine transaction changes and what it waits for, next to similar campaigns of the same and of another organization. */
import type { Knex } from 'knex';
import { concludeCall } from '../../db/calls/conclusions';
import { hangUp } from '../../db/calls/hang-up';
import { withdrawRest } from '../../db/campaigns/engine';
import { rows, timestamp } from '../../db/kernel/query';
import { callEndOf, endedAt } from '../../domain/call-end';
import { describeWith } from '../servers/availability';
import { EngineDatabase, MINUTE_MS, START } from './support/engine-database';
import { violations } from './support/invariants';
import { changedBy, stand, type Stand } from './support/two-campaigns';

const actor = { kind: 'operator', id: 'test', requestId: null } as const;

describeWith('postgres', 'an engine transaction next to similar campaigns', () => {
  let engine: EngineDatabase;
  /** `one` and `two` belong to one organization, `three` to another. */
  let stands: [Stand, Stand, Stand];
  let one: Stand;

  beforeAll(async () => {
    engine = await EngineDatabase.open();
    const [owner, other] = [await engine.owner(50), await engine.owner(50)];
    stands = [
      await stand(engine, owner, 'one'),
      await stand(engine, owner, 'two'),
      await stand(engine, other, 'three'),
    ];
    [one] = stands;
    engine.now = START + 10_000;
  });
  afterAll(() => engine.close());

  const hungUp = (callId: string) =>
    hangUp(
      engine.db,
      { callId, organizationId: one.owner.organizationId, actor },
      callEndOf(endedAt(engine.now, 'cancelled'), 2),
      engine.now,
    );
  const callBack = (callId: string) =>
    concludeCall(engine.db, {
      callId,
      findings: null,
      segments: [],
      webhook: null,
      callback: {
        id: crypto.randomUUID(),
        dueAt: engine.now + MINUTE_MS,
        callId: 'outbound-callback',
        dialUntil: engine.now + 60 * MINUTE_MS,
        maxDepth: 3,
        toNumber: null,
        cap: null,
      },
      now: engine.now,
    });
  const giveUp = (campaignId: string) =>
    rows(engine.db, 'select give_up_redials(:campaignId, :now)', {
      campaignId,
      now: timestamp(engine.now),
    });
  const withdraw = (campaignId: string) =>
    withdrawRest(
      engine.db,
      campaignId,
      { contactState: 'cancelled', callStatus: 'cancelled', endReason: 'cancelled' },
      engine.now,
    );

  const STEPS: Record<string, { work: () => Promise<unknown>; changes: string[]; waitsFor: Waits }> = {
    'creates one call for the next contact when it claims': {
      work: () => engine.claim(one.campaignId, { limit: 1 }),
      changes: ['call new', 'campaign one', 'contact one.10'],
      waitsFor: ['client', 'campaign'],
    },
    'queues the call that it registers': {
      work: () => engine.register(one.owner, [one.calls.claimed]),
      changes: ['call one.claimed'],
      waitsFor: ['client'],
    },
    'writes the intent when it starts a dial': {
      work: () => engine.begin(one.calls.granted),
      changes: ['call one.granted', 'campaign one', 'contact one.7'],
      waitsFor: ['campaign', 'call'],
    },
    'grants the line to the waiting call when it ends an answered one, and counts talk and dial': {
      work: () => engine.end(one.calls.placed, 'agent', { answeredAt: new Date(START).toISOString() }),
      changes: [
        'call one.placed',
        'call one.waiting',
        'campaign one',
        'client of one',
        'contact one.5',
        'line one.placed',
        'line one.waiting',
        'spend of one',
        'spend one',
      ],
      waitsFor: ['client', 'campaign', 'call'],
    },
    'counts the dial and no talk when it ends an unanswered call': {
      work: () => engine.end(one.calls.placed, 'busy'),
      changes: [
        'call one.placed',
        'call one.waiting',
        'campaign one',
        'client of one',
        'contact one.5',
        'line one.placed',
        'line one.waiting',
      ],
      waitsFor: ['client', 'campaign', 'call'],
    },
    'counts neither dial nor talk when it ends a call that was not dialled': {
      work: () => engine.end(one.calls.granted, 'carrier_unavailable'),
      changes: [
        'call one.granted',
        'call one.waiting',
        'campaign one',
        'contact one.7',
        'line one.granted',
        'line one.waiting',
      ],
      waitsFor: ['client', 'campaign', 'call'],
    },
    'frees the line when it ends a dispatched call': {
      work: () => engine.end(one.calls.dispatched, 'cancelled'),
      changes: ['call one.dispatched', 'line one.dispatched'],
      waitsFor: ['client', 'call'],
    },
    'takes a line from a call that has not dialled when it returns the line': {
      work: () => engine.returnLine(one.calls.granted),
      changes: ['call one.granted', 'campaign one', 'line one.granted'],
      waitsFor: ['client', 'campaign'],
    },
    'ends the call when it hangs up one that was not dialled': {
      work: () => hungUp(one.calls.waiting),
      changes: ['call one.waiting', 'campaign one', 'contact one.8'],
      waitsFor: ['client', 'campaign', 'call'],
    },
    'marks the call when it hangs up a live one': {
      work: () => hungUp(one.calls.placed),
      changes: ['call one.placed'],
      waitsFor: ['client', 'campaign', 'call'],
    },
    'makes the contact due when it schedules a callback': {
      work: () => callBack(one.calls.done),
      changes: ['call one.done', 'campaign one', 'contact one.4'],
      waitsFor: ['campaign', 'call'],
    },
    'marks the call when it schedules a callback for a cancelled campaign': {
      work: async () => {
        await engine.set(one.campaignId, { status: 'cancelled' });
        await callBack(one.calls.done);
      },
      changes: ['call one.done', 'campaign one'],
      waitsFor: ['campaign', 'call'],
    },
    'fails the contact without dials left when it gives up redials': {
      work: async () => {
        await engine.set(one.campaignId, { max_attempts: 1 });
        await giveUp(one.campaignId);
      },
      changes: ['campaign one', 'contact one.2'],
      waitsFor: ['client', 'campaign'],
    },
    'ends what was not dialled when it withdraws the rest, and keeps what is live or over': {
      work: () => withdraw(one.campaignId),
      changes: [
        'call one.callback',
        'call one.claimed',
        'call one.granted',
        'call one.waiting',
        'campaign one',
        'contact one.10',
        'contact one.11',
        'contact one.2',
        'contact one.3',
        'contact one.7',
        'contact one.8',
        'contact one.9',
        'line one.granted',
      ],
      waitsFor: ['client', 'campaign'],
    },
  };

  /** Rolls the work back, so that each test finds the same rows. */
  async function undone<T>(work: () => Promise<T>): Promise<T> {
    const transaction = await engine.db.transaction();
    try {
      return await engine.within(transaction, work);
    } finally {
      await transaction.rollback();
    }
  }

  test.each(Object.keys(STEPS))('%s, and changes nothing else', async (title) => {
    const step = STEPS[title]!;
    const { changed, wrong } = await undone(async () => ({
      changed: await changedBy(engine, stands, step.work),
      wrong: await violations(engine),
    }));
    expect(changed).toEqual(step.changes);
    expect(wrong).toEqual([]);
  });

  /** Returns whether the work waits for the locked rows. Releases them afterwards. */
  async function whileHeld(
    hold: (holder: Knex.Transaction) => Promise<unknown>,
    work: () => Promise<unknown>,
  ): Promise<'went on' | 'waited'> {
    const { db } = engine;
    const holder = await db.transaction();
    await hold(holder);
    let isDone = false;
    const working = undone(work).finally(() => (isDone = true));
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    let hasWaited = false;
    while (!isDone && !hasWaited) hasWaited = (await rows(db, waiting)).length > 0;
    await holder.rollback();
    await working;
    return hasWaited ? 'waited' : 'went on';
  }

  test.each(Object.keys(STEPS))('%s, and waits for no other campaign or organization', async (title) => {
    const [, , three] = stands;
    const held = whileHeld(async (holder) => {
      await holder('organizations').where({ id: three.owner.organizationId }).forUpdate();
      await holder('campaigns').whereNot({ id: one.campaignId }).forUpdate();
      await holder('calls').whereIn('call_id', Object.values(three.calls)).forUpdate();
    }, STEPS[title]!.work);
    expect(await held).toBe('went on');
  });

  type Waits = ('client' | 'campaign' | 'call')[];
  const HOLDS: Record<Waits[number], (holder: Knex.Transaction) => Promise<unknown>> = {
    client: (holder) => holder('organizations').where({ id: one.owner.organizationId }).forNoKeyUpdate(),
    campaign: (holder) => holder('campaigns').where({ id: one.campaignId }).forNoKeyUpdate(),
    call: (holder) => holder('calls').whereIn('call_id', Object.values(one.calls)).forNoKeyUpdate(),
  };
  const waits = Object.entries(STEPS).flatMap(([title, { waitsFor }]) =>
    waitsFor.map((what) => [title, what] as const),
  );

  test.each(waits)('%s, and waits for a lock on its %s', async (title, what) => {
    expect(await whileHeld(HOLDS[what], STEPS[title]!.work)).toBe('waited');
  });
});
