/** The SDK's turn detector, with thresholds from the agent's configuration. It also considers the words, not only the sound. */
import { inference } from '@livekit/agents';
import { LOCAL_VERSION, type EndOfTurnModel } from './end-of-turn-model';
import { endOfTurnThreshold, type ModelEagerness } from './end-of-turn-threshold';
import { seemsIncomplete } from './incomplete-entry';

/** Lie above and below every probability. */
const WAITS = 2;
const SPEAKS = 0;

export interface EndOfTurnOptions {
  model: EndOfTurnModel;
  eagerness: ModelEagerness;
  /** The agent's language, used until one is recognised. */
  language: string | null;
  /** Returns the words of the turn so far. Null unless the agent waits for the rest of an incomplete entry. */
  words: (() => string) | null;
  /** Silence that ends a turn: after a finished one, after one that sounds unfinished, and after incomplete words. */
  waitsMs: { finished: number; unfinished: number; incomplete: number };
  /** Sets the maximum delay for the pause that is being judged. */
  setMaxDelay: (ms: number) => void;
}

export class EndOfTurnDetector extends inference.TurnDetector {
  constructor(private readonly options: EndOfTurnOptions) {
    super({ version: LOCAL_VERSION, executor: options.model });
  }

  override stream(): ReturnType<inference.TurnDetector['stream']> {
    const stream = super.stream();
    // The SDK calls this once it has the probability of a pause, and reads the maximum delay afterwards.
    stream.unlikelyThreshold = (language) => Promise.resolve(this.judge(language));
    return stream;
  }

  override unlikelyThreshold(language?: string): Promise<number> {
    return Promise.resolve(this.judge(language));
  }

  private judge(recognised: string | undefined): number {
    const { model, words, waitsMs, setMaxDelay, eagerness, language } = this.options;
    const isPatient = words !== null;
    const isIncomplete = isPatient && seemsIncomplete(words());
    const maxDelayMs = isIncomplete ? waitsMs.incomplete : waitsMs.unfinished;
    setMaxDelay(maxDelayMs);
    const threshold = isIncomplete
      ? WAITS
      : (endOfTurnThreshold(recognised ?? language, { eagerness, isPatient }) ?? SPEAKS);
    model.judged(threshold, { finished: waitsMs.finished, unfinished: maxDelayMs });
    return threshold;
  }
}
