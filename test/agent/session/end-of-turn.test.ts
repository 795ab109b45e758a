/** Tests the trained end-of-turn model, its thresholds and its failures. */
import { AgentServer, InferenceRunner, normalizeLanguage, ServerOptions } from '@livekit/agents';
import { initializeLogger } from '@livekit/agents';
import {
  EndOfTurnDetector,
  endOfTurnThreshold,
  isEndOfTurnLanguage,
  IncompleteEntryDetector,
} from '../../../agent/session/turns/end-of-turn';
import { END_OF_TURN_METHOD, EndOfTurnModel } from '../../../agent/session/turns/end-of-turn-model';
import { turnHandlingFor } from '../../../agent/session/turns/turn-handling';
import { chooseTurnDetector, leaveOutModel } from '../../../agent/worker/end-of-turn-process';
import { endOfTurnInThisProcess } from '../../../dev/local-models/end-of-turn';
import { resolveConfig } from '../../../domain/agent-config';

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

/** Returns a model that has answered the probe and uses `executor` from then on. */
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

/** Returns the SDK's turn handling for a conversation whose model answers. */
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

/** Returns what the SDK receives at a pause. */
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

describe('the end-of-turn threshold', () => {
  test("returns a lower threshold for a fast agent than for a balanced one, in proportion to the language's default", () => {
    const of = (language: string) =>
      (['balanced', 'fast'] as const).map((eagerness) =>
        endOfTurnThreshold(language, { eagerness, isPatient: false })!.toFixed(3),
      );
    expect(of('en')).toEqual(['0.360', '0.270']);
    expect(of('hi-IN')).toEqual(['0.305', '0.229']);
  });

  test("raises the threshold for a patient agent, so that a fast patient agent gets a balanced agent's threshold", () => {
    const of = (eagerness: 'balanced' | 'fast', isPatient: boolean) =>
      endOfTurnThreshold('en', { eagerness, isPatient })!;
    expect(of('fast', true)).toBe(of('balanced', false));
    expect(of('balanced', true)).toBeGreaterThan(of('balanced', false));
  });

  test('supports fourteen languages in any region and case, and no others', () => {
    const codes = 'ar de en es fr hi id it ja ko nl pt tr zh'.split(' ');
    expect([...codes, 'EN-gb', 'zh_TW'].filter((code) => !isEndOfTurnLanguage(code))).toEqual([]);
    expect(['ta-IN', 'te', 'ru', 'multi', '', null].filter(isEndOfTurnLanguage)).toEqual([]);
  });
});

describe('the wait at a pause', () => {
  test.each([
    ['balanced', 500, 1_500],
    ['fast', 200, 1_000],
  ])(
    'lets a %s agent answer after %i ms, or after %i ms if the speaker sounds unfinished',
    async (...row) => {
      const [eagerness_to_speak, minDelay, maxDelay] = row;
      expect(await judged({ style: { eagerness_to_speak } })).toMatchObject({ minDelay, maxDelay });
    },
  );

  test('uses only silence for a slow agent, and also the words for a patient slow agent', async () => {
    const slow = (isPatient: boolean) =>
      handlingOf({
        style: { eagerness_to_speak: 'slow', patience_with_user_entries: { enabled: isPatient } },
      });
    expect((await slow(false)).turnDetection).toBe('vad');
    expect((await slow(true)).turnDetection).toBeInstanceOf(IncompleteEntryDetector);
  });

  test('makes a patient agent wait for the rest of an incomplete entry, even if it sounds finished', async () => {
    const style = { patience_with_user_entries: { wait_seconds: 8 } };
    const { threshold, maxDelay } = await judged({ style, words: 'My number is 98765' });
    expect(threshold).toBeGreaterThan(1);
    expect(maxDelay).toBe(8_000);
    expect(await judged({ style, words: 'I live here.' })).toMatchObject({ maxDelay: 1_500 });
  });

  test('never waits longer than configured', async () => {
    const wait = (eagerness_to_speak: string) =>
      judged({ style: { eagerness_to_speak, patience_with_user_entries: { wait_seconds: 1 } } });
    expect(await wait('balanced')).toMatchObject({ maxDelay: 1_000 });
    expect(await wait('fast')).toMatchObject({ maxDelay: 1_000 });
  });

  test('ignores the words for an agent without patience', async () => {
    expect(await judged({ words: 'and' })).toMatchObject({ threshold: 0.36, maxDelay: 1_500 });
  });

  test("prefers the recognised language to the agent's", async () => {
    expect((await judged({ language: 'en', recognised: 'it' })).threshold).toBe(0.23);
    expect((await judged({ language: 'ta', recognised: 'de-DE' })).threshold).toBe(0.245);
  });

  test.each([
    ['finished', 0.9, 500, {}],
    ['unfinished', 0.1, 1_500, {}],
    ['unfinished, by the words', 0.9, 8_000, { patience_with_user_entries: { wait_seconds: 8 } }],
  ])('logs the judgement and the silence: %s', async (judgement, probability, silenceMs, style) => {
    const model = await loadedWith(answering(probability));
    const { turnDetection } = turnHandlingFor(
      resolveConfig({ experience: { conversational_experience: style } }),
      { model, language: 'en', words: () => 'My number is 98765', setMaxDelay: () => {} },
    );
    if (!(turnDetection instanceof EndOfTurnDetector)) throw new Error('the agent does not use the model');
    await turnDetection.unlikelyThreshold();
    // The model has not answered yet, so no pause is logged.
    expect(debug).not.toHaveBeenCalled();
    await model.doInference('any', {});
    await turnDetection.unlikelyThreshold();
    const fields = { judgement: judgement.split(',')[0], silence_ms: silenceMs };
    expect(debug.mock.calls).toEqual([[fields, 'a pause is judged']]);
  });

  test('uses only silence in a language the model was not trained in, and also the words for a patient agent', async () => {
    expect((await judged({ language: 'en', recognised: 'ta' })).threshold).toBe(0);
    expect((await judged({ language: null })).threshold).toBe(0);
    const style = { patience_with_user_entries: { enabled: true } };
    expect((await judged({ style, language: 'ta', words: 'और' })).threshold).toBeGreaterThan(1);
  });
});

describe("a model that doesn't respond", () => {
  test.each([
    ['the worker has no executor because the model is left out', failing],
    ['the model fails, which the SDK reports as 0', answering(0)],
  ])(
    'logs once that the model does not answer, and ends the turn at every pause: %s',
    async (_what, executor) => {
      const model = new EndOfTurnModel(executor, LOG);
      expect(await model.answers).toBe(false);
      expect(await model.doInference('any', {})).toMatchObject({ probability: 1 });
      expect(warn.mock.calls).toEqual([
        [{}, "the end-of-turn model isn't responding: only silence and words end a turn"],
      ]);
    },
  );

  test('ends the turn at every pause while the model starts, without counting failures', async () => {
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

  test('ends the turn at every pause when the model fails, and stops calling it after three failures in a row', async () => {
    const doInference = jest.fn(failing.doInference);
    const model = await loadedWith({ doInference });
    for (let nth = 0; nth < 5; nth += 1)
      expect(await model.doInference('any', {})).toMatchObject({ probability: 1 });
    expect(doInference).toHaveBeenCalledTimes(3);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test('keeps using the model after a failure between answers', async () => {
    let requestCount = 0;
    const model = await loadedWith({
      doInference: () =>
        ++requestCount % 2 === 0 ? Promise.resolve({ probability: 0.1 }) : failing.doInference(),
    });
    const answers: unknown[] = [];
    for (let nth = 0; nth < 8; nth += 1)
      answers.push(((await model.doInference('any', {})) as { probability: number }).probability);
    expect(answers).toEqual([1, 0.1, 1, 0.1, 1, 0.1, 1, 0.1]);
    expect(warn).not.toHaveBeenCalled();
  });

  test("counts a model that doesn't respond as failed before the SDK gives up", async () => {
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

describe('the start of the agent', () => {
  test('uses the model when it runs on this machine, and logs the decision', async () => {
    expect(await chooseTurnDetector('local', LOG, () => Promise.resolve())).toBe('local');
    expect(info.mock.calls).toEqual([[{}, "LiveKit's model decides the end of a turn"]]);
  });

  test('falls back to silence and words when the model does not run, and logs the decision', async () => {
    expect(await chooseTurnDetector('local', LOG, () => Promise.reject(new Error('no such module')))).toBe(
      'off',
    );
    expect(warn.mock.calls).toEqual([
      [
        { error: 'Error' },
        "only silence and words end a turn, because the end-of-turn model doesn't run on this machine",
      ],
    ]);
  });

  test('does not load the model with AGENT_TURN_DETECTOR=off', async () => {
    const probe = jest.fn();
    expect(await chooseTurnDetector('off', LOG, probe)).toBe('off');
    expect(probe).not.toHaveBeenCalled();
  });

  test('starts no model process and prevents the SDK from adding one when the model is left out', () => {
    leaveOutModel();
    expect(Object.keys(InferenceRunner.registeredRunners)).toEqual([]);
    // The SDK registers its own runner unless this is truthy.
    expect(InferenceRunner.registeredRunners[END_OF_TURN_METHOD]).toBeTruthy();
    const server = new AgentServer(
      new ServerOptions({ agent: __filename, wsURL: 'ws://localhost:1', apiKey: 'k', apiSecret: 's' }),
    );
    expect(server.activeJobs).toEqual([]);
    expect(Object.keys(InferenceRunner.registeredRunners)).toEqual([]);
  });
});

test('judges sound with the real model on this machine', async () => {
  expect(await chooseTurnDetector('local', LOG)).toBe('local');
  // Calls the executor directly. A conversation's time limit would be too short, because the model must be loaded first.
  const pcm = Buffer.alloc(2 * 19_200).toString('base64');
  const answer = await endOfTurnInThisProcess().doInference(END_OF_TURN_METHOD, { pcm });
  const { probability } = answer as { probability: number };
  expect(probability).toBeGreaterThan(0);
  expect(probability).toBeLessThan(1);
  expect(await new EndOfTurnModel({ doInference: () => Promise.resolve(answer) }, LOG).answers).toBe(true);
});
