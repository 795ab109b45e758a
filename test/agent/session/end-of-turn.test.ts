/** The trained model for the end of a turn: its thresholds, what happens where it does not answer, and the model itself. */
import { AgentServer, InferenceRunner, normalizeLanguage, ServerOptions } from '@livekit/agents';
import { initializeLogger } from '../../../agent/session/voice/sdk-logger';
import { EndOfTurnDetector } from '../../../agent/session/turns/end-of-turn-detector';
import { END_OF_TURN_METHOD, EndOfTurnModel } from '../../../agent/session/turns/end-of-turn-model';
import { endOfTurnThreshold, isEndOfTurnLanguage } from '../../../agent/session/turns/end-of-turn-threshold';
import { IncompleteEntryDetector } from '../../../agent/session/turns/incomplete-entry';
import { turnHandlingFor } from '../../../agent/session/turns/turn-handling';
import { chooseTurnDetector, leaveOutModel } from '../../../agent/worker/end-of-turn-process';
import { endOfTurnInThisProcess } from '../../../dev/local-models/end-of-turn';
import { resolveConfig } from '../../../domain/agent-config';

// The SDK requires a logger.
initializeLogger({ pretty: false, level: 'silent' });

const warn = jest.fn();
const info = jest.fn();
const debug = jest.fn();
const LOG = { debug, info, warn, error: () => undefined };
beforeEach(() => {
  debug.mockClear();
  warn.mockClear();
  info.mockClear();
});

const answering = (probability: number) => ({ doInference: () => Promise.resolve({ probability }) });
const failing = { doInference: () => Promise.reject(new Error('no inference executor')) };

/** The model answered the probe, and from then on as `executor` does. */
async function loadedWith(executor: { doInference: () => Promise<unknown> }): Promise<EndOfTurnModel> {
  let current: { doInference: () => Promise<unknown> } = answering(0.4);
  const model = new EndOfTurnModel({ doInference: () => current.doInference() }, LOG);
  await model.answers;
  current = executor;
  return model;
}

interface Pause {
  style?: object;
  language?: string | null;
  recognised?: string;
  words?: string;
}

/** What the SDK is given for a conversation whose model answers. */
async function handlingOf(
  { style = {}, language = 'en', words = '' }: Pause,
  setMaxDelay = (_ms: number) => {},
) {
  return turnHandlingFor(resolveConfig({ experience: { conversational_experience: style } }), {
    model: await loadedWith(answering(0.4)),
    language,
    words: () => words,
    setMaxDelay,
  });
}

/** What the SDK is given at a pause. */
async function judged(pause: Pause) {
  let maxDelay: number | null = null;
  const { turnDetection, endpointing } = await handlingOf(pause, (ms) => (maxDelay = ms));
  if (!(turnDetection instanceof EndOfTurnDetector)) throw new Error('the agent does not use the model');
  const stream = turnDetection.stream();
  const { recognised } = pause;
  const threshold = await stream.unlikelyThreshold(
    recognised === undefined ? undefined : normalizeLanguage(recognised),
  );
  await stream.aclose();
  return { threshold, maxDelay, minDelay: endpointing?.minDelay };
}

describe('thresholds', () => {
  test('a fast agent takes more pauses for the end than a balanced one; both are relative to the language', () => {
    const of = (language: string) =>
      (['balanced', 'fast'] as const).map((eagerness) =>
        endOfTurnThreshold(language, { eagerness, isPatient: false })!.toFixed(3),
      );
    expect(of('en')).toEqual(['0.360', '0.270']);
    expect(of('hi-IN')).toEqual(['0.305', '0.229']);
  });

  test('a patient agent takes fewer: a fast one as many as a balanced one', () => {
    const of = (eagerness: 'balanced' | 'fast', isPatient: boolean) =>
      endOfTurnThreshold('en', { eagerness, isPatient })!;
    expect(of('fast', true)).toBe(of('balanced', false));
    expect(of('balanced', true)).toBeGreaterThan(of('balanced', false));
  });

  test('fourteen languages are supported, in any region and case; no other, and no unknown one', () => {
    const codes = 'ar de en es fr hi id it ja ko nl pt tr zh'.split(' ');
    expect([...codes, 'EN-gb', 'zh_TW'].filter((code) => !isEndOfTurnLanguage(code))).toEqual([]);
    expect(['ta-IN', 'te', 'ru', 'multi', '', null].filter(isEndOfTurnLanguage)).toEqual([]);
  });
});

describe('at a pause', () => {
  test.each([
    ['balanced', 500, 1_500],
    ['fast', 200, 1_000],
  ])('a %s agent waits %i ms, and %i ms where the speaker does not sound finished', async (...row) => {
    const [eagerness_to_speak, minDelay, maxDelay] = row;
    expect(await judged({ style: { eagerness_to_speak } })).toMatchObject({ minDelay, maxDelay });
  });

  test('a slow agent goes by silence, and a patient slow one by words too, whatever the speaker sounds like', async () => {
    const slow = (isPatient: boolean) =>
      handlingOf({
        style: { eagerness_to_speak: 'slow', patience_with_user_entries: { enabled: isPatient } },
      });
    expect((await slow(false)).turnDetection).toBe('vad');
    expect((await slow(true)).turnDetection).toBeInstanceOf(IncompleteEntryDetector);
  });

  test('a patient agent waits for the rest of an incomplete entry whatever it sounds like', async () => {
    const style = { patience_with_user_entries: { wait_seconds: 8 } };
    const { threshold, maxDelay } = await judged({ style, words: 'My number is 98765' });
    expect(threshold).toBeGreaterThan(1);
    expect(maxDelay).toBe(8_000);
    expect(await judged({ style, words: 'I live here.' })).toMatchObject({ maxDelay: 1_500 });
  });

  test('no wait is longer than the one that the client has chosen', async () => {
    const wait = (eagerness_to_speak: string) =>
      judged({ style: { eagerness_to_speak, patience_with_user_entries: { wait_seconds: 1 } } });
    expect(await wait('balanced')).toMatchObject({ maxDelay: 1_000 });
    expect(await wait('fast')).toMatchObject({ maxDelay: 1_000 });
  });

  test('an agent without patience does not look at the words', async () => {
    expect(await judged({ words: 'and' })).toMatchObject({ threshold: 0.36, maxDelay: 1_500 });
  });

  test('the language that is recognised counts before that of the agent', async () => {
    expect((await judged({ language: 'en', recognised: 'it' })).threshold).toBe(0.23);
    expect((await judged({ language: 'ta', recognised: 'de-DE' })).threshold).toBe(0.245);
  });

  test.each([
    ['finished', 0.9, 500, {}],
    ['unfinished', 0.1, 1_500, {}],
    ['unfinished, by the words', 0.9, 8_000, { patience_with_user_entries: { wait_seconds: 8 } }],
  ])('the log has the judgement and the silence: %s', async (judgement, probability, silenceMs, style) => {
    const model = await loadedWith(answering(probability));
    const { turnDetection } = turnHandlingFor(
      resolveConfig({ experience: { conversational_experience: style } }),
      { model, language: 'en', words: () => 'My number is 98765', setMaxDelay: () => {} },
    );
    if (!(turnDetection instanceof EndOfTurnDetector)) throw new Error('the agent does not use the model');
    await turnDetection.unlikelyThreshold();
    // Nothing is judged before the model has answered.
    expect(debug).not.toHaveBeenCalled();
    await model.doInference('any', {});
    await turnDetection.unlikelyThreshold();
    const fields = { judgement: judgement.split(',')[0], silence_ms: silenceMs };
    expect(debug.mock.calls).toEqual([[fields, 'a pause is judged']]);
  });

  test('in a language that the model was not trained in, silence decides, and a patient agent also by words', async () => {
    expect((await judged({ language: 'en', recognised: 'ta' })).threshold).toBe(0);
    expect((await judged({ language: null })).threshold).toBe(0);
    const style = { patience_with_user_entries: { enabled: true } };
    expect((await judged({ style, language: 'ta', words: 'और' })).threshold).toBeGreaterThan(1);
  });
});

describe('where the model does not answer', () => {
  test.each([
    ['the executor is missing, as in a worker that has left the model out', failing],
    ['the model fails, which the SDK reports as 0', answering(0)],
  ])('logs it once, and takes each pause for the end: %s', async (_what, executor) => {
    const model = new EndOfTurnModel(executor, LOG);
    expect(await model.answers).toBe(false);
    expect(await model.doInference('any', {})).toMatchObject({ probability: 1 });
    expect(warn.mock.calls).toEqual([
      [{}, 'end of turn by silence and words: the model for it does not answer'],
    ]);
  });

  test('takes pauses for the end while the process of the model starts, and counts none as a failure', async () => {
    let begin = (_answer: unknown): void => undefined;
    const started = new Promise((resolve) => (begin = resolve));
    const model = new EndOfTurnModel({ doInference: () => started }, LOG);
    jest.useFakeTimers();
    try {
      for (let nth = 0; nth < 4; nth += 1) {
        const answer = model.doInference('any', {});
        await jest.advanceTimersByTimeAsync(700);
        expect(await answer).toMatchObject({ probability: 1 });
      }
    } finally {
      jest.useRealTimers();
    }
    begin({ probability: 0.2 });
    expect(await model.answers).toBe(true);
    expect(await model.doInference('any', {})).toMatchObject({ probability: 0.2 });
    expect(warn).not.toHaveBeenCalled();
  });

  test('each pause counts as the end, as without the model, and three failures in a row end the asking', async () => {
    const doInference = jest.fn(failing.doInference);
    const model = await loadedWith({ doInference });
    for (let nth = 0; nth < 5; nth += 1)
      expect(await model.doInference('any', {})).toMatchObject({ probability: 1 });
    expect(doInference).toHaveBeenCalledTimes(3);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test('a failure between answers ends nothing', async () => {
    let asked = 0;
    const model = await loadedWith({
      doInference: () => (++asked % 2 === 0 ? Promise.resolve({ probability: 0.1 }) : failing.doInference()),
    });
    const answers: unknown[] = [];
    for (let nth = 0; nth < 8; nth += 1)
      answers.push(((await model.doInference('any', {})) as { probability: number }).probability);
    expect(answers).toEqual([1, 0.1, 1, 0.1, 1, 0.1, 1, 0.1]);
    expect(warn).not.toHaveBeenCalled();
  });

  test('a request without an answer counts as a failure before the SDK gives up', async () => {
    const model = await loadedWith({ doInference: () => new Promise(() => undefined) });
    jest.useFakeTimers();
    try {
      const answer = model.doInference('any', {});
      await jest.advanceTimersByTimeAsync(700);
      expect(await answer).toMatchObject({ probability: 1 });
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('at the start of the agent', () => {
  test('the model is used when it runs, and the log says so', async () => {
    expect(await chooseTurnDetector('local', LOG, () => Promise.resolve())).toBe('local');
    expect(info.mock.calls).toEqual([[{}, "end of turn by LiveKit's model"]]);
  });

  test('a model that does not run leaves silence and words, and the log says so', async () => {
    expect(await chooseTurnDetector('local', LOG, () => Promise.reject(new Error('no such module')))).toBe(
      'off',
    );
    expect(warn.mock.calls).toEqual([
      [{ error: 'Error' }, 'end of turn by silence and words: the model for it does not run here'],
    ]);
  });

  test('AGENT_TURN_DETECTOR=off does not load it', async () => {
    const probe = jest.fn();
    expect(await chooseTurnDetector('off', LOG, probe)).toBe('off');
    expect(probe).not.toHaveBeenCalled();
  });

  test('left out, it is no runner for which the SDK would start a process, and the SDK does not add it', () => {
    leaveOutModel();
    expect(Object.keys(InferenceRunner.registeredRunners)).toEqual([]);
    // The SDK registers its own unless this is truthy.
    expect(InferenceRunner.registeredRunners[END_OF_TURN_METHOD]).toBeTruthy();
    const server = new AgentServer(
      new ServerOptions({ agent: __filename, wsURL: 'ws://localhost:1', apiKey: 'k', apiSecret: 's' }),
    );
    expect(server.activeJobs).toEqual([]);
    expect(Object.keys(InferenceRunner.registeredRunners)).toEqual([]);
  });
});

test('the model on this machine judges sound, and one real inference shows at the start that it runs', async () => {
  expect(await chooseTurnDetector('local', LOG)).toBe('local');
  // Without the limit of a conversation: here it is loaded first.
  const pcm = Buffer.alloc(2 * 19_200).toString('base64');
  const answer = await endOfTurnInThisProcess().doInference(END_OF_TURN_METHOD, { pcm });
  const { probability } = answer as { probability: number };
  expect(probability).toBeGreaterThan(0);
  expect(probability).toBeLessThan(1);
  expect(await new EndOfTurnModel({ doInference: () => Promise.resolve(answer) }, LOG).answers).toBe(true);
});
