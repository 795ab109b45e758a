/** Synthesises the caller's voice and transcribes the agent's speech with the local models, through the interface that the agent uses. */
import { readFile } from 'node:fs/promises';
import Joi from 'joi';
import { wavHeader } from '../../../agent/audio/pcm';
import type { Work } from './verdict';

const TIMEOUT_MS = 60_000;
const TEXT = Joi.object<{ text: string }>({ text: Joi.string().allow('').required() });
const WORK = Joi.object<{ part: string; from_ms: number; ms: number }>({
  part: Joi.string().required(),
  from_ms: Joi.number().required(),
  ms: Joi.number().required(),
});

export class LocalSpeech {
  /** `url` ends in `/v1`. */
  constructor(private readonly url: string) {}

  /** Returns 16-bit samples at 24 kHz. */
  async speech(text: string): Promise<Buffer> {
    const body = JSON.stringify({ model: 'piper', voice: 'any', input: text, response_format: 'pcm' });
    const headers = { 'Content-Type': 'application/json' };
    return Buffer.from(await (await this.post('/audio/speech', { body, headers })).arrayBuffer());
  }

  async samples(text: string): Promise<Int16Array> {
    const bytes = await this.speech(text);
    return new Int16Array(new Uint8Array(bytes).buffer, 0, Math.floor(bytes.length / 2));
  }

  /** Transcribes 16-bit samples. */
  async transcript(samples: Buffer, sampleRate: number): Promise<string> {
    const form = new FormData();
    form.append('model', 'whisper');
    form.append(
      'file',
      new Blob([wavHeader({ sampleRate, channels: 1, dataBytes: samples.length }), samples]),
      'answer.wav',
    );
    const answer: unknown = await (await this.post('/audio/transcriptions', { body: form })).json();
    return Joi.attempt(answer, TEXT).text;
  }

  private async post(path: string, request: RequestInit): Promise<Response> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(`${this.url}${path}`, { method: 'POST', signal, ...request });
    if (!response.ok)
      throw new Error(`the local models returned ${response.status}: ${await response.text()}`);
    return response;
  }
}

/** Returns when the models worked, according to the lines that their process printed. */
export async function workIn(logFile: string): Promise<Work[]> {
  const lines = (await readFile(logFile, 'utf8')).split('\n').filter((line) => line.startsWith('{"part"'));
  return lines.flatMap((line) => {
    const read = WORK.validate(JSON.parse(line));
    return read.error === undefined ? [{ fromMs: read.value.from_ms, ms: read.value.ms }] : [];
  });
}
