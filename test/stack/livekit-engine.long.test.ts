/** Tests the engine's guarantees over LiveKit: for callers, for commands during a campaign, and when a worker dies. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RoomServiceClient } from 'livekit-server-sdk';
import type { Media } from '../../dev/stack/stack';
import { freePort, releasePort } from '../../dev/stack/ports';
import { repositoryRoot } from '../../dev/stack/repository';
import { describeWith } from '../servers/availability';
import { namesIn, valueOf } from '../servers/scrape';
import { eventually, eventuallyTrue } from './support/eventually';
import { freshNumbers, talkers } from './support/numbers';
import type { Organization } from './support/organization';
import { Platform, START_WITHIN_MS } from './support/platform';

const CALL_WITHIN_MS = 60_000;
const CAMPAIGN_WITHIN_MS = 90_000;
const CLOSE_WITHIN_MS = 60_000;

describeWith('livekit', 'over LiveKit', () => {
  let platform: Platform;
  let media: Media;
  let metricsPort: number;
  let routes = 0;

  beforeAll(async () => {
    metricsPort = await freePort(0);
    platform = await Platform.open({
      livekit: true,
      ringMs: 600,
      talkMs: 1_000,
      environment: { AGENT_METRICS_PORT: String(metricsPort) },
    });
    if (platform.stack.media === null) throw new Error('there are no media servers');
    media = platform.stack.media;
  }, START_WITHIN_MS);
  afterAll(async () => {
    await platform.close();
    releasePort(metricsPort);
  }, CLOSE_WITHIN_MS);

  const statesOf = (carrierId: string): string[] =>
    platform
      .carrier()
      .entries.flatMap((entry) =>
        entry.kind === 'state' && entry.carrier_id === carrierId
          ? [entry.state === 'ended' ? `ended: ${entry.end_reason}` : entry.state]
          : [],
      );

  describe('a caller', () => {
    const setInbound = (organization: Organization, Inbound: string) =>
      organization.patch(`/api/agent/${organization.agentId}/deployment`, {
        deployment: { phone: { call_type: { Inbound } } },
      });
    const callFrom = async (organization: Organization, from: string): Promise<any> => {
      const { body } = await organization.get('/api/call-history');
      return body.data.find(({ from_number }: { from_number: string }) => from_number === from);
    };
    const callEnds = (organization: Organization, from: string): Promise<any> =>
      eventually(CALL_WITHIN_MS, async () => {
        const call = await callFrom(organization, from);
        expect(call?.End_time).toEqual(expect.any(String));
        return call;
      });

    /** Creates an organization with a number, and waits until callers can reach it. */
    async function reachable(lines: number): Promise<{ organization: Organization; number: string }> {
      const organization = await platform.newOrganization(lines);
      const number = `+9180500${String((routes += 1)).padStart(5, '0')}`;
      expect((await setInbound(organization, number)).status).toBe(200);
      await eventuallyTrue(CALL_WITHIN_MS, 'the number is in place', async () => {
        const [route] = await platform.db('inbound_routes').where({ number });
        return route?.state === 'in place';
      });
      return { organization, number };
    }

    test(
      'answers a caller with the agent of the number and shows the call in the history',
      async () => {
        const { organization, number } = await reachable(2);
        const [from = ''] = freshNumbers([1]);
        const { status, carrierId } = await platform.ring(number, from);
        expect(status).toBe(201);
        const call = await callEnds(organization, from);
        expect(call).toMatchObject({
          call_type: 'Inbound',
          direction: 'Incoming',
          call_status: 'completed',
          to_number: number,
          call_dialing_at: null,
          user_picked_up_at: expect.any(String),
        });
        expect(call.duration_ms).toBeGreaterThan(0);
        await eventually(CALL_WITHIN_MS, async () => {
          const { chat_history: said } = await callFrom(organization, from);
          expect(said[0]).toMatchObject({ role: 'agent', content: expect.stringContaining('your check-up') });
        });
        expect(statesOf(carrierId)).toEqual(['ringing', 'answered', 'ended: agent']);
        const described = await platform.temporal.workflow.getHandle(call.call_id).describe();
        expect(described.type).toBe('callWorkflow');
      },
      2 * CALL_WITHIN_MS,
    );

    test(
      'ends a call as User disconnected if the caller hangs up',
      async () => {
        const { organization, number } = await reachable(1);
        const [from = ''] = freshNumbers([70]);
        const { carrierId } = await platform.ring(number, from);
        expect(await callEnds(organization, from)).toMatchObject({ call_status: 'User disconnected' });
        expect(statesOf(carrierId).at(-1)).toBe('ended: callee');
      },
      2 * CALL_WITHIN_MS,
    );

    test(
      'hangs up callers after busy tones if all lines are busy, and makes a removed number unreachable',
      async () => {
        const { organization, number } = await reachable(1);
        const [talking = '', refused = ''] = freshNumbers([73, 73]);
        const first = await platform.ring(number, talking);
        await eventuallyTrue(CALL_WITHIN_MS, 'the line is taken', () =>
          statesOf(first.carrierId).includes('answered'),
        );
        const second = await platform.ring(number, refused);
        expect(await callEnds(organization, refused)).toMatchObject({ call_status: 'busy', duration_ms: 0 });
        // The platform answers the call to play busy tones, then hangs up.
        await eventually(CALL_WITHIN_MS, () =>
          expect(statesOf(second.carrierId)).toEqual(['ringing', 'answered', 'ended: platform']),
        );
        expect((await organization.get('/api/limits')).body).toMatchObject({
          live_calls: 1,
          waiting_calls: 0,
        });
        await setInbound(organization, '');
        await eventually(CALL_WITHIN_MS, async () =>
          expect((await platform.ring(number, freshNumbers([3])[0] ?? '')).status).toBe(404),
        );
        const { call_id: callId } = await callFrom(organization, talking);
        expect((await organization.post(`/api/calls/${callId}/hangup`)).status).toBe(200);
        expect(await callEnds(organization, talking)).toMatchObject({ call_status: 'completed' });
      },
      3 * CALL_WITHIN_MS,
    );
  });

  describe('a campaign', () => {
    test(
      'places no call while a campaign is paused, and completes it after a resume',
      async () => {
        const campaign = await platform.campaign({ numbers: talkers(4), concurrency: 2 });
        await campaign.untilPlaced(2, CALL_WITHIN_MS);
        const paused = await campaign.command('pause');
        expect(paused).toMatchObject({ status: 200, body: { campaign_status: 'paused' } });
        await eventually(CALL_WITHIN_MS, async () => {
          const { stats } = await campaign.detail();
          expect([stats.in_progress, stats.completed]).toEqual([0, campaign.carrier().placed.length]);
          // The agent and the phone report the end separately.
          expect(campaign.carrier().live).toBe(0);
        });
        const resumedAt = Date.now();
        expect((await campaign.command('resume')).status).toBe(200);
        await campaign.untilOver('completed', CAMPAIGN_WITHIN_MS);
        expect(campaign.carrier().calledBetween(paused.at, resumedAt)).toEqual([]);
        await campaign.expectNothingLost();
        campaign.expectAllNotified();
      },
      2 * CAMPAIGN_WITHIN_MS,
    );

    test(
      'lets the live calls of a cancelled campaign finish, and places no others',
      async () => {
        const campaign = await platform.campaign({ numbers: talkers(5), concurrency: 2 });
        await campaign.untilPlaced(2, CALL_WITHIN_MS);
        const cancelled = await campaign.command('cancel');
        expect(cancelled).toMatchObject({ status: 200, body: { campaign_status: 'cancelled' } });
        await campaign.untilOver('cancelled', CAMPAIGN_WITHIN_MS);
        const carrier = campaign.carrier();
        expect(carrier.calledBetween(cancelled.at)).toEqual([]);
        for (const { phone_number: number, state } of await campaign.contacts())
          expect(state).toBe(carrier.placedTo(number).length === 1 ? 'completed' : 'cancelled');
        campaign.expectAllNotified();
      },
      2 * CAMPAIGN_WITHIN_MS,
    );

    test(
      'gives the next free line to a dispatch, and loses nothing if a worker is killed during a call',
      async () => {
        const organization = await platform.newOrganization(1);
        // The first call talks until it's hung up, so the dispatch is already waiting when the line becomes free.
        const numbers = [...freshNumbers([73]), ...talkers(1)];
        const campaign = await platform.campaign({ numbers, concurrency: 1 }, organization);
        await campaign.untilPlaced(1, CALL_WITHIN_MS);
        const [number = ''] = freshNumbers([0]);
        expect((await organization.dispatch(number)).status).toBe(200);
        await eventuallyTrue(CALL_WITHIN_MS, 'somebody answered', () =>
          campaign.carrier().entries.some((entry) => entry.kind === 'state' && entry.state === 'answered'),
        );
        await platform.stack.worker.kill();
        await platform.stack.worker.start();
        const callId = campaign.carrier().placed[0]?.reference;
        expect((await organization.post(`/api/calls/${callId}/hangup`)).status).toBe(200);
        await campaign.untilOver('completed', CAMPAIGN_WITHIN_MS);
        const all = platform.carrier([...campaign.numbers, number]);
        expect(all.placed.findIndex(({ to }) => to === number)).toBe(1);
        expect([all.placed.length, all.peakLive]).toEqual([3, 1]);
        await campaign.expectNothingLost();
        campaign.expectAllNotified({ processDied: true });
      },
      2 * CAMPAIGN_WITHIN_MS,
    );
  });

  test(
    "exposes the agent's conversations to Prometheus, and every agent metric of the dashboard and alerts",
    async () => {
      const scrape = async (): Promise<string> =>
        (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      const held = platform.carrier().placed.length;
      await eventually(CALL_WITHIN_MS, async () => {
        const text = await scrape();
        expect(valueOf(text, 'voice_agent_conversations')).toBe(0);
        expect(valueOf(text, 'voice_agent_conversations_ended_total')).toBeGreaterThanOrEqual(held);
      });
      const text = await scrape();
      expect(valueOf(text, 'voice_agent_agent_registered')).toBe(1);
      expect(valueOf(text, 'voice_agent_conversations_ended_total', { end: 'agent' })).toBeGreaterThan(0);
      // Counts the callers from the tests above: one hung up, and another was rejected.
      expect(valueOf(text, 'voice_agent_conversations_ended_total', { end: 'user' })).toBeGreaterThan(0);
      expect(valueOf(text, 'voice_agent_conversations_ended_total', { end: 'not_held' })).toBeGreaterThan(0);
      const asked = [...monitoring('grafana-dashboard.json', 'alerts.yml').matchAll(OF_AGENT)].map(([name]) =>
        name.replace(/_(bucket|count|sum)$/, ''),
      );
      expect(new Set(asked).size).toBeGreaterThanOrEqual(6);
      expect(asked.filter((name) => !namesIn(text).includes(name))).toEqual([]);
    },
    2 * CALL_WITHIN_MS,
  );

  test(
    'leaves no room behind and no line in use',
    async () => {
      const rooms = new RoomServiceClient(media.url, media.apiKey, media.apiSecret, { failover: false });
      await eventually(CALL_WITHIN_MS, async () =>
        expect((await rooms.listRooms()).map(({ name }) => name)).toEqual([]),
      );
      // LiveKit may report a lost room a little later.
      await eventually(CALL_WITHIN_MS, async () => {
        expect(await platform.db('lines').select('*')).toEqual([]);
        expect(platform.carrier().live).toBe(0);
      });
    },
    2 * CALL_WITHIN_MS,
  );
});

const OF_AGENT = /\bvoice_agent_(?:agent|conversations|response|provider|fallback)[a-z_]*/g;

const monitoring = (...files: string[]): string =>
  files.map((file) => readFileSync(join(repositoryRoot(), 'deploy', 'monitoring', file), 'utf8')).join('\n');
