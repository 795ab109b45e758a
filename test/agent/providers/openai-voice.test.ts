/** Tests a voice with OpenAI's interface, over HTTP from a local server. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { tts } from '@livekit/agents';
import { initializeLogger } from '@livekit/agents';
import '../support/sdk-rejections';
import { OpenAiTts } from '../../../agent/providers/openai-voice';

initializeLogger({ pretty: false, level: 'silent' });

let server: Server;
let requests: Record<string, unknown>[] = [];
let answer: (response: ServerResponse) => void = () => undefined;
const voices: OpenAiTts[] = [];

beforeEach(async () => {
  requests = [];
  server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { authorization } = request.headers;
      requests.push({ path: request.url, authorization, ...JSON.parse(Buffer.concat(pieces).toString()) });
      answer(response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  await Promise.all(voices.splice(0).map((voice) => voice.close()));
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

function voiceOf(): OpenAiTts {
  const { port } = server.address() as AddressInfo;
  const baseURL = `http://127.0.0.1:${port}/v1`;
  const voice = new OpenAiTts({ apiKey: 'key', baseURL, model: 'mouth', voice: 'nova', speed: 2 });
  // An `error` event without a listener would be thrown.
  voice.on('error', () => undefined);
  voices.push(voice);
  return voice;
}

const samples = Int16Array.from({ length: 1_300 }, (_none, at) => at - 650);
const bytes = Buffer.from(samples.buffer);

async function allOf(stream: tts.ChunkedStream): Promise<tts.SynthesizedAudio[]> {
  const all: tts.SynthesizedAudio[] = [];
  for await (const audio of stream) all.push(audio);
  return all;
}

test("requests raw samples with the agent's settings", async () => {
  answer = (response) => response.end(bytes);
  await allOf(voiceOf().synthesize('Good day.'));
  const { path, authorization, ...body } = requests[0] ?? {};
  expect([path, authorization]).toEqual(['/v1/audio/speech', 'Bearer key']);
  expect(body).toEqual({
    model: 'mouth',
    voice: 'nova',
    speed: 2,
    input: 'Good day.',
    response_format: 'pcm',
  });
});

test('yields whole samples in order wherever the response is split, and marks only the last frame as final', async () => {
  answer = (response) => {
    response.write(bytes.subarray(0, 7), () => {
      response.write(bytes.subarray(7, 1_001), () => response.end(bytes.subarray(1_001)));
    });
  };
  const all = await allOf(voiceOf().synthesize('Good day.'));
  expect(all.flatMap(({ frame }) => [...frame.data])).toEqual([...samples]);
  expect(all.map(({ final }) => final)).toEqual([false, false, true]);
  expect(all.map(({ frame }) => frame.sampleRate)).toEqual([24_000, 24_000, 24_000]);
});

test('yields the first audio before the last audio arrives', async () => {
  let finish: () => void = () => undefined;
  answer = (response) => {
    response.write(bytes);
    finish = () => response.end();
  };
  const stream = voiceOf().synthesize('Good day.');
  const first = await stream.next();
  finish();
  expect(first.value?.frame.samplesPerChannel).toBe(480);
  expect(await allOf(stream)).toHaveLength(2);
});

test.each([
  ['rejects the request, without a retry', 1, (response: ServerResponse) => response.writeHead(500).end()],
  ['closes its connection, after one retry', 2, (response: ServerResponse) => response.destroy()],
])('reports an unrecoverable error when the server %s', async (_what, times, respond) => {
  answer = respond;
  const voice = voiceOf();
  const failed = new Promise<{ recoverable: boolean }>((resolve) => voice.on('error', resolve));
  await allOf(voice.synthesize('Good day.')).catch(() => undefined);
  expect((await failed).recoverable).toBe(false);
  expect(requests).toHaveLength(times);
});

test('cancels the request when the voice is closed', async () => {
  const ended = new Promise<void>((resolve) => {
    answer = (response) => {
      response.write(bytes);
      response.once('close', () => resolve());
    };
  });
  const voice = voiceOf();
  await voice.synthesize('Good day.').next();
  await voice.close();
  await ended;
});

test('sends no request after the voice is closed', async () => {
  const voice = voiceOf();
  await voice.close();
  expect(await allOf(voice.synthesize('Good day.'))).toEqual([]);
  expect(requests).toEqual([]);
});
