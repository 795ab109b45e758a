/** The models of a session, created before anybody answers; what is missing is published to the room. */
import { NoiseSuppressor } from '../../audio/noise-suppression/noise-suppressor';
import { CustomServer } from '../../custom-llm/custom-server';
import { countProviderFailures } from '../../metrics/provider-failures';
import { errorName } from '../../log';
import { openConnection } from '../../network/kept-connections';
import { modelsFor, type Models } from '../../providers';
import type { Brief } from '../../platform/brief';
import type { NoiseSuppression } from '../../settings';
import { languagesOf } from '../../providers/languages';
import type { CallContext } from '../state/call-context';
import { EndOfTurnModel } from '../turns/end-of-turn-model';
import { isEndOfTurnLanguage, usesModel } from '../turns/end-of-turn-threshold';
import { NearVoiceDetector } from '../turns/near-voice';
import { UtteranceDetector } from '../turns/utterance-detector';

/** The page of a browser session shows from it what the agent can do. */
export const SPEECH_ATTRIBUTE = 'platform.speech';
/** The delay until the end of speech is detected: an eager agent waits no longer. */
export const VAD_SILENCE_MS = 250;

export interface SessionModels extends Models {
  vad: NearVoiceDetector;
  /** A client's own server, when the agent uses one. */
  customServer: CustomServer;
  /** Null where what is heard is left as it is. */
  noiseSuppressor: NoiseSuppressor | null;
  /** Null where silence and words decide that a turn is over. */
  endOfTurn: EndOfTurnModel | null;
}

export async function prepareModels(call: CallContext): Promise<SessionModels> {
  const { brief, settings, room, guard, log } = call;
  const vad = new NearVoiceDetector({ minSilenceMs: VAD_SILENCE_MS });
  const customServer = new CustomServer({ guard, log, firstTokenWithinMs: settings.customLlmFirstTokenMs });
  const models = modelsFor(brief, settings.speech, {
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
  // The conversation does not depend on it.
  await room.setAttributes({ [SPEECH_ATTRIBUTE]: JSON.stringify(speech) }).catch(() => undefined);
  const hears = models.stt !== null;
  const endOfTurn = hears ? endOfTurnModelOf(call) : null;
  const noiseSuppressor = hears ? await noiseSuppressorOf(call) : null;
  return { ...models, vad, customServer, noiseSuppressor, endOfTurn };
}

/** Browsers suppress noise themselves. */
export const suppressesNoise = (calls: NoiseSuppression, { medium }: Pick<Brief, 'medium'>): boolean =>
  calls === 'all' || (calls === 'phone' && medium === 'telephony');

async function noiseSuppressorOf({ brief, settings, log }: CallContext): Promise<NoiseSuppressor | null> {
  if (!suppressesNoise(settings.noiseSuppression, brief)) return null;
  try {
    return await NoiseSuppressor.load();
  } catch (error) {
    log.warn({ error: errorName(error) }, 'noise is not suppressed: its module cannot be loaded');
    return null;
  }
}

/** Where a language is detected, the one that is recognised decides at each pause. */
function endOfTurnModelOf({ brief, inference: executor, log }: CallContext): EndOfTurnModel | null {
  const { first, second, detects } = languagesOf(brief);
  const isSupported = detects || [first, second].some(isEndOfTurnLanguage);
  const { eagerness_to_speak: eagerness } = brief.agent.config.experience.conversational_experience;
  if (executor === null || !isSupported || !usesModel(eagerness)) return null;
  return new EndOfTurnModel(executor, log);
}

/** However the conversation ended. */
export async function closeModels({ stt, llm, tts, customServer }: SessionModels): Promise<void> {
  await Promise.allSettled([stt?.close(), llm?.aclose(), tts?.close(), customServer.close()]);
}
