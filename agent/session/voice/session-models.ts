/** Creates the models of a session before the call is answered, and publishes in the room which ones are missing. */
import { NoiseSuppressor } from '../../audio/noise-suppressor';
import { CustomServer } from '../../custom-llm/custom-llm';
import { errorName } from '../../log';
import { countProviderFailures } from '../../metrics/provider-metrics';
import { openConnection } from '../../network/kept-connections';
import type { CallContext } from '../../platform/call-context';
import { modelsFor, type Models } from '../../providers';
import { languagesOf } from '../../providers/languages';
import type { NoiseSuppression } from '../../settings';
import type { Call } from '../state/call';
import { isEndOfTurnLanguage, usesModel } from '../turns/end-of-turn';
import { EndOfTurnModel } from '../turns/end-of-turn-model';
import { NearVoiceDetector } from '../turns/near-voice';
import { UtteranceDetector } from '../turns/utterance-detector';

/** The page of a browser session reads this attribute to show whether the agent can hear and speak. */
export const SPEECH_ATTRIBUTE = 'platform.speech';
/** Silence after which the end of speech is detected. An eager agent waits no longer than this before it answers. */
export const VAD_SILENCE_MS = 250;

export interface SessionModels extends Models {
  vad: NearVoiceDetector;
  /** The organization's own server, if the agent uses one. */
  customServer: CustomServer;
  /** Null when the audio is not denoised. */
  noiseSuppressor: NoiseSuppressor | null;
  /** Null when silence and words alone decide that a turn is over. */
  endOfTurn: EndOfTurnModel | null;
}

export async function prepareModels(call: Call): Promise<SessionModels> {
  const { callContext, settings, room, guard, log } = call;
  const vad = new NearVoiceDetector({ minSilenceMs: VAD_SILENCE_MS });
  const customServer = new CustomServer({ guard, log, firstTokenWithinMs: settings.customLlmFirstTokenMs });
  const models = modelsFor(callContext, settings.speech, {
    vad: new UtteranceDetector(vad),
    customLlm: customServer.create,
  });
  countProviderFailures(models, call.metrics);
  for (const address of models.addresses) void openConnection(address);
  if (models.missing.length > 0) log.warn({ missing: models.missing }, 'requested models are not available');
  const speech = {
    hears: models.stt !== null,
    speaks: models.tts !== null,
    thinks: models.llm !== null,
    missing: models.missing,
    models: models.names,
  };
  // Ignore a failure, because the conversation does not depend on this attribute.
  await room.setAttributes({ [SPEECH_ATTRIBUTE]: JSON.stringify(speech) }).catch(() => undefined);
  const hears = models.stt !== null;
  const endOfTurn = hears ? endOfTurnModelOf(call) : null;
  const noiseSuppressor = hears ? await noiseSuppressorOf(call) : null;
  return { ...models, vad, customServer, noiseSuppressor, endOfTurn };
}

/** `phone` excludes browsers, because they suppress noise themselves. */
export const suppressesNoise = (calls: NoiseSuppression, { medium }: Pick<CallContext, 'medium'>): boolean =>
  calls === 'all' || (calls === 'phone' && medium === 'telephony');

async function noiseSuppressorOf({ callContext, settings, log }: Call): Promise<NoiseSuppressor | null> {
  if (!suppressesNoise(settings.noiseSuppression, callContext)) return null;
  try {
    return await NoiseSuppressor.load();
  } catch (error) {
    log.warn(
      { error: errorName(error) },
      'noise is not suppressed, because the noise suppression module could not be loaded',
    );
    return null;
  }
}

/** If the agent detects languages, the end-of-turn model checks the recognised language at each pause. */
function endOfTurnModelOf({ callContext, inference: executor, log }: Call): EndOfTurnModel | null {
  const { first, second, detects } = languagesOf(callContext);
  const isSupported = detects || [first, second].some(isEndOfTurnLanguage);
  const { eagerness_to_speak: eagerness } = callContext.agent.config.experience.conversational_experience;
  if (executor === null || !isSupported || !usesModel(eagerness)) return null;
  return new EndOfTurnModel(executor, log);
}

/** Call this at the end of every conversation, even if it failed. */
export async function closeModels({ stt, llm, tts, customServer }: SessionModels): Promise<void> {
  await Promise.allSettled([stt?.close(), llm?.aclose(), tts?.close(), customServer.close()]);
}
