/** How long a sound takes from one participant of a room to another: what no agent can be faster than, twice. */
import { setTimeout as delay } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { AccessToken } from 'livekit-server-sdk';
import { speechLike } from '../../../dev/model-stand-in/speech';
import type { Media } from '../../../dev/stack/stack';
import { percentile } from '../percentile';
import { Caller } from './caller';
import { spansOf } from './spans';

const RATE = 48_000;
const TIMES = 10;
const SOUND_MS = 200;
const BETWEEN_MS = 500;
const HEARD_WITHIN_MS = 10_000;

/** The median of ten, in milliseconds, from the one track to the other. */
export async function measureRoomWay(media: Media): Promise<number> {
  const room = `bench-${randomBytes(6).toString('hex')}`;
  const join = async (identity: string): Promise<Caller> => {
    const token = new AccessToken(media.apiKey, media.apiSecret, { identity });
    token.addGrant({ roomJoin: true, room });
    return Caller.join(media.url, await token.toJwt(), RATE);
  };
  const speaker = await join('speaker');
  const listener = await join('listener');
  try {
    const sound = speechLike(SOUND_MS, RATE);
    const startedAtMs = performance.now();
    await speaker.say(sound);
    if (!(await listener.untilHeard(startedAtMs, HEARD_WITHIN_MS)))
      throw new Error('a participant of a room does not hear the other');
    await delay(BETWEEN_MS);
    const ways: number[] = [];
    for (let nth = 0; nth < TIMES; nth += 1) {
      const fromMs = performance.now();
      await speaker.say(sound);
      await delay(BETWEEN_MS);
      const untilMs = performance.now();
      const [said] = spansOf(speaker.tracks.caller.between(fromMs, untilMs) ?? []);
      const [heard] = spansOf(listener.tracks.agent.between(fromMs, untilMs) ?? []);
      if (said === undefined || heard === undefined) throw new Error('a sound was lost in a room');
      ways.push(heard.fromMs - said.fromMs);
    }
    return percentile(ways, 0.5);
  } finally {
    await Promise.all([speaker.leave(), listener.leave()]);
  }
}
