/** Tests dials during a failover of Postgres by what the carrier received. docs/production.md requires synchronous replication. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { diallingActivities } from '../../activities/dialling/dialling';
import type { DialStep } from '../../activities/dialling/dial-step';
import type { CarrierCall } from '../../activities/telephony/port';
import { openDatabase } from '../../db/kernel/connection';
import { describeWith } from '../servers/availability';
import { EngineDatabase, type Owner } from './support/engine-database';
import { PostgresPair } from './support/postgres-pair';
import { RoomyCarrier, roomyDependencies } from './support/roomy-carrier';
import { carrierCall } from './support/carrier-call';

/** Each test starts three servers. */
const WITHIN_MS = 120_000;

/** Longer than in a worker's pool, because three servers start on a busy machine. */
const TIMEOUT_MS = 20_000;
/** Time limit of a commit that waits for a standby. */
const IMPATIENT_MS = 1_500;

describeWith('postgres', 'a dial during a failover of Postgres', () => {
  let pair: PostgresPair;
  let engine: EngineDatabase;
  let owner: Owner;
  let carrier: RoomyCarrier;
  /** Numbers that the carrier was asked to call. */
  let rung: string[];
  let callId: string;

  afterEach(async () => {
    await engine.db.destroy();
    await pair.close();
  });

  const open = (url: string, timeoutMs = TIMEOUT_MS) =>
    openDatabase({ url, poolSize: 4, timeoutMs, applicationName: 'test' });

  /** Starts the servers and prepares a call that holds its line on both of them. */
  async function ready(replication: { isSynchronous: boolean }): Promise<void> {
    pair = await PostgresPair.open(replication);
    engine = EngineDatabase.over(open(pair.url), pair.url);
    owner = await engine.owner();
    carrier = new RoomyCarrier(() => engine.now);
    rung = [];
    carrier.dial = ({ to, reference }) => {
      rung.push(to);
      carrier.calls.push(ringing(reference));
      // The response is lost with the primary.
      return Promise.resolve({ kind: 'unknown' });
    };
    const campaignId = await engine.campaign(owner, { contacts: 1 });
    [callId = ''] = (await engine.feed(owner, campaignId)).granted;
    await pair.untilCaughtUp();
  }

  const dial = (): Promise<DialStep> =>
    new MockActivityEnvironment().run(() =>
      diallingActivities(roomyDependencies(engine, carrier, [])).dial({ callId, now: engine.now }),
    );

  async function failOver(): Promise<void> {
    const url = await pair.failOver();
    await engine.db.destroy();
    engine.db = open(url);
  }

  test(
    'dials twice with asynchronous replication if the standby lacks the intent',
    async () => {
      await ready({ isSynchronous: false });
      pair.cutLink();
      expect(await dial()).toMatchObject({ kind: 'unknown' });
      expect(rung).toHaveLength(1);
      await failOver();
      expect(await engine.stageOf(callId)).toBe('granted');
      await dial();
      expect(rung).toEqual([rung[0], rung[0]]);
    },
    WITHIN_MS,
  );

  test(
    'looks the call up with synchronous replication, because the standby has the intent',
    async () => {
      await ready({ isSynchronous: true });
      expect(await dial()).toMatchObject({ kind: 'unknown' });
      await failOver();
      expect(await engine.stageOf(callId)).toBe('requested');
      expect(await dial()).toMatchObject({ kind: 'placed' });
      expect(rung).toHaveLength(1);
    },
    WITHIN_MS,
  );

  test(
    'waits while a synchronous standby is unreachable, and dials once after the standby takes over',
    async () => {
      await ready({ isSynchronous: true });
      pair.cutLink();
      await engine.db.destroy();
      engine.db = open(pair.url, IMPATIENT_MS);
      await expect(dial()).rejects.toThrow();
      expect(rung).toEqual([]);
      await failOver();
      expect(await dial()).toMatchObject({ kind: 'unknown' });
      expect(rung).toHaveLength(1);
    },
    WITHIN_MS,
  );
});

const ringing = (reference: string): CarrierCall =>
  carrierCall({ carrierId: 'the-call', reference, state: 'ringing' });
