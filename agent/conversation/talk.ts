/** What the agent does with somebody who has answered: it talks until one of them has enough, or time is up. */
import type { Prepared } from '../voice/prepared';
import { open } from '../voice/opening';
import { Talking } from '../voice/talking';
import type { HeldCall } from './call';
import { endOf, type ConversationEnd } from './end';
import type { Recorder } from './recorder';
import { isPhone } from './situation';

export async function talk(call: HeldCall, recorder: Recorder, models: Prepared): Promise<ConversationEnd> {
  const { situation, brief } = call;
  await recorder.begin();
  const talkedMs = Date.now() - (situation.now.answeredAt ?? Date.now());
  const leftMs = Math.max(0, brief.maxTalkMs - talkedMs);
  const over = new AbortController();
  situation.watch((facts) => {
    if (endOf(facts) !== null) over.abort();
  });
  const talking = new Talking(call, recorder, models);
  try {
    await talking.start();
    const isOver = await Promise.race([
      situation.until((facts) => endOf(facts) !== null, leftMs),
      // Rejects where it fails; done, it leaves the word to the others.
      open(talking, over.signal).then(() => talking.lost),
      talking.lost,
    ]);
    if (!isOver) situation.change({ isTalkOver: true });
    const end = endOf(situation.now) ?? { by: 'agent', reason: 'max_talk' };
    return (await isLineDead(call, end)) ? { by: 'agent', reason: 'dropped' } : end;
  } finally {
    over.abort();
    await talking.close();
  }
}

/** Whoever is silent because nothing comes from the phone any more has not been hung up on. Browsers send nothing while they are muted. */
async function isLineDead({ situation, room }: HeldCall, end: ConversationEnd): Promise<boolean> {
  const { guest, isSilent } = situation.now;
  if (end.by !== 'agent' || !isSilent || guest === null || !isPhone(guest)) return false;
  return !(await room.receivesSound().catch(() => true));
}
