/** Words by which a listener shows that they listen. Over the agent's speech they are no turn and do not stop it. */
import type { ReadableStream as Stream } from 'node:stream/web';
import { TransformStream } from 'node:stream/web';
import { stt } from '@livekit/agents';

/** English, and Hindi in both scripts. "No", "stop" and "wait" are none. */
const WORDS =
  'a+h+|a+ha+|oh+|h+m+|m+h*m*|mm+|uh+|um+|uh huh|mm hm+|ok|okay|right|sure|yes|yeah|yep|yup|i see|' +
  'haa?n?|haan ?ji|ji|ji haan?|achh?a|theek hai|thik hai|हाँ|हां|जी|जी हाँ|जी हां|अच्छा|ठीक है|हम्म';
const BACKCHANNEL = new RegExp(`^(?:(?:${WORDS}) ?)+$`, 'iu');

/** Whether nothing else is said, or nothing but punctuation. False for an empty text. */
export function isBackchannel(words: string): boolean {
  const plain = words
    .replace(/[^\p{L}\p{M}\p{N}\s]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return words !== '' && (plain === '' || BACKCHANNEL.test(plain));
}

type Recognised = stt.SpeechEvent | string;

const TRANSCRIPTS: ReadonlySet<stt.SpeechEventType> = new Set([
  stt.SpeechEventType.INTERIM_TRANSCRIPT,
  stt.SpeechEventType.PREFLIGHT_TRANSCRIPT,
  stt.SpeechEventType.FINAL_TRANSCRIPT,
]);

export interface OverAgent {
  /** Whether the agent speaks, and has more to say than the end of a sentence: "yes" to that is an answer. */
  isAgentSpeaking: () => boolean;
  /** Whether the remote party has said nothing for a while: what is recognised is a distant voice. */
  isQuiet: () => boolean;
  /** Words that are no backchannel, final or not. */
  onWords: () => void;
  /** A final backchannel that was left out. */
  onBackchannel: () => void;
}

/** Leaves out what the agent overhears while it speaks: backchannels and distant voices. */
export function withoutOverheard(events: Stream<Recognised>, over: OverAgent): Stream<Recognised> {
  return events.pipeThrough(
    new TransformStream<Recognised, Recognised>({
      transform: (event, controller) => {
        const words = wordsOf(event);
        const isLeftOut = words !== '' && over.isAgentSpeaking() && (over.isQuiet() || isBackchannel(words));
        if (!isLeftOut) controller.enqueue(event);
        if (isLeftOut && isFinal(event)) over.onBackchannel();
        if (!isLeftOut && words !== '') over.onWords();
      },
    }),
  );
}

const isFinal = (event: Recognised): boolean =>
  typeof event === 'string' || event.type === stt.SpeechEventType.FINAL_TRANSCRIPT;

function wordsOf(event: Recognised): string {
  if (typeof event === 'string') return event;
  return TRANSCRIPTS.has(event.type) ? (event.alternatives?.[0]?.text ?? '') : '';
}
