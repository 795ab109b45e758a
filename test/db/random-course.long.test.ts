/**
 * Tests that random sequences of events keep all counts and maximums correct. A seeded generator draws steps over the campaigns and
 * dispatches of one organization, and all invariants are checked after each step and at the end.
 */
import { callState, recordNotPlaced } from '../../db/calls/engine';
import { updateCampaign } from '../../db/campaigns/changes';
import { finishCampaign, withdrawRest } from '../../db/campaigns/engine';
import { hangUp } from '../../db/calls/hang-up';
import { rows } from '../../db/kernel/query';
import { callEndOf, endedAt } from '../../domain/call-end';
import { END_REASONS } from '../../domain/call-outcome';
import { describeWith } from '../servers/availability';
import { EngineDatabase, MINUTE_MS, type Owner } from './support/engine-database';
import { violations } from './support/invariants';
import { Random } from './support/random';

const STEPS = 150;
const actor = { kind: 'operator', id: 'test', requestId: null } as const;

class Course {
  readonly taken: string[] = [];

  constructor(
    private readonly engine: EngineDatabase,
    readonly owner: Owner,
    readonly campaigns: string[],
    private readonly random: Random,
  ) {}

  async step(): Promise<void> {
    const { engine, random } = this;
    const campaignId = random.pick(this.campaigns) ?? '';
    engine.now += random.below(20_000);
    switch (random.below(16)) {
      case 0:
        return this.say(`claim ${campaignId}`, engine.claim(campaignId, { limit: 1 + random.below(6) }));
      case 1:
      case 2:
        return this.register();
      case 3:
      case 4:
        return this.onCall('granted', 'begin', async (callId) => {
          await this.begin(callId);
        });
      case 5:
        return this.onCall('requested', 'placed', (callId) => engine.place(callId));
      case 6:
        return this.onCall('requested', 'not placed', async (callId) => {
          const { notAfter } = (await callState(engine.db, callId)) ?? {};
          await recordNotPlaced(engine.db, callId, notAfter?.getTime() ?? 0);
        });
      case 7:
      case 8:
        return this.endOne('placed');
      case 9:
        return this.endOne('requested');
      case 10:
        return this.onCall('granted', 'give back', (callId) => engine.returnLine(callId));
      case 11:
        return this.say('dispatch', engine.dispatch(this.owner, { queued: random.below(2) === 0 }));
      case 12:
        return this.onCall('waiting', 'cancel', (callId) => engine.end(callId, 'cancelled'));
      case 13:
        return this.onCall(
          random.pick(['waiting', 'granted', 'requested', 'placed']) ?? 'placed',
          'hang up',
          (callId) => this.hangUp(callId),
        );
      case 14:
        return this.say(`update ${campaignId}`, this.update(campaignId));
      default:
        return this.change(campaignId);
    }
  }

  /** Finishes everything: live calls succeed, and all other contacts are claimed, dialled and answered. */
  async toTheEnd(): Promise<void> {
    const { engine } = this;
    for (const campaignId of this.campaigns) {
      const { status } = await engine.campaignRow(campaignId);
      if (status === 'cancelled') await this.withdraw(campaignId);
      else await engine.set(campaignId, { status: 'active' });
    }
    for (let round = 0; round < 200 && (await this.open()) > 0; round++) {
      engine.now += 60 * MINUTE_MS;
      for (const campaignId of this.campaigns) await engine.claim(campaignId);
      await engine.register(this.owner, await this.inStage('claimed'));
      for (const callId of await this.inStage('granted')) await this.begin(callId);
      for (const callId of await this.inStage('requested')) await engine.place(callId);
      for (const callId of await this.inStage('placed')) await engine.end(callId, 'agent');
    }
  }

  async inStage(stage: string): Promise<string[]> {
    const found = await rows<{ id: string }>(
      this.engine.db,
      'select call_id as id from calls where organization_id = :organizationId and stage = :stage order by accepted_at, contact_id, call_id',
      { organizationId: this.owner.organizationId, stage },
    );
    return found.map(({ id }) => id);
  }

  private async say(what: string, doing: Promise<unknown>): Promise<void> {
    this.taken.push(what);
    await doing;
  }

  private async onCall(
    stage: string,
    what: string,
    act: (callId: string) => Promise<unknown>,
  ): Promise<void> {
    const callId = this.random.pick(await this.inStage(stage));
    if (callId !== undefined) await this.say(`${what} ${callId}`, act(callId));
  }

  private async endOne(stage: string): Promise<void> {
    const reason = this.random.pick([...END_REASONS, 'lost', 'carrier_unavailable'] as const) ?? 'agent';
    await this.onCall(stage, `end by ${reason}`, (callId) => this.engine.end(callId, reason));
  }

  private async register(): Promise<void> {
    const claimed = (await this.inStage('claimed')).filter(() => this.random.below(3) > 0);
    await this.say(`register ${claimed.length}`, this.engine.register(this.owner, claimed));
  }

  private async begin(callId: string): Promise<void> {
    const { kind } = await this.engine.begin(callId);
    if (kind === 'refused') await this.engine.returnLine(callId);
    if (kind === 'hungUp') await this.engine.end(callId, 'cancelled');
  }

  private async hangUp(callId: string): Promise<void> {
    const { engine } = this;
    const end = callEndOf(endedAt(engine.now, 'cancelled'), 0);
    await hangUp(engine.db, { callId, organizationId: this.owner.organizationId, actor }, end, engine.now);
  }

  private async update(campaignId: string): Promise<void> {
    const { engine, random } = this;
    await updateCampaign(engine.db, {
      campaignId,
      organizationId: this.owner.organizationId,
      actor,
      now: engine.now,
      from: ['active', 'paused'],
      fields: [],
      edit: (current) => ({
        ...current,
        maxAttempts: 1 + random.below(3),
        concurrency: current.concurrency + random.below(2),
      }),
      events: () => [],
    });
  }

  private async withdraw(campaignId: string): Promise<void> {
    const withdrawal = {
      contactState: 'cancelled',
      callStatus: 'cancelled',
      endReason: 'cancelled',
    } as const;
    await withdrawRest(this.engine.db, campaignId, withdrawal, this.engine.now);
  }

  private async change(campaignId: string): Promise<void> {
    const { engine, random } = this;
    const { status } = await engine.campaignRow(campaignId);
    if (status === 'cancelled') return this.say('withdraw', this.withdraw(campaignId));
    if (status === 'paused') {
      await this.say('resume', engine.set(campaignId, { status: 'active' }));
      await engine.claim(campaignId, { limit: 3 });
    } else if (random.below(6) === 0) {
      await this.say('cancel', engine.set(campaignId, { status: 'cancelled' }));
    } else {
      await this.say('pause', engine.set(campaignId, { status: 'paused' }));
    }
  }

  private async open(): Promise<number> {
    const surveys = await Promise.all(this.campaigns.map((campaignId) => this.engine.survey(campaignId)));
    const contacts = surveys.map((survey) =>
      survey === undefined ? 0 : survey.total - survey.endedContacts,
    );
    const calls = await rows(
      this.engine.db,
      `select 1 from calls where organization_id = :organizationId and stage <> 'over'`,
      { organizationId: this.owner.organizationId },
    );
    return contacts.reduce((sum, left) => sum + left, calls.length);
  }
}

describeWith('postgres', 'a random sequence of events', () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());

  test.each([1, 2, 3, 4, 5, 6])(
    'keeps counts correct and maximums respected, and ends every contact once (seed %d)',
    async (seed) => {
      const random = new Random(seed);
      const owner = await engine.owner(2 + random.below(5));
      const campaigns: string[] = [];
      for (let n = 0; n < 3; n++) {
        const options = {
          contacts: 4 + random.below(20),
          duplicates: random.below(3),
          concurrency: 1 + random.below(4),
          maxAttempts: 1 + random.below(3),
          retryDelayMins: random.below(4),
        };
        campaigns.push(await engine.campaign(owner, options));
      }
      const course = new Course(engine, owner, campaigns, random);
      for (let step = 0; step < STEPS; step++) {
        await course.step();
        const found = await violations(engine);
        if (found.length > 0) throw new Error([...found, ...course.taken.slice(-10)].join('\n'));
      }
      await course.toTheEnd();
      expect(await violations(engine)).toEqual([]);
      expect(await engine.linesOf(owner)).toEqual([]);
      for (const campaignId of campaigns) {
        await engine.conclude(campaignId);
        expect((await finishCampaign(engine.db, campaignId, engine.now, () => [])).kind).toBe('finished');
        const states = (await engine.contacts(campaignId)).map(({ state }) => state);
        expect(states.filter((state) => state === 'pending' || state === 'in_progress')).toEqual([]);
      }
    },
    60_000,
  );
});
