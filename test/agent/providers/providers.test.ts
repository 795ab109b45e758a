import '../support/sdk-rejections';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { modelsFor } from '../../../agent/providers';
import { indianLanguage, languagesOf } from '../../../agent/providers/languages';
import { SarvamStt, SarvamTts } from '../../../agent/providers/sarvam';
import { voiceOf } from '../../../agent/providers/provider';
import { requestedModels } from '../../../agent/providers/requested-models';
import { frameOf, soundOf } from '../../../agent/audio/sdk-frames';
import { wavHeader } from '../../../agent/audio/pcm';
import { resolveConfig } from '../../../domain/agent-config';
import { NO_SPEECH } from '../support/rig';

const callContext = (senses: object, session: object | null = null): any => ({
  agent: { config: resolveConfig({ persona: { senses_capabilities: senses } }) },
  session,
});
const KEYS = { deepgram: 'd', elevenlabs: 'e', cartesia: 'c', sarvam: 's' };
const VAD: any = { stream: () => ({}) };

describe('requestedModels()', () => {
  const senses = (senses_capabilities: object) =>
    resolveConfig({ persona: { senses_capabilities } }).persona.senses_capabilities;
  const config = (stt: object) => senses({ ears: { stt } });
  const DEFAULT = { provider: 'openai', model: 'whisper-1' };
  test("returns the primary, the fallback, and the platform's default with the portable fields", () => {
    const primary = { provider: 'Deepgram', model: 'nova-3', keywords: ['EMI'], voice_id: 'x' };
    const wanted = requestedModels(config({ primary, fallback: { provider: 'sarvam' } }), 'stt', DEFAULT);
    expect(wanted.map(({ provider, model }) => [provider, model])).toEqual([
      ['deepgram', 'nova-3'],
      ['sarvam', null],
      ['openai', 'whisper-1'],
    ]);
    expect(wanted[2]?.fields).toEqual({ provider: '', model: '', language: '', keywords: ['EMI'] });
  });
  test('returns only the default when the agent names no model, and never lists a model twice', () => {
    expect(requestedModels(config({}), 'stt', DEFAULT)).toMatchObject([DEFAULT]);
    expect(requestedModels(config({ primary: { provider: 'openai' } }), 'stt', DEFAULT)).toHaveLength(1);
    expect(requestedModels(config({ primary: 'openai' }), 'stt', null)).toEqual([]);
  });
  test("uses the agent's voice with the default provider when the agent names a voice but no provider", () => {
    const voiced = senses({ mouth: { tts: { primary: { voice_id: 'onyx' } } } });
    const [only] = requestedModels(voiced, 'tts', { provider: 'openai', model: 'tts-1' });
    expect(only).toMatchObject({ provider: 'openai', model: 'tts-1', fields: { voice_id: 'onyx' } });
  });
});

describe('the languages of a conversation', () => {
  test("prefers the session's languages to the agent's languages", () => {
    const senses = { language: 'en', auto_detect: true };
    expect(languagesOf(callContext(senses))).toEqual({ first: 'en', second: null, detects: true });
    expect(languagesOf(callContext(senses, { primaryLanguage: 'hi', secondaryLanguage: 'en' }))).toEqual({
      first: 'hi',
      second: 'en',
      detects: true,
    });
  });
  test.each([
    ['hi', 'hi-IN'],
    ['or', 'od-IN'],
    ['en-US', 'en-IN'],
    ['fr', null],
  ])('maps %s to %s for Indian providers', (code, known) => expect(indianLanguage(code)).toBe(known));
});

describe('the voice of an agent', () => {
  const { primary } = resolveConfig({}).persona.senses_capabilities.mouth.tts;
  const wanted = (fields: object) => ({ fields: { ...primary, ...fields } });
  const defaults = { female: 'her', male: 'him' };
  const spoken = (fields: object, session: any) => voiceOf(wanted(fields), session, defaults);
  const session = (more: object): any => ({ voiceGender: null, voiceSpeed: null, ...more });
  test('uses the configured voice even if a session requests another gender', () => {
    expect(spoken({ voice_name: 'sage' }, session({ voiceGender: 'male' })).id).toBe('sage');
  });
  test('uses a voice of the requested gender when none is configured, or one for each gender', () => {
    expect(spoken({}, session({ voiceGender: 'male' })).id).toBe('him');
    expect(spoken({}, session({ voiceGender: 'female' })).id).toBe('her');
    const voices = { male: 'm', female: 'f' };
    expect(spoken({ voice_id: 'x', config: { voices } }, session({ voiceGender: 'male' })).id).toBe('m');
  });
  test("prefers the speed that a session requests to the agent's own", () => {
    const fields = { config: { speed: 1.3 } };
    expect(spoken(fields, null).speed).toBe(1.3);
    expect(spoken(fields, session({ voiceSpeed: 0.7 })).speed).toBe(0.7);
  });
});

describe('modelsFor()', () => {
  const all = (provider: string) => ({
    ears: { stt: { primary: { provider } } },
    brain: { llm: { primary: { provider } } },
    mouth: { tts: { primary: { provider } } },
  });
  const made = (senses: object, settings: object = {}) =>
    modelsFor(callContext(senses), { ...NO_SPEECH, ...settings }, { vad: VAD });

  test.each(['deepgram', 'elevenlabs', 'cartesia', 'sarvam'])(
    'creates the models of %s with its key',
    (provider) => {
      const { stt, tts, llm, missing } = made(all(provider), { keys: KEYS });
      expect([stt === null, tts === null, llm === null]).toEqual([false, false, true]);
      expect(missing).toEqual([
        { part: 'llm', why: `the provider does not offer this kind of model: ${provider}` },
      ]);
    },
  );
  test.each(['deepgram', 'elevenlabs', 'cartesia', 'sarvam'])(
    'reports the models of %s as missing without its key',
    (provider) => {
      const { missing } = made(all(provider));
      expect(missing.map(({ part, why }) => [part, /_API_KEY is not set$/.test(why)])).toEqual([
        ['stt', true],
        ['llm', false],
        ['tts', true],
      ]);
    },
  );
  test('creates STT, LLM and TTS for a named OpenAI-compatible server', () => {
    const endpoints = { 'own-gpu': { url: 'http://gpu:9000/v1', apiKey: null } };
    const { stt, tts, llm, missing } = made(all('own-gpu'), { endpoints });
    expect([stt, tts, llm].includes(null)).toBe(false);
    expect(missing).toEqual([]);
  });
  test('creates speech models but no language model for the local provider', () => {
    const endpoints = { local: { url: 'http://127.0.0.1:8790/v1', apiKey: null } };
    const local = { provider: 'local', model: null };
    const defaults = { stt: local, llm: local, tts: local };
    const { stt, tts, missing } = made({}, { endpoints, defaults });
    expect([stt?.label === null, tts?.model]).toEqual([false, 'piper']);
    expect(missing).toEqual([{ part: 'llm', why: 'the provider does not offer this kind of model: local' }]);
  });
  test.each([1, 2])(
    'does not throw when models of %d providers emit errors and no session listens',
    (count) => {
      const one = { provider: 'own-gpu', model: 'a' };
      const choice = count === 1 ? { primary: one } : { primary: one, fallback: { ...one, model: 'b' } };
      const senses = { ears: { stt: choice }, brain: { llm: choice }, mouth: { tts: choice } };
      const endpoints = { 'own-gpu': { url: 'http://gpu:9000/v1', apiKey: null } };
      const { stt, llm, tts } = made(senses, { endpoints }) as any;
      for (const model of [stt, llm, tts])
        expect(() => model.emit('error', { type: 'failed' })).not.toThrow();
    },
  );
  test('reports a model as missing when neither the agent nor the platform names a provider', () => {
    expect(made({}).missing).toEqual(
      ['stt', 'llm', 'tts'].map((part) => ({
        part,
        why: 'the agent names no provider, and no default is set',
      })),
    );
  });
});

describe('Sarvam', () => {
  const requests: { path: string; key: unknown; body: string }[] = [];
  let answers: { status: number; body: object }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url = '', headers } = request;
      requests.push({
        path: url,
        key: headers['api-subscription-key'],
        body: Buffer.concat(chunks).toString('latin1'),
      });
      const { status, body } = answers.shift() ?? { status: 500, body: {} };
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  let url = '';
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());
  beforeEach(() => (requests.length = 0));

  test('recognises a whole utterance, with its language', async () => {
    answers = [
      { status: 200, body: { transcript: 'नमस्ते', language_code: 'hi-IN', language_probability: 0.9 } },
    ];
    const event = await new SarvamStt({ apiKey: 'k', url }, 'saarika:v2.5', 'unknown').recognize([
      frameOf(new Int16Array(1_600)),
      frameOf(new Int16Array(1_600)),
    ]);
    expect(event.alternatives?.[0]).toMatchObject({ text: 'नमस्ते', confidence: 0.9 });
    expect(requests[0]).toMatchObject({ path: '/speech-to-text', key: 'k' });
    expect(requests[0]!.body).toContain('saarika:v2.5');
    expect(requests[0]!.body).toContain('RIFF');
  });

  test('synthesises in the requested language, voice and pace', async () => {
    const samples = Int16Array.from({ length: 2_205 }, (_none, at) => at);
    const wav = Buffer.concat([
      wavHeader({ sampleRate: 22_050, channels: 1, dataBytes: samples.byteLength }),
      Buffer.from(samples.buffer),
    ]);
    answers = [{ status: 200, body: { request_id: 'r', audios: [wav.toString('base64')] } }];
    const voice = { id: 'abhilash', speed: 1.2, config: { pitch: 0.2 } };
    const tts = new SarvamTts({ apiKey: 'k', url }, { model: 'bulbul:v2', voice, language: 'ta-IN' });
    const sound = await tts.synthesize('வணக்கம்').collect();
    expect(soundOf(sound)).toEqual(samples);
    expect(JSON.parse(Buffer.from(requests[0]!.body, 'latin1').toString())).toMatchObject({
      text: 'வணக்கம்',
      target_language_code: 'ta-IN',
      speaker: 'abhilash',
      pace: 1.2,
      pitch: 0.2,
    });
  });

  test('raises an error that does not contain the text when a request is rejected', async () => {
    answers = [{ status: 403, body: { error: 'no such key: k' } }];
    const stt = new SarvamStt({ apiKey: 'k', url }, 'saarika:v2.5', 'hi-IN');
    await expect(stt.recognize(frameOf(new Int16Array(160)))).rejects.toThrow('Sarvam rejected the request');
  });
});
