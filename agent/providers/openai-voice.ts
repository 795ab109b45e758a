/**
 * A voice with OpenAI's interface that plays audio as it arrives. The SDK's class waits for the whole response and copies it byte by byte,
 * which blocked the process for 70 ms before eight seconds of speech.
 */
import { APIConnectionError, APIStatusError, tts } from '@livekit/agents';
import { frameOf, type SdkFrame } from '../audio/sdk-frames';
import { fetchKept } from '../network/kept-connections';

export const API = 'https://api.openai.com/v1';
/** This interface returns raw samples only at this rate. */
const SPEECH_RATE = 24_000;
const bytesIn = (ms: number): number => (2 * SPEECH_RATE * ms) / 1000;
const BYTES_PER_FRAME = bytesIn(20);
/** Longest frame, used when enough audio has arrived. Every frame costs the same CPU time, regardless of its length. */
const MAX_FRAME_BYTES = bytesIn(60);

interface OpenAiVoice {
  apiKey: string;
  /** No trailing slash. Default: OpenAI's own server. */
  baseURL?: string;
  model: string;
  voice: string;
  speed?: number;
  instructions?: string;
}

export class OpenAiTts extends tts.TTS {
  override label = 'openai.TTS';
  private readonly closed = new AbortController();

  constructor(readonly settings: OpenAiVoice) {
    super(SPEECH_RATE, 1, { streaming: false });
  }

  override get model(): string {
    return this.settings.model;
  }

  override get provider(): string {
    return new URL(this.settings.baseURL ?? API).host;
  }

  override synthesize(...[text, options, signal]: Parameters<tts.TTS['synthesize']>): tts.ChunkedStream {
    const { signal: closed } = this.closed;
    return new SpokenPiece(
      text,
      this,
      options,
      signal === undefined ? closed : AbortSignal.any([signal, closed]),
    );
  }

  override stream(): never {
    throw new Error('OpenAiTts does not stream: use tts.StreamAdapter');
  }

  override close(): Promise<void> {
    this.closed.abort();
    return Promise.resolve();
  }
}

class SpokenPiece extends tts.ChunkedStream {
  override label = 'openai.ChunkedStream';

  constructor(
    private readonly text: string,
    private readonly speaker: OpenAiTts,
    options: Parameters<tts.TTS['synthesize']>[1],
    signal: AbortSignal,
  ) {
    super(text, speaker, options, signal);
    // The SDK ignores a signal that is already aborted. A closed voice would then send a request that is never cancelled.
    if (signal.aborted) this.abortController.abort();
  }

  protected override async run(): Promise<void> {
    const { signal } = this.abortController;
    try {
      const requestId = crypto.randomUUID();
      // Keeps the newest frame back, because the last frame must be marked as final.
      let frame: SdkFrame | null = null;
      for await (const next of framesOf(await request(this.text, this.speaker.settings, signal))) {
        if (frame !== null) this.queue.put({ requestId, segmentId: requestId, frame, final: false });
        frame = next;
      }
      if (frame !== null) this.queue.put({ requestId, segmentId: requestId, frame, final: true });
    } catch (cause) {
      if (signal.aborted) return;
      throw cause instanceof APIStatusError
        ? cause
        : new APIConnectionError({ message: "the TTS server didn't respond", options: { retryable: false } });
    }
  }
}

/** Sends the request once. Another provider is faster than a retry, and a retry would repeat audio that was already played. */
async function request(text: string, settings: OpenAiVoice, signal: AbortSignal): Promise<Response> {
  const { apiKey, baseURL = API, ...chosen } = settings;
  const response = await fetchKept(`${baseURL}/audio/speech`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...chosen, input: text, response_format: 'pcm' }),
    signal,
  });
  if (response.ok) return response;
  await response.body?.cancel();
  throw new APIStatusError({
    message: 'the TTS server rejected the request',
    options: { statusCode: response.status, retryable: false },
  });
}

/** Yields each frame as soon as it arrives. The last frame can be shorter. */
async function* framesOf({ body }: Response): AsyncGenerator<SdkFrame> {
  if (body === null) return;
  let rest = Buffer.alloc(0);
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    const bytes = Buffer.concat([rest, piece]);
    const whole = bytes.length - (bytes.length % BYTES_PER_FRAME);
    // Yield the last frame separately, because the reader holds it back until the next one arrives.
    const last = whole - BYTES_PER_FRAME;
    for (let at = 0; at < last; at += MAX_FRAME_BYTES)
      yield frameIn(bytes.subarray(at, Math.min(at + MAX_FRAME_BYTES, last)));
    if (last >= 0) yield frameIn(bytes.subarray(last, whole));
    rest = bytes.subarray(whole);
  }
  if (rest.length >= 2) yield frameIn(rest);
}

/** Copies the bytes, because a sample array needs aligned memory. */
function frameIn(bytes: Buffer): SdkFrame {
  const samples = new Int16Array(Math.floor(bytes.length / 2));
  for (let at = 0; at < samples.length; at += 1) samples[at] = bytes.readInt16LE(2 * at);
  return frameOf(samples, SPEECH_RATE);
}
