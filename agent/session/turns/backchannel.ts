/** Words by which a listener shows that they listen. Over the agent's speech they are no turn and do not stop it. */
import type { ReadableStream as Stream } from 'node:stream/web';
import { TransformStream } from 'node:stream/web';
import { stt } from '@livekit/agents';

/** English, and Hindi in both scripts. "No", "stop" and "wait" are none. */
const WORDS =
  'a+h+|a+ha+|oh+|h+m+|m+h*m*|mm+|uh+|um+|uh huh|mm hm+|ok|okay|right|sure|yes|yeah|yep|yup|i see|' +
  'haa?n?|haan ?ji|ji|ji haan?|achh?a|theek hai|thik hai|हाँ|हां|जी|जी हाँ|जी हां|अच्छा|ठीक है|हम्म';
const BACKCHANNEL = new RegExp(`^(?:(?:${WORDS}) ?)+$`, 'iu');

/** Whether nothing else is said. False for no words. */
export function isBackchannel(words: string): boolean {
  const plain = words
    .replace(/[^\p{L}\p{M}\p{N}\s]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return plain !== '' && BACKCHANNEL.test(plain);
}

type Recognised = stt.SpeechEvent | string;

const TRANSCRIPTS: ReadonlySet<stt.SpeechEventType> = new Set([
  stt.SpeechEventType.INTERIM_TRANSCRIPT,
  stt.SpeechEventType.PREFLIGHT_TRANSCRIPT,
  stt.SpeechEventType.FINAL_TRANSCRIPT,
]);

/**
 * Leaves out the transcripts that are backchannels while the agent speaks. One that is final when the agent has finished is an answer: "yes"
 * to the end of a question stays.
 */
export function withoutBackchannels(
  events: Stream<Recognised>,
  isAgentSpeaking: () => boolean,
): Stream<Recognised> {
  return events.pipeThrough(
    new TransformStream<Recognised, Recognised>({
      transform: (event, controller) => {
        const isLeftOut = isAgentSpeaking() && isBackchannel(wordsOf(event));
        if (!isLeftOut) controller.enqueue(event);
      },
    }),
  );
}

function wordsOf(event: Recognised): string {
  if (typeof event === 'string') return event;
  return TRANSCRIPTS.has(event.type) ? (event.alternatives?.[0]?.text ?? '') : '';
}
