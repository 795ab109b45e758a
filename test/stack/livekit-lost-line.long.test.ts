/**
 * Tests calls without audio. If a SIP bridge dies, its phone stays connected, and LiveKit lists it for about twenty seconds. If a firewall
 * passes signalling but no media, the call never has audio.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Media } from '../../dev/stack/stack';
import { describeWith } from '../servers/availability';
import { eventually } from './support/eventually';
import { freshNumbers } from './support/numbers';
import type { Organization } from './support/organization';
import { Platform, START_WITHIN_MS } from './support/platform';

const ANSWERED_WITHIN_MS = 60_000;
/** Shorter than LiveKit's timeout, and longer than the silence after which a line is considered dead. */
const SILENCE_MS = 12_000;
/** Long enough for the phone's audio to arrive. */
const TALKS_FOR_MS = 2_000;
const NOTICED_WITHIN_MS = 75_000;
const CLOSE_WITHIN_MS = 60_000;
/** Number ending: talks until it's hung up. */
const ENDLESS = 73;
/** Number ending: answers, but never sends a packet. */
const SILENT = 60;

describeWith('livekit', 'a line without sound', () => {
  let platform: Platform;
  let media: Media;

  beforeAll(async () => {
    platform = await Platform.open({ livekit: true, ringMs: 200, talkMs: 600, silenceMs: SILENCE_MS });
    if (platform.stack.media === null) throw new Error('there are no media servers');
    media = platform.stack.media;
  }, START_WITHIN_MS);
  afterAll(() => platform.close(), CLOSE_WITHIN_MS);

  const states = (number: string) =>
    platform.carrier([number]).entries.flatMap((entry) => (entry.kind === 'state' ? [entry.state] : []));
  const call = (callId: string) => platform.db('calls').where({ call_id: callId }).first();

  async function answered(
    ending: number,
  ): Promise<{ organization: Organization; callId: string; number: string }> {
    const organization = await platform.newOrganization();
    const [number = ''] = freshNumbers([ending]);
    const { call_id: callId } = (await organization.dispatch(number)).body.output;
    await eventually(ANSWERED_WITHIN_MS, () => expect(states(number)).toContain('answered'));
    return { organization, callId, number };
  }

  test(
    'ends a call free of charge and hangs up the phone if it never sends a packet',
    async () => {
      const { organization, number } = await answered(SILENT);
      await eventually(NOTICED_WITHIN_MS, async () =>
        expect((await organization.get('/api/call-history')).body.data).toMatchObject([
          { call_status: 'error', call_cost: 0, End_time: expect.any(String) },
        ]),
      );
      await eventually(NOTICED_WITHIN_MS, () => expect(states(number)).toContain('ended'));
    },
    ANSWERED_WITHIN_MS + 2 * NOTICED_WITHIN_MS,
  );

  test(
    'keeps the line of a call whose SIP bridge dies while the callee is listening',
    async () => {
      const { callId, number } = await answered(ENDLESS);
      await delay(TALKS_FOR_MS);
      await media.bridges[0]!.kill();
      await eventually(NOTICED_WITHIN_MS, async () => {
        expect((await call(callId)).line_kept_until).not.toBeNull();
      });
      await media.bridges[0]!.start();
      await eventually(ANSWERED_WITHIN_MS, () =>
        expect(platform.carrier([number]).entries).toContainEqual(
          expect.objectContaining({ kind: 'state', state: 'ended', end_reason: 'dropped' }),
        ),
      );
      expect(await call(callId)).toMatchObject({ stage: 'placed', end_reason: null });
      expect(await platform.db('lines').select('call_id')).toEqual([{ call_id: callId }]);
    },
    ANSWERED_WITHIN_MS + 2 * NOTICED_WITHIN_MS,
  );
});
