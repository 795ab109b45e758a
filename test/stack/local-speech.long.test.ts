/**
 * Tests the HTTP API of the local speech models, with fake models that need no packages. It's a long test, because the short run of this
 * layer has no Python.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { repositoryRoot } from '../../dev/stack/repository';
import { describeWith } from '../servers/availability';
import { published } from '../servers/published';

describeWith('python', 'local speech', () => {
  let server: ChildProcess;
  let url: string;
  const logged: string[] = [];

  beforeAll(async () => {
    const path = join(repositoryRoot(), 'dev', 'local-models', 'python');
    server = spawn(published('TEST_PYTHON'), [join(__dirname, 'support', 'fake-speech-models.py')], {
      env: { ...process.env, PYTHONPATH: path, PYTHONDONTWRITEBYTECODE: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (server.stdout === null) throw new Error('the process has no output');
    const lines = createInterface(server.stdout);
    const [port] = (await once(lines, 'line')) as [string];
    lines.on('line', (line) => logged.push(line));
    url = `http://127.0.0.1:${port}/v1`;
  });
  afterAll(async () => {
    server.kill();
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  });

  const transcribe = (fields: Record<string, string | Blob>): Promise<Response> => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    return fetch(`${url}/audio/transcriptions`, { method: 'POST', body: form });
  };
  const speak = (body: unknown): Promise<Response> =>
    fetch(`${url}/audio/speech`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const file = new Blob([Buffer.alloc(1000, 7)]);
  const errorOf = async (response: Response): Promise<unknown[]> => {
    const { error } = (await response.json()) as { error: { message: string; param: string | null } };
    return [response.status, error.param, error.message];
  };

  test('transcribes a file in the given language with a prompt, and returns JSON or text', async () => {
    const wish = { file, model: 'whisper-1', language: 'en-US', prompt: 'EMI' };
    expect(await (await transcribe(wish)).json()).toEqual({ text: '1000 bytes, en, EMI' });
    const plain = await transcribe({ file, model: 'any', response_format: 'text' });
    expect(await plain.text()).toBe('1000 bytes, None, None');
  });

  test('returns speech as raw samples or a WAV file, with a length that depends on the speed', async () => {
    const pcm = await speak({ input: 'Hello', model: 'tts-1', voice: 'nova', response_format: 'pcm' });
    expect([pcm.status, (await pcm.arrayBuffer()).byteLength]).toEqual([200, 1000]);
    const fast = await speak({ input: 'Hello', speed: 2, response_format: 'pcm' });
    expect((await fast.arrayBuffer()).byteLength).toBe(500);
    const wav = Buffer.from(await (await speak({ input: 'Hello' })).arrayBuffer());
    expect([wav.toString('latin1', 0, 4), wav.readUInt32LE(24), wav.length]).toEqual(['RIFF', 24_000, 1044]);
  });

  test("rejects invalid requests in OpenAI's format, with the name of the invalid field", async () => {
    expect(await errorOf(await transcribe({ file, language: 'hi' }))).toEqual([
      400,
      'language',
      'ears understands English only, not hi.',
    ]);
    expect(await errorOf(await transcribe({ model: 'x' }))).toEqual([400, 'file', expect.any(String)]);
    expect(await errorOf(await speak({ input: '' }))).toEqual([400, 'input', expect.any(String)]);
    expect(await errorOf(await speak({ input: 'Hi', speed: 9 }))).toEqual([400, 'speed', expect.any(String)]);
    expect(await errorOf(await speak({ input: 'Hi', response_format: 'mp3' }))).toEqual([
      400,
      'response_format',
      expect.any(String),
    ]);
    expect(await errorOf(await speak([]))).toEqual([400, null, expect.any(String)]);
    expect((await fetch(`${url}/nowhere`)).status).toBe(404);
  });

  test('lists both models, and logs processing times but nothing that was said', async () => {
    const { data } = (await (await fetch(`${url}/models`)).json()) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toEqual(['ears', 'mouth']);
    const work = logged.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(work.length).toBeGreaterThan(4);
    for (const line of work) expect(Object.keys(line)).toEqual(['part', 'from_ms', 'ms']);
  });

  test('replaces models by those in a folder, keeps the others, and rejects two of a kind', () => {
    const models = mkdtempSync(join(tmpdir(), 'models-'));
    const path = join(repositoryRoot(), 'dev', 'local-models', 'python');
    const script = `from main import replacing as r; print([r(m, *k) for m in (${JSON.stringify(models)}, None) for k in (('recogniser',), ('voice', '.onnx'))])`;
    const chosen = () => {
      const env = { ...process.env, PYTHONPATH: path, PYTHONDONTWRITEBYTECODE: '1' };
      const { status, stdout } = spawnSync(published('TEST_PYTHON'), ['-c', script], { env });
      return [status, stdout.toString().trim()];
    };
    try {
      expect(chosen()).toEqual([0, '[None, None, None, None]']);
      mkdirSync(join(models, 'voice'));
      for (const name of ['joe.onnx', 'joe.onnx.json']) writeFileSync(join(models, 'voice', name), '');
      expect(chosen()).toEqual([0, `[None, '${join(models, 'voice', 'joe.onnx')}', None, None]`]);
      writeFileSync(join(models, 'voice', 'ann.onnx'), '');
      expect(chosen()).toEqual([1, '']);
    } finally {
      rmSync(models, { recursive: true });
    }
  });
});
