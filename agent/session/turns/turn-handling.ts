/** Endpointing and interruption settings of the session. */
import type { voice } from '@livekit/agents';
import type { ResolvedConfig } from '../../../domain/agent-config';
import {
  EndOfTurnDetector,
  type EndOfTurnOptions,
  usesModel,
  type Eagerness,
  type ModelEagerness,
  IncompleteEntryDetector,
} from './end-of-turn';

type TurnHandling = NonNullable<voice.AgentSessionOptions['turnHandling']>;

/** Minimum and maximum silence after the user's last word. */
const ENDPOINTING_DELAYS_MS: Readonly<Record<Eagerness, { minDelay: number; maxDelay: number }>> = {
  slow: { minDelay: 1_200, maxDelay: 5_000 },
  balanced: { minDelay: 500, maxDelay: 3_000 },
  fast: { minDelay: 200, maxDelay: 1_500 },
};
/**
 * Silence that ends a turn although the model takes its sound for unfinished. The model mistakes the end of many sentences for a pause, and
 * this delay is the price (`npm run bench -- --only turns`).
 */
const UNFINISHED_MS: Readonly<Record<ModelEagerness, number>> = { balanced: 1_500, fast: 1_000 };
/** The trained model, and the inputs beyond sound that the detector needs. */
export interface EndOfTurn extends Pick<EndOfTurnOptions, 'model' | 'language' | 'setMaxDelay'> {
  words: () => string;
}

/** `endOfTurn` is null when silence and words decide alone. */
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
            // No wait may exceed the one the organization has configured.
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
      // `Interruption` holds and resumes speech earlier than the SDK would. Final words end it through the SDK.
      minDuration: Infinity,
      minWords: 0,
      resumeFalseInterruption: true,
    },
    // A fast agent starts model and voice before the end of the turn is certain, but plays nothing before it is. Other agents call them
    // once per turn, because discarded answers cost money and load the organization's own server.
    preemptiveGeneration: { enabled: eagerness === 'fast', preemptiveTts: eagerness === 'fast' },
  };
}
