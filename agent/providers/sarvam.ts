/** Sarvam, a provider for Indian languages. Its HTTP interface recognises whole utterances and synthesises whole sentences. */
import {
  APIConnectionError,
  APIStatusError,
  mergeFrames,
  normalizeLanguage,
  stt,
  tts,
} from '@livekit/agents';
import { valueAt } from '../../domain/json';
import { WAV_HEADER_BYTES, wavHeader } from '../audio/pcm';
import { withOwnSignal, withTimeout } from '../../runtime/network/time-limit';
import { soundOf, frameOf, type SdkFrame } from '../audio/sdk-frames';
import { fetchKept } from '../network/kept-connections';
import { indianLanguage, recognitionLanguage, type Languages } from './languages';
import { apiKeyOf, type Provider, numberIn, textIn, textsIn, voiceOf, type Voice } from './provider';

const API = 'https://api.sarvam.ai';
const RESPONSE_TIMEOUT_MS = 10_000;
const SPEECH_RATE = 22_050;
const FRAME_MS = 50;
const VOICES = { female: 'anushka', male: 'abhilash' };
const DEFAULTS = { stt: 'saarika:v2.5', tts: 'bulbul:v2', speaker: 'anushka' } as const;
const PACES = { min: 0.5, max: 2 } as const;
/** Tells Sarvam to detect the language. */
const ANY_LANGUAGE = 'unknown';

interface SarvamAccess {
  apiKey: string;
  /** Default: Sarvam's own server. */
  url?: string;
}

export const sarvam: Provider = {
  address: () => API,

  stt(request) {
    const access = apiKeyOf('sarvam', request);
    if ('missing' in access) return access;
    const first = recognitionLanguage(request.requested.fields.language, request.languages);
    const languages = { ...request.languages, first };
    return new SarvamStt(access, request.requested.model ?? DEFAULTS.stt, recognisedLanguage(languages));
  },

  tts(request) {
    const access = apiKeyOf('sarvam', request);
    if ('missing' in access) return access;
    const { requested, callContext, languages } = request;
    const voice = voiceOf(requested, callContext.session, VOICES);
    const language = indianLanguage(languages.first ?? '') ?? 'hi-IN';
    return new SarvamTts(access, { model: requested.model ?? DEFAULTS.tts, voice, language });
  },
};

const recognisedLanguage = ({ first, detects }: Languages): string =>
  detects || first === null ? ANY_LANGUAGE : (indianLanguage(first) ?? ANY_LANGUAGE);

export class SarvamStt extends stt.STT {
  override label = 'sarvam.STT';

  constructor(
    private readonly access: SarvamAccess,
    private readonly name: string,
    private readonly language: string,
  ) {
    super({ streaming: false, interimResults: false });
  }

  override get model(): string {
    return this.name;
  }

  override get provider(): string {
    return 'sarvam';
  }

  protected override async _recognize(
    buffer: SdkFrame | SdkFrame[],
    signal?: AbortSignal,
  ): Promise<stt.SpeechEvent> {
    const form = new FormData();
    form.set('file', new Blob([wavOf(buffer)], { type: 'audio/wav' }), 'speech.wav');
    form.set('model', this.name);
    form.set('language_code', this.language);
    const answer = await ask(this.access, '/speech-to-text', { body: form }, signal);
    const detected = textIn(valueAt(answer, 'language_code'));
    return {
      type: stt.SpeechEventType.FINAL_TRANSCRIPT,
      requestId: textIn(valueAt(answer, 'request_id')),
      alternatives: [
        {
          text: textIn(valueAt(answer, 'transcript')),
          language: normalizeLanguage(detected === '' ? this.language : detected),
          startTime: 0,
          endTime: 0,
          confidence: numberIn(valueAt(answer, 'language_probability'), { min: 0, max: 1 }) ?? 1,
        },
      ],
    };
  }

  override stream(): never {
    throw new Error('SarvamStt does not stream: use stt.StreamAdapter');
  }
}

interface Speech {
  model: string;
  voice: Voice;
  language: string;
}

export class SarvamTts extends tts.TTS {
  override label = 'sarvam.TTS';

  constructor(
    readonly access: SarvamAccess,
    readonly speech: Speech,
  ) {
    super(SPEECH_RATE, 1, { streaming: false });
  }

  override get model(): string {
    return this.speech.model;
  }

  override get provider(): string {
    return 'sarvam';
  }

  override synthesize(...[text, options, signal]: Parameters<tts.TTS['synthesize']>): tts.ChunkedStream {
    return new SarvamSentence(text, this, options, signal);
  }

  override stream(): never {
    throw new Error('SarvamTts does not stream: use tts.StreamAdapter');
  }
}

class SarvamSentence extends tts.ChunkedStream {
  override label = 'sarvam.ChunkedStream';

  constructor(
    private readonly text: string,
    private readonly voice: SarvamTts,
    options?: Parameters<tts.TTS['synthesize']>[1],
    signal?: AbortSignal,
  ) {
    super(text, voice, options, signal);
  }

  protected override async run(): Promise<void> {
    const { access, speech } = this.voice;
    const body = JSON.stringify(requestOf(this.text, speech));
    const headers = { 'Content-Type': 'application/json' };
    const answer = await ask(access, '/text-to-speech', { body, headers }, this.abortController.signal);
    const frames = framesOf(textsIn(valueAt(answer, 'audios'))[0] ?? '');
    const requestId = textIn(valueAt(answer, 'request_id'));
    frames.forEach((frame, at) =>
      this.queue.put({ requestId, segmentId: requestId, frame, final: at === frames.length - 1 }),
    );
  }
}

function requestOf(text: string, { model, voice, language }: Speech) {
  const { id, speed, config } = voice;
  const pace = numberIn(speed ?? config.pace, PACES);
  const [pitch, loudness] = [
    numberIn(config.pitch, { min: -0.75, max: 0.75 }),
    numberIn(config.loudness, { min: 0.3, max: 3 }),
  ];
  // Newer voices support neither pitch nor loudness.
  const isSecond = model === DEFAULTS.tts;
  return {
    text,
    target_language_code: language,
    model,
    speaker: id ?? DEFAULTS.speaker,
    speech_sample_rate: SPEECH_RATE,
    output_audio_codec: 'wav',
    ...(pace !== null && { pace }),
    ...(isSecond && pitch !== null && { pitch }),
    ...(isSecond && loudness !== null && { loudness }),
  };
}

interface Request {
  body: FormData | string;
  headers?: Record<string, string>;
}

async function ask(
  access: SarvamAccess,
  path: string,
  request: Request,
  outer?: AbortSignal,
): Promise<unknown> {
  try {
    return await withOwnSignal(outer, (signal) =>
      withTimeout(RESPONSE_TIMEOUT_MS, answerTo(access, path, { ...request, signal })),
    );
  } catch (error) {
    throw error instanceof APIStatusError
      ? error
      : new APIConnectionError({ message: "Sarvam didn't respond" });
  }
}

async function answerTo(
  { apiKey, url = API }: SarvamAccess,
  path: string,
  { body, headers, signal }: Request & { signal: AbortSignal },
): Promise<unknown> {
  const response = await fetchKept(`${url}${path}`, {
    method: 'POST',
    body,
    headers: { ...headers, 'api-subscription-key': apiKey },
    signal,
  });
  if (response.ok) return response.json();
  const { status } = response;
  throw new APIStatusError({
    message: 'Sarvam rejected the request',
    options: { statusCode: status, retryable: status >= 500 || status === 429 },
  });
}

function wavOf(buffer: SdkFrame | SdkFrame[]): Buffer<ArrayBuffer> {
  const frame = Array.isArray(buffer) ? mergeFrames(buffer) : buffer;
  const samples = soundOf(frame);
  const header = wavHeader({ sampleRate: frame.sampleRate, channels: 1, dataBytes: samples.byteLength });
  return Buffer.concat([header, Buffer.from(samples.buffer)]);
}

function framesOf(base64: string): SdkFrame[] {
  const bytes = Buffer.from(base64, 'base64').subarray(WAV_HEADER_BYTES);
  const all = new Int16Array(Math.floor(bytes.length / 2));
  for (let at = 0; at < all.length; at += 1) all[at] = bytes.readInt16LE(2 * at);
  const length = Math.round((SPEECH_RATE * FRAME_MS) / 1000);
  const count = Math.ceil(all.length / length);
  return Array.from({ length: count }, (_none, nth) =>
    frameOf(all.slice(nth * length, (nth + 1) * length), SPEECH_RATE),
  );
}
