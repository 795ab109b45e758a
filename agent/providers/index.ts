/** Creates the models of a conversation. Only models that the agent requests and that are available are created. */
import { type llm, stt, type tts, type VAD } from '@livekit/agents';
import type { ModelKind } from '../../domain/usage-cost';
import type { CallContext } from '../platform/call-context';
import { cartesia } from './cartesia';
import { deepgram } from './deepgram';
import { elevenlabs } from './elevenlabs';
import { SttFallback, LlmFallback, TtsFallback } from './fallbacks';
import { languagesOf } from './languages';
import { localSpeech, openaiCompatible } from './openai-compatible';
import { isMissing, type ModelRequest, type ModelResult, type Missing, type Provider } from './provider';
import { requestedModels } from './requested-models';
import { sarvam } from './sarvam';
import { StreamedTts } from './speech-pieces';
import { type KeyedProvider, type SpeechSettings, LOCAL } from './speech-settings';

export type { Missing } from './provider';

/** A model is null when no provider of its kind is available. */
export interface Models {
  stt: stt.STT | null;
  llm: llm.LLM | null;
  tts: tts.TTS | null;
  /** Name of the first model of each kind. */
  names: ModelNames;
  /** Requested models that are unavailable. */
  missing: Missing[];
  /** Addresses of the models that are tried first, if they use HTTP. */
  addresses: ReadonlySet<string>;
}

type ModelNames = Partial<Record<ModelKind, string>>;

const KEYED: Readonly<Record<KeyedProvider, Provider>> = { deepgram, elevenlabs, cartesia, sarvam };
const PROVIDERS: Readonly<Record<string, Provider>> = { ...KEYED, [LOCAL]: localSpeech };

interface ModelsOptions {
  customLlm?: NonNullable<Provider['llm']>;
  /** Splits audio into utterances for recognisers without streaming. */
  vad: VAD;
}

/**
 * An `error` event without a listener would be thrown and end the process. The SDK's recovery attempts outlive the session and its
 * listener, and adapters that forward errors need a listener too.
 */
function withErrorListener<T extends { on(event: 'error', listener: () => void): unknown }>(model: T): T {
  model.on('error', () => undefined);
  return model;
}

export function modelsFor(
  callContext: CallContext,
  settings: SpeechSettings,
  { customLlm, vad }: ModelsOptions,
): Models {
  const selection = selectionFor(callContext, settings, customLlm);
  const sttModels = createModels('stt', selection, (one) => one.stt);
  const llmModels = createModels('llm', selection, (one) => one.llm);
  const ttsModels = createModels('tts', selection, (one) => one.tts);
  return {
    stt: sttOf(sttModels, vad),
    llm: llmOf(llmModels),
    tts: ttsOf(ttsModels),
    names: selection.names,
    missing: selection.missing,
    addresses: selection.addresses,
  };
}

export function languageModelFor(
  callContext: CallContext,
  settings: SpeechSettings,
  customLlm?: NonNullable<Provider['llm']>,
): Pick<Models, 'llm' | 'missing'> {
  const selection = selectionFor(callContext, settings, customLlm);
  const llmModels = createModels('llm', selection, (one) => one.llm);
  return { llm: llmOf(llmModels), missing: selection.missing };
}

function selectionFor(
  callContext: CallContext,
  settings: SpeechSettings,
  customLlm: NonNullable<Provider['llm']> | undefined,
): Selection {
  const custom: Provider = customLlm === undefined ? {} : { llm: customLlm };
  const provider = (name: string): Provider | null => {
    if (name === 'custom') return custom;
    return PROVIDERS[name] ?? (name in settings.endpoints || name === 'openai' ? openaiCompatible : null);
  };
  return { context: { callContext, settings }, provider, names: {}, missing: [], addresses: new Set() };
}

interface Selection {
  context: Pick<ModelRequest, 'callContext' | 'settings'>;
  provider: (name: string) => Provider | null;
  names: ModelNames;
  missing: Missing[];
  addresses: Set<string>;
}

/** Creates all available models of one kind, in the order in which they are tried. */
function createModels<P extends ModelKind, T extends stt.STT | llm.LLM | tts.TTS>(
  part: P,
  { context, provider, names, missing, addresses }: Selection,
  makerOf: (provider: Provider) => ((request: ModelRequest<P>) => ModelResult<T>) | undefined,
): T[] {
  const { callContext, settings } = context;
  const requested = requestedModels(
    callContext.agent.config.persona.senses_capabilities,
    part,
    settings.defaults[part],
  );
  if (requested.length === 0)
    missing.push({ part, why: 'the agent names no provider, and no default is set' });
  const created: T[] = [];
  for (const one of requested) {
    const known = provider(one.provider);
    const make = known === null ? undefined : makerOf(known);
    if (make === undefined) {
      missing.push({
        part,
        why: `${known === null ? 'no such provider' : 'the provider does not offer this kind of model'}: ${one.provider}`,
      });
      continue;
    }
    const made = make({ ...context, requested: one, languages: languagesOf(callContext) });
    if (isMissing(made)) missing.push({ part, why: made.missing });
    else {
      if (created.length === 0 && known?.address !== undefined)
        addresses.add(known.address({ ...context, requested: one }));
      // A wrapper around several models has another name, so the first model's name is used.
      names[part] ??= made.model;
      created.push(withErrorListener(made));
    }
  }
  return created;
}

/** Recognisers without streaming fall back for each utterance. Streaming recognisers fall back when a stream is lost. */
function sttOf(all: stt.STT[], vad: VAD): stt.STT | null {
  const [whole, ...others] = all.filter((one) => !one.capabilities.streaming);
  const utterances =
    whole === undefined
      ? null
      : withErrorListener(new stt.StreamAdapter(withErrorListener(new SttFallback([whole, ...others])), vad));
  const isFirst = all[0]?.capabilities.streaming === false;
  const streams = all.filter((one) => one.capabilities.streaming);
  const order = utterances === null ? streams : isFirst ? [utterances, ...streams] : [...streams, utterances];
  const [first] = order;
  if (first === undefined) return null;
  return order.length === 1
    ? first
    : withErrorListener(new stt.FallbackAdapter({ sttInstances: order, vad }));
}

function llmOf(all: llm.LLM[]): llm.LLM | null {
  const [first, ...others] = all;
  if (first === undefined) return null;
  return others.length === 0 ? first : withErrorListener(new LlmFallback({ llms: all }));
}

function ttsOf(all: tts.TTS[]): tts.TTS | null {
  // Without an adapter of ours, the SDK would wrap voices without streaming itself, and nothing would listen to their errors.
  const streaming = all.map((one) =>
    one.capabilities.streaming ? one : withErrorListener(new StreamedTts(one)),
  );
  const [first, ...others] = streaming;
  if (first === undefined) return null;
  return others.length === 0 ? first : withErrorListener(new TtsFallback({ ttsInstances: streaming }));
}
