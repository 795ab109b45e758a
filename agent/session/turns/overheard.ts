/** Filters recognised words that are no turn: backchannels, hums, coughs and distant voices over the agent's speech. */
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
  /** Whether the agent is speaking and has more left than the end of a sentence. A "yes" to the end of a sentence is an answer. */
  isAgentSpeaking: () => boolean;
  /** Whether the user has been silent for a while, so that the recognised words are a distant voice's. */
  isQuiet: () => boolean;
  words: OverlapWords;
  /** How long the user has spoken over the agent. */
  spokenMs: () => number;
  /** Called for words that count as a turn, final or not. */
  onWords: () => void;
  /** Called for final words that were dropped. */
  onDropped: () => void;
}

/** Drops words that do not interrupt the agent. */
export function withoutBackchannels(events: Stream<Recognised>, over: OverAgent): Stream<Recognised> {
  return events.pipeThrough(
    new TransformStream<Recognised, Recognised>({
      transform: (event, controller) => {
        const words = wordsOf(event);
        const isLeftOut =
          words !== '' &&
          over.isAgentSpeaking() &&
          (over.isQuiet() || !over.words.interrupts(words, over.spokenMs()));
        if (!isLeftOut) controller.enqueue(event);
        if (isLeftOut && isFinal(event)) over.onDropped();
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
