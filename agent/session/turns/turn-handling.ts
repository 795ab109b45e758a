/** Endpointing and interruption settings of the session. */
import type { voice } from '@livekit/agents';
import type { ResolvedConfig } from '../../../domain/agent-config';
import { EndOfTurnDetector, type EndOfTurnOptions } from './end-of-turn-detector';
import { usesModel, type Eagerness, type ModelEagerness } from './end-of-turn-threshold';
import { IncompleteEntryDetector } from './incomplete-entry';

type TurnHandling = NonNullable<voice.AgentSessionOptions['turnHandling']>;

/** Endpointing delays: silence after the remote party's last word, minimum and maximum. */
const ENDPOINTING_DELAYS_MS: Readonly<Record<Eagerness, { minDelay: number; maxDelay: number }>> = {
  slow: { minDelay: 1_200, maxDelay: 5_000 },
  balanced: { minDelay: 500, maxDelay: 3_000 },
  fast: { minDelay: 200, maxDelay: 1_500 },
};
/**
 * Silence after which a turn is over although its sound is unfinished to the model. It takes the end of many a sentence for a
 * pause (`npm run bench -- --only turns`): the wait is what that mistake costs.
 */
const UNFINISHED_MS: Readonly<Record<ModelEagerness, number>> = { balanced: 1_500, fast: 1_000 };
/** The trained model, and what it does not hear. */
export interface EndOfTurn extends Pick<EndOfTurnOptions, 'model' | 'language' | 'setMaxDelay'> {
  words: () => string;
}

/** `endOfTurn` is null where silence and words decide alone. */
export function turnHandlingFor(
  { experience }: Pick<ResolvedConfig, 'experience'>,
  endOfTurn: EndOfTurn | null,
): TurnHandling {
  const { eagerness_to_speak: eagerness, patience_with_user_entries: patience } =
    experience.conversational_experience;
  const isPatient = patience?.enabled === true;
  const delays = ENDPOINTING_DELAYS_MS[eagerness];
  const waitSeconds = isPatient ? patience.wait_seconds : null;
  const maxDelay = Math.max(waitSeconds === null ? delays.maxDelay : waitSeconds * 1000, delays.minDelay);
  const byRules = isPatient ? new IncompleteEntryDetector() : 'vad';
  return {
    turnDetection:
      endOfTurn === null || !usesModel(eagerness)
        ? byRules
        : new EndOfTurnDetector({
            ...endOfTurn,
            eagerness,
            words: isPatient ? endOfTurn.words : null,
            // No wait is longer than the one that the client has chosen.
            waitsMs: {
              finished: delays.minDelay,
              unfinished: Math.min(UNFINISHED_MS[eagerness], maxDelay),
              incomplete: maxDelay,
            },
          }),
    endpointing: { mode: 'fixed', minDelay: delays.minDelay, maxDelay },
    interruption: {
      enabled: true,
      mode: 'vad',
      // `Interruption` holds speech sooner, and knows when it goes on. Final words end it here.
      minDuration: Infinity,
      minWords: 0,
      resumeFalseInterruption: true,
    },
    // Model and voice start before the turn is certain to be over; nothing is heard or shown before it is. Otherwise they are called once a
    // turn: what is discarded is paid for, and a client's own server would be asked for answers that nobody hears.
    preemptiveGeneration: { enabled: eagerness === 'fast', preemptiveTts: eagerness === 'fast' },
  };
}
