/** A SIP bridge that dies leaves a caller behind whom nobody hears, and whom LiveKit takes for there for some twenty seconds. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Media } from '../../dev/stack/stack';
import { describeWith } from '../servers/availability';
import { eventually } from './support/eventually';
import { freshNumbers } from './support/numbers';
import { Platform, START_WITHIN_MS } from './support/platform';

const ANSWERED_WITHIN_MS = 60_000;
/** Shorter than LiveKit waits, longer than a line may fall silent before it counts as dead. */
const SILENCE_MS = 5_000;
/** So that sound has come from the phone. */
const TALKS_FOR_MS = 2_000;
const NOTICED_WITHIN_MS = 75_000;
const CLOSE_WITHIN_MS = 60_000;
/** Talks until it is hung up on. */
const ENDLESS = 73;

describeWith('livekit', 'a SIP bridge that dies in mid-call', () => {
  let platform: Platform;
  let media: Media;

  beforeAll(async () => {
    platform = await Platform.open({ livekit: true, ringMs: 200, talkMs: 600, silenceMs: SILENCE_MS });
    if (platform.stack.media === null) throw new Error('there are no media servers');
    media = platform.stack.media;
  }, START_WITHIN_MS);
  afterAll(() => platform.close(), CLOSE_WITHIN_MS);

  test(
    'ends the call as one that was dropped, not as one that the agent ended; the line is free',
    async () => {
      const client = await platform.organisation();
      const [number = ''] = freshNumbers([ENDLESS]);
      const { call_id: callId } = (await client.dispatch(number)).body.output;
      const states = () =>
        platform.carrier([number]).entries.flatMap((entry) => (entry.kind === 'state' ? [entry.state] : []));
      await eventually(ANSWERED_WITHIN_MS, () => expect(states()).toContain('answered'));
      await delay(TALKS_FOR_MS);
      await media.sipStandIn.kill();
      await eventually(NOTICED_WITHIN_MS, async () => {
        expect(await platform.db('calls').where({ call_id: callId }).first()).toMatchObject({
          call_status: 'error',
          end_reason: 'dropped',
        });
      });
      expect(await platform.db('lines').select('*')).toEqual([]);
      await media.sipStandIn.start();
      await eventually(ANSWERED_WITHIN_MS, () =>
        expect(platform.carrier([number]).entries).toContainEqual(
          expect.objectContaining({ kind: 'state', state: 'ended', end_reason: 'dropped' }),
        ),
      );
    },
    ANSWERED_WITHIN_MS + 2 * NOTICED_WITHIN_MS,
  );
});
