import { diallingActivities } from '../../activities/dialling/dialling';
import type { ActivityDependencies } from '../../activities/dependencies';
import { isDialPending } from '../../db/calls/engine';
import { describeWith } from '../servers/availability';
import { MANY_AT_ONCE } from '../servers/at-once';
import { NO_GUARDS } from '../servers/no-guards';
import { EngineDatabase, START } from './support/engine-database';

const SETTLES_MS = 3_200;

describeWith('postgres', 'a dial whose carrier shows its clock slowly', () => {
  let engine: EngineDatabase;
  let now: number;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(() => {
    now = START;
  });

  /** Dials a campaign's call that holds a line. The carrier takes `waitMs` to return its clock and doesn't confirm the dial. */
  async function dialAfter(waitMs: number): Promise<{ callId: string; campaignId: string; asked: number }> {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 1 });
    const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
    let asked = 0;
    const telephony = {
      preparesFirst: () => false,
      needsCallerId: () => false,
      pendingDialMs: () => SETTLES_MS,
      release: () => Promise.resolve(),
      now: () => Promise.resolve((now += waitMs)),
      dial: () => {
        asked += 1;
        return Promise.resolve({ kind: 'unknown' });
      },
    };
    const deps = {
      db: engine.db,
      telephony,
      dndRegistry: null,
      clock: () => now,
      signals: { getHandle: () => ({ signal: () => Promise.resolve() }) },
      settings: { dialGuards: NO_GUARDS, atOnce: MANY_AT_ONCE, ringTimeoutS: 30, registeredOnly: false },
    } as unknown as ActivityDependencies;
    await diallingActivities(deps).dial({ callId, now: START });
    return { callId, campaignId, asked };
  }

  test('keeps isDialPending() true while the carrier can still accept the dial, so that a pause waits for it', async () => {
    const { campaignId, asked } = await dialAfter(5_000);
    expect(asked).toBe(1);
    const isAsked = (at: number) => isDialPending(engine.db, { campaignId }, at);
    expect([await isAsked(now + SETTLES_MS - 1), await isAsked(now + SETTLES_MS)]).toEqual([true, false]);
  });

  test("doesn't dial if the window closed while the carrier's clock was read", async () => {
    const { callId, asked } = await dialAfter(24 * 3_600_000);
    expect(asked).toBe(0);
    expect((await engine.call(callId)).stage).toBe('waiting');
  });
});
