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

/** Minimum and maximum silence after the user's last word, in milliseconds. */
const ENDPOINTING_DELAYS_MS: Readonly<Record<Eagerness, { minDelay: number; maxDelay: number }>> = {
  slow: { minDelay: 1_200, maxDelay: 5_000 },
  balanced: { minDelay: 500, maxDelay: 3_000 },
  fast: { minDelay: 200, maxDelay: 1_500 },
};
/**
 * Silence that ends a turn even though it sounds unfinished to the model. The model mistakes the end of many sentences for a pause, so the
 * agent answers those late (`npm run bench -- --only turns`).
 */
const UNFINISHED_MS: Readonly<Record<ModelEagerness, number>> = { balanced: 1_500, fast: 1_000 };
/** The trained model, and what the detector needs in addition to the sound. */
export interface EndOfTurn extends Pick<EndOfTurnOptions, 'model' | 'language' | 'setMaxDelay'> {
  words: () => string;
}

/** `endOfTurn` is null if silence and words alone end a turn. */
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
            // Never wait longer than the organization has configured.
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
      // `Interruption` holds and resumes speech, because it reacts sooner than the SDK. Final words still interrupt it through the SDK.
      minDuration: Infinity,
      minWords: 0,
      resumeFalseInterruption: true,
    },
    // A fast agent starts the model and the voice before the end of the turn is certain, but plays nothing until it is. Other agents call
    // them only once per turn, because discarded answers cost money and load the organization's own server.
    preemptiveGeneration: { enabled: eagerness === 'fast', preemptiveTts: eagerness === 'fast' },
  };
}
