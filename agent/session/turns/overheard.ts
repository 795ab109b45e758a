/** What a recogniser hears over the agent's speech and is no turn: backchannels, hums, coughs and distant voices. */
import type { ReadableStream as Stream } from 'node:stream/web';
import { TransformStream } from 'node:stream/web';
import { stt } from '@livekit/agents';
import type { OverlapWords } from './overlap-words';

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
  words: OverlapWords;
  /** How long the remote party has spoken over the agent. */
  spokenMs: () => number;
  /** Words that are a turn, final or not. */
  onWords: () => void;
  /** Final words that were left out. */
  onOverheard: () => void;
}

/** Leaves out what the agent overhears while it speaks. */
export function withoutOverheard(events: Stream<Recognised>, over: OverAgent): Stream<Recognised> {
  return events.pipeThrough(
    new TransformStream<Recognised, Recognised>({
      transform: (event, controller) => {
        const words = wordsOf(event);
        const isLeftOut =
          words !== '' &&
          over.isAgentSpeaking() &&
          (over.isQuiet() || !over.words.interrupts(words, over.spokenMs()));
        if (!isLeftOut) controller.enqueue(event);
        if (isLeftOut && isFinal(event)) over.onOverheard();
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
