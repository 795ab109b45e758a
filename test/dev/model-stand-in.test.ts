import { startModelStandIn, type ModelStandIn } from '../../dev/model-stand-in/server';
import { speechLike } from '../../dev/model-stand-in/speech';

let models: ModelStandIn;
beforeAll(async () => {
  models = await startModelStandIn();
});
afterAll(() => models.close());

const post = (path: string, body: object) =>
  fetch(`${models.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer key-1' },
    body: JSON.stringify(body),
  });
const ask = async (model: string, text: string): Promise<any> =>
  (await post('/chat/completions', { model, messages: [{ role: 'user', content: text }] })).json();

describe('the stand-in for a model server', () => {
  test("repeats the user's message without a script, and records its requests", async () => {
    const answer = await ask('echo', 'Is the clinic open?');
    expect(answer.choices[0].message.content).toBe('Is the clinic open?');
    expect(models.requests('echo')).toMatchObject([
      { path: '/v1/chat/completions', authorization: 'Bearer key-1', body: { model: 'echo' } },
    ]);
  });

  test('returns the replies of a script in order and repeats the last one', async () => {
    models.script('two', [{ text: 'first' }, { text: 'second' }]);
    const answers = [];
    for (let nth = 0; nth < 3; nth += 1) answers.push((await ask('two', '?')).choices[0].message.content);
    expect(answers).toEqual(['first', 'second', 'second']);
  });

  test('streams a reply in pieces, with an end and its usage', async () => {
    models.script('stream', [{ text: 'Yes, until six in the evening.' }]);
    const text = await (await post('/chat/completions', { model: 'stream', stream: true })).text();
    const events = text.trim().split('\n\n');
    expect(events.at(-1)).toBe('data: [DONE]');
    const chunks = events.slice(0, -1).map((event) => JSON.parse(event.slice('data: '.length)));
    const deltas = chunks.flatMap(({ choices }) => choices).map(({ delta }: any) => delta.content ?? '');
    expect(deltas.length).toBeGreaterThan(3);
    expect(deltas.join('')).toBe('Yes, until six in the evening.');
    expect(chunks.at(-1).usage.completion_tokens).toBeGreaterThan(0);
  });

  test('returns tool calls', async () => {
    models.script('tools', [{ toolCalls: [{ name: 'end_call', arguments: { why: 'done' } }] }]);
    const { choices } = await ask('tools', 'bye');
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ function: { name: 'end_call', arguments: '{"why":"done"}' } }] },
    });
  });

  test('returns scripted errors and cuts streams', async () => {
    models.script('down', [{ status: 503 }]);
    expect((await post('/chat/completions', { model: 'down' })).status).toBe(503);
    models.script('cut', [{ text: 'one two three four five six', cutAfterPieces: 2 }]);
    const answer = await post('/chat/completions', { model: 'cut', stream: true });
    await expect(answer.text()).rejects.toThrow();
  });

  test('transcribes an audio file as scripted', async () => {
    models.script('ears', [{ text: 'hello there' }]);
    const form = new FormData();
    form.set('model', 'ears');
    form.set('file', new Blob([new Uint8Array(320)]), 'sound.wav');
    const answer = await fetch(`${models.url}/audio/transcriptions`, { method: 'POST', body: form });
    expect(await answer.json()).toEqual({ text: 'hello there' });
    expect(models.requests('ears')[0]?.body).toEqual({ model: 'ears', file: 320 });
  });

  test('speaks longer texts for longer', async () => {
    const bytesOf = async (input: string) =>
      (await (await post('/audio/speech', { model: 'mouth', input })).arrayBuffer()).byteLength;
    const [short, long] = [await bytesOf('Good morning'), await bytesOf('Good morning, this is the clinic')];
    expect(short).toBe(2 * 24_000 * 0.72);
    expect(long).toBeGreaterThan(short * 2);
  });

  test('generates sound that is loud in its syllables and quiet between them', () => {
    const sound = speechLike(180, 16_000);
    const loudest = (samples: Int16Array) => samples.reduce((max, each) => Math.max(max, Math.abs(each)), 0);
    expect(loudest(sound.subarray(600, 1_800))).toBeGreaterThan(10_000);
    expect(loudest(sound.subarray(-80))).toBeLessThan(3_000);
  });
});
