import { RoomServiceClient } from 'livekit-server-sdk';
import { expectedOutcome } from '../../dev/simulator/numbers';
import type { Media } from '../../dev/stack/stack';
import { describeWith } from '../servers/availability';
import type { CampaignRun } from './support/campaign-run';
import { eventually } from './support/eventually';
import { freshNumbers } from './support/numbers';
import type { Organization } from './support/organization';
import { Platform, START_WITHIN_MS } from './support/platform';

/** A single number of each kind that SIP supports, because each call starts a process. */
const KINDS = [0, 70, 74, 80, 85, 88, 89, 91, 92, 93, 95] as const;
const CAMPAIGN_WITHIN_MS = 150_000;
const CALL_WITHIN_MS = 60_000;
/** LiveKit notices a lost participant. If it doesn't, reconciliation does. */
const NOTICED_WITHIN_MS = 75_000;
/** An orphaned call keeps its line for up to two minutes. */
const RECOVERED_WITHIN_MS = 150_000;
/** On shutdown, agents wait for their calls, and the worker waits for its agents. */
const CLOSE_WITHIN_MS = 60_000;

describeWith('livekit', 'a platform whose calls run over LiveKit', () => {
  let platform: Platform;
  let media: Media;
  let organization: Organization;
  let campaign: CampaignRun;

  beforeAll(async () => {
    platform = await Platform.open({ livekit: true, ringMs: 1200, talkMs: 600 });
    if (platform.stack.media === null) throw new Error('there are no media servers');
    media = platform.stack.media;
    organization = await platform.newOrganization();
  }, START_WITHIN_MS);
  afterAll(() => platform.close(), CLOSE_WITHIN_MS);

  /** Restarts the processes that a test has killed, even if the test failed. */
  afterEach(async () => {
    for (const process of [media.livekit, media.agent, platform.stack.worker]) {
      if (!process.running) await process.start();
    }
  }, START_WITHIN_MS);

  const callOf = async (callId: string): Promise<any> => {
    const { body } = await organization.get('/api/call-history?page_size=200');
    return body.data.find(({ call_id: id }: { call_id: string }) => id === callId);
  };

  const dispatched = async (ending: number): Promise<{ number: string; callId: string }> => {
    const [number = ''] = freshNumbers([ending]);
    const { status, body } = await organization.dispatch(number);
    expect(status).toBe(200);
    return { number, callId: body.output.call_id };
  };

  const untilState = (number: string, state: string) =>
    eventually(CALL_WITHIN_MS, () => expect(statesOf(number)).toContain(state));

  const statesOf = (number: string): string[] =>
    platform.carrier([number]).entries.flatMap((entry) => (entry.kind === 'state' ? [entry.state] : []));

  const untilEnded = (callId: string, withinMs = CALL_WITHIN_MS): Promise<any> =>
    eventually(withinMs, async () => {
      const call = await callOf(callId);
      expect(call.End_time).toEqual(expect.any(String));
      return call;
    });

  const endedAs = (number: string) =>
    eventually(NOTICED_WITHIN_MS, () => {
      const ends = platform
        .carrier([number])
        .entries.flatMap((entry) =>
          entry.kind === 'state' && entry.state === 'ended' ? [entry.end_reason] : [],
        );
      expect(ends).toHaveLength(1);
      return ends[0];
    });

  test(
    'ends every contact with the outcome of its call, dials none twice and stays within its lines',
    async () => {
      const numbers = freshNumbers(KINDS);
      campaign = await platform.campaign({ numbers, concurrency: 2, maxRetries: 1 }, organization);
      const { stats } = await campaign.untilOver('completed', CAMPAIGN_WITHIN_MS);
      await campaign.expectNothingLost();
      campaign.expectAllNotified();
      const completed = numbers.filter((number) => expectedOutcome(number, 1).state === 'completed').length;
      expect(stats).toMatchObject({ total_calls: numbers.length, completed, pending: 0, in_progress: 0 });
    },
    CAMPAIGN_WITHIN_MS + 10_000,
  );

  test('records when each call was dialled, rang and was answered, if it got that far', async () => {
    const came = async (ending: (typeof KINDS)[number]) => {
      const number = campaign.numbers[KINDS.indexOf(ending)];
      const received = campaign.received('/calls').filter(({ contact }) => contact.phone === number);
      const call = await callOf(received.at(-1)?.call_id);
      const times = [call.call_dialing_at, call.call_ringing_at, call.user_picked_up_at];
      expect(times.filter((time) => time !== null)).toEqual(times.filter((time) => time !== null).sort());
      return times.map((time) => time !== null);
    };
    expect(await came(0)).toEqual([true, true, true]);
    expect(await came(80)).toEqual([true, true, false]);
    expect(await came(88)).toEqual([true, true, false]);
    expect(await came(85)).toEqual([true, false, false]);
  });

  test(
    'connects a dispatched call, which the agent ends after a silence',
    async () => {
      const { number, callId } = await dispatched(0);
      const details = await untilEnded(callId);
      expect(details).toMatchObject({ call_status: 'completed', to_number: number });
      expect(details.duration_ms).toBeGreaterThan(0);
      expect(await endedAs(number)).toBe('agent');
    },
    CALL_WITHIN_MS + 2 * NOTICED_WITHIN_MS,
  );

  test(
    'ends the phone call immediately on hang-up',
    async () => {
      const { number, callId } = await dispatched(73);
      await untilState(number, 'answered');
      expect((await organization.post(`/api/calls/${callId}/hangup`)).status).toBe(200);
      expect(await untilEnded(callId)).toMatchObject({ call_status: 'completed' });
      expect(await endedAs(number)).toBe('platform');
    },
    CALL_WITHIN_MS + 2 * NOTICED_WITHIN_MS,
  );

  test(
    'continues a ringing call after kill -9 of the worker, without placing it again',
    async () => {
      const { worker } = platform.stack;
      const { number, callId } = await dispatched(97);
      await untilState(number, 'ringing');
      await worker.kill();
      await worker.start();
      expect(await untilEnded(callId, NOTICED_WITHIN_MS)).toMatchObject({ call_status: 'completed' });
      expect(platform.carrier([number]).placed).toHaveLength(1);
    },
    CALL_WITHIN_MS + 2 * NOTICED_WITHIN_MS,
  );

  test(
    'ends a call as error after kill -9 of the agent, keeps its transcript, and hangs up the phone',
    async () => {
      const { number, callId } = await dispatched(73);
      await untilState(number, 'answered');
      const said = await eventually(CALL_WITHIN_MS, async () => {
        const { chat_history } = await callOf(callId);
        expect(chat_history).toMatchObject([{ role: 'agent', content: expect.stringContaining('Namaste') }]);
        return chat_history;
      });
      await media.agent.kill();
      expect(await untilEnded(callId, NOTICED_WITHIN_MS)).toMatchObject({
        call_status: 'error',
        chat_history: said,
      });
      expect(await endedAs(number)).toBe('platform');
    },
    CALL_WITHIN_MS + 2 * NOTICED_WITHIN_MS,
  );

  test(
    'hangs up surviving calls after kill -9 of the LiveKit server, and places the next call',
    async () => {
      const { number, callId } = await dispatched(73);
      await untilState(number, 'answered');
      await media.livekit.kill();
      await media.livekit.start();
      await organization.post(`/api/calls/${callId}/hangup`);
      const { call_status } = await untilEnded(callId, RECOVERED_WITHIN_MS);
      expect(['error', 'completed']).toContain(call_status);
      await endedAs(number);
      const next = await dispatched(70);
      expect(await untilEnded(next.callId, NOTICED_WITHIN_MS)).toMatchObject({
        call_status: 'User disconnected',
      });
    },
    2 * CALL_WITHIN_MS + 2 * NOTICED_WITHIN_MS + RECOVERED_WITHIN_MS,
  );

  test(
    'leaves no room behind and no line in use, and has placed no call twice',
    async () => {
      const rooms = new RoomServiceClient(media.url, media.apiKey, media.apiSecret, { failover: false });
      await eventually(NOTICED_WITHIN_MS, async () =>
        expect((await rooms.listRooms()).map(({ name }) => name)).toEqual([]),
      );
      // LiveKit may report a lost room a little later.
      await eventually(CALL_WITHIN_MS, async () => {
        expect(await platform.db('lines').select('*')).toEqual([]);
        expect(platform.carrier().live).toBe(0);
      });
      expect(platform.carrier().duplicateReferences).toEqual([]);
    },
    CALL_WITHIN_MS + 2 * NOTICED_WITHIN_MS,
  );
});
