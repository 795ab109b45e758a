/** Runs two deployments with separate databases and namespaces on one Temporal server and one LiveKit. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { RoomServiceClient, SipClient } from 'livekit-server-sdk';
import { freePort, releasePort } from '../../dev/stack/ports';
import { repositoryRoot } from '../../dev/stack/repository';
import { registerNamespace, isTemporalReady } from '../../dev/stack/temporal';
import { RECONCILE_SCHEDULE_ID, RETENTION_SCHEDULE_ID } from '../../workflows/contract';
import { describeWith } from '../servers/availability';
import { eventually, eventuallyTrue } from './support/eventually';
import { freshNumbers, talkers } from './support/numbers';
import type { Organization } from './support/organization';
import { Platform, START_WITHIN_MS } from './support/platform';

const SECOND = 'second';
const CALL_WITHIN_MS = 60_000;
/** Reconciliation considers a room a leftover half a minute after its creation. */
const LEFT_OVER_WITHIN_MS = 75_000;

describeWith('livekit', 'two deployments on one Temporal and one LiveKit', () => {
  let one: Platform;
  let other: Platform;
  let rooms: RoomServiceClient;
  let sip: SipClient;

  beforeAll(async () => {
    const apiPort = await freePort(0);
    releasePort(apiPort);
    one = await Platform.open({
      ...{ livekit: true, ringMs: 400, talkMs: 800 },
      alsoReportedTo: [`http://127.0.0.1:${apiPort}`],
    });
    const { temporalAddress, media } = one.stack;
    if (media === null) throw new Error('there are no media servers');
    await registerNamespace({ address: temporalAddress }, SECOND);
    await eventuallyTrue(CALL_WITHIN_MS, 'the namespace is served', () =>
      isTemporalReady({ address: temporalAddress }, SECOND),
    );
    const beside = { platform: one, namespace: SECOND, apiPort };
    other = await Platform.open({ livekit: true, beside });
    rooms = new RoomServiceClient(media.publicUrl, media.apiKey, media.apiSecret);
    sip = new SipClient(media.publicUrl, media.apiKey, media.apiSecret);
  }, 2 * START_WITHIN_MS);
  afterAll(async () => {
    await other?.close();
    await one?.close();
  }, CALL_WITHIN_MS);

  const deploymentOf = async (platform: Platform): Promise<string> =>
    (await platform.db('deployment').first()).id;
  const roomNames = async (): Promise<string[]> => (await rooms.listRooms()).map(({ name }) => name);

  /** Creates an organization with this number, and waits until callers can reach it. */
  async function reachable(platform: Platform, number: string): Promise<Organization> {
    const organization = await platform.newOrganization(2);
    const deployment = { phone: { call_type: { Inbound: number } } };
    await organization.patch(`/api/agent/${organization.agentId}/deployment`, { deployment });
    await eventuallyTrue(CALL_WITHIN_MS, 'the number is in place', async () => {
      const [route] = await platform.db('inbound_routes').where({ number });
      return route?.state === 'in place';
    });
    return organization;
  }

  /** Creates an organization that keeps data for a day, with a call that ended two days ago. Returns the organization's id. */
  async function pastItsTime(platform: Platform): Promise<string> {
    const run = await platform.campaign({ numbers: talkers(1), concurrency: 1 });
    await run.untilOver('completed', CALL_WITHIN_MS);
    const { organization_id: organizationId } = await platform.db('campaigns').where({ id: run.id }).first();
    await platform.db('organizations').where({ id: organizationId }).update({ contacts_days: 1 });
    const longAgo = new Date(Date.now() - 2 * 86_400_000);
    await platform.db('calls').where({ organization_id: organizationId }).update({ ended_at: longAgo });
    return organizationId;
  }
  const calleesOf = (platform: Platform, organizationId: string): Promise<(string | null)[]> =>
    platform.db('calls').where({ organization_id: organizationId }).pluck('to_number');
  const retentionsOf = async (platform: Platform): Promise<number> =>
    (await platform.temporal.schedule.getHandle(RETENTION_SCHEDULE_ID).describe()).info.numActionsTaken;

  const callersOf = async (platform: Platform): Promise<string[]> =>
    (await platform.db('calls').where({ direction: 'Incoming' })).map(({ from_number: from }) => from);

  test(
    'answers a caller with the agent of the called deployment, and records the call only there',
    async () => {
      const numbers = ['+918050100001', '+918050200001'] as const;
      const organizations = [await reachable(one, numbers[0]), await reachable(other, numbers[1])];
      const callers = freshNumbers([1, 2]);
      // Both deployments share one stand-in for the phone network.
      const rung = await Promise.all(numbers.map((number, nth) => one.ring(number, callers[nth] ?? '')));
      expect(rung.map(({ status }) => status)).toEqual([201, 201]);
      for (const [nth, organization] of organizations.entries()) {
        await eventually(CALL_WITHIN_MS, async () => {
          const { body } = await organization.get('/api/call-history');
          expect(body.data).toMatchObject([{ from_number: callers[nth], call_status: 'completed' }]);
        });
      }
      expect(await callersOf(one)).toEqual([callers[0]]);
      expect(await callersOf(other)).toEqual([callers[1]]);
    },
    3 * CALL_WITHIN_MS,
  );

  test(
    'runs campaigns side by side, with workflows and schedules in their own namespaces',
    async () => {
      const runs = [
        await one.campaign({ numbers: talkers(3), concurrency: 2 }),
        await other.campaign({ numbers: talkers(3), concurrency: 2 }),
      ];
      for (const [nth, platform] of [one, other].entries()) {
        const [own, anothers] = nth === 0 ? runs : runs.toReversed();
        await eventually(2 * CALL_WITHIN_MS, async () => {
          expect((await own?.detail()).campaign_status).toBe('completed');
        });
        const ended = await own?.contacts();
        expect(ended?.map(({ state }) => state)).toEqual(['completed', 'completed', 'completed']);
        const ids: string[] = [];
        for await (const { workflowId } of platform.temporal.workflow.list()) ids.push(workflowId);
        expect(ids).toContain(`campaign-${own?.id}`);
        expect(ids.join()).not.toContain(anothers?.id);
        const schedules: string[] = [];
        for await (const { scheduleId } of platform.temporal.schedule.list()) schedules.push(scheduleId);
        expect(schedules.toSorted()).toEqual([RECONCILE_SCHEDULE_ID, RETENTION_SCHEDULE_ID].toSorted());
      }
    },
    5 * CALL_WITHIN_MS,
  );

  test(
    'runs retention under the same schedule id in each deployment, and deletes only its own data',
    async () => {
      const organizations = [await pastItsTime(one), await pastItsTime(other)] as const;
      // Counts the runs so far, because both schedules also run at their daily time.
      const before = { one: await retentionsOf(one), other: await retentionsOf(other) };
      await other.temporal.schedule.getHandle(RETENTION_SCHEDULE_ID).trigger();
      await eventually(CALL_WITHIN_MS, async () => {
        expect(await calleesOf(other, organizations[1])).toEqual([null]);
      });
      expect(await calleesOf(one, organizations[0])).toEqual([expect.stringMatching(/^\+91/)]);
      expect(await retentionsOf(one)).toBe(before.one);
      await one.temporal.schedule.getHandle(RETENTION_SCHEDULE_ID).trigger();
      await eventually(CALL_WITHIN_MS, async () => {
        expect(await calleesOf(one, organizations[0])).toEqual([null]);
      });
      expect(await retentionsOf(other)).toBe(before.other + 1);
    },
    4 * CALL_WITHIN_MS,
  );

  test(
    'deletes leftover rooms of its own deployment, but no call, trunk or rule of the other',
    async () => {
      const organization = await other.newOrganization(1);
      const [number = ''] = freshNumbers([73]);
      const { body: dispatched } = await organization.dispatch(number);
      const callId: string = dispatched.output.call_id;
      await eventuallyTrue(CALL_WITHIN_MS, 'the call talks', async () => {
        const call = await other.db('calls').where({ call_id: callId }).first();
        return call?.answered_at != null;
      });
      // From here on, only the first deployment's reconciliation checks rooms.
      await other.stack.worker.kill();
      const leftOver = async (deployment: string): Promise<string> => {
        const name = `outbound-1-${randomUUID()}`;
        const metadata = JSON.stringify({ v: 1, deployment, call_id: name });
        await rooms.createRoom({ name, metadata, emptyTimeout: 600 });
        return name;
      };
      const perOwner = await leftOver(await deploymentOf(one));
      const ofOther = await leftOver(await deploymentOf(other));
      const ofAThird = await leftOver(randomUUID());
      const routes = async () => ({
        trunks: (await sip.listSipInboundTrunk()).map(({ sipTrunkId, metadata }) => [sipTrunkId, metadata]),
        rules: (await sip.listSipDispatchRule()).map((rule) => [rule.sipDispatchRuleId, rule.metadata]),
      });
      const before = await routes();
      expect(before.trunks).toHaveLength(2);
      await eventuallyTrue(LEFT_OVER_WITHIN_MS, 'its own room is deleted', async () => {
        return !(await roomNames()).includes(perOwner);
      });
      expect(await roomNames()).toEqual(expect.arrayContaining([ofOther, ofAThird, callId]));
      expect(await rooms.listParticipants(callId)).toHaveLength(2);
      expect(await routes()).toEqual(before);
      await other.stack.worker.start();
      await eventuallyTrue(LEFT_OVER_WITHIN_MS, "the other's room is deleted by the other", async () => {
        return !(await roomNames()).includes(ofOther);
      });
      expect(await roomNames()).toEqual(expect.arrayContaining([ofAThird, callId]));
      await organization.post(`/api/calls/${callId}/hangup`);
      await eventually(CALL_WITHIN_MS, async () => {
        const call = await other.db('calls').where({ call_id: callId }).first();
        expect(call).toMatchObject({ stage: 'over', answered_at: expect.any(Date) });
      });
    },
    2 * LEFT_OVER_WITHIN_MS + 3 * CALL_WITHIN_MS,
  );

  test(
    "rejects the other deployment's namespace when a worker starts, and names the setting to change",
    async () => {
      const environment = parseEnv(readFileSync(other.stack.environmentFile, 'utf8'));
      const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
        execFile(
          process.execPath,
          [join(repositoryRoot(), 'dist', 'worker', 'main.js')],
          {
            env: { PATH: process.env.PATH, ...environment, TEMPORAL_NAMESPACE: 'default' },
            timeout: CALL_WITHIN_MS,
          },
          (error, _stdout, errors) => resolve({ code: error?.code, stderr: errors }),
        );
      });
      expect(code).toBe(1);
      expect(stderr).toContain('The Temporal namespace default belongs to another deployment');
      expect(stderr).toContain('TEMPORAL_NAMESPACE');
    },
    CALL_WITHIN_MS,
  );
});
