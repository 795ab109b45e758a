import { resolveConfig, type AgentConfig } from '../../domain/agent-config';
import type { TranscriptSegment } from '../../domain/transcript';
import { analyse, type AnalysisInput } from '../../domain/transcript-analysis';

/** Each turn takes two seconds, with half a second in between. */
const talk = (...turns: [TranscriptSegment['speaker'], string][]): TranscriptSegment[] =>
  turns.map(([speaker, text], index) => ({
    speaker,
    text,
    startMs: index * 2_500,
    endMs: index * 2_500 + 2_000,
  }));

const analysisOf = (analysis: AgentConfig['analysis']) => resolveConfig({ analysis }).analysis;
const analysed = (segments: TranscriptSegment[], input: Partial<AnalysisInput> = {}) =>
  analyse({ segments, answeredBy: 'human', callStatus: 'completed', config: analysisOf(null), ...input });
const userSays = (text: string, config = analysisOf(null)) =>
  analysed(talk(['agent', 'Hello, shall we talk about the loan?'], ['user', text]), { config });

describe('a request for a callback', () => {
  test.each([
    'Please call me back.',
    'I am driving, can you call me later?',
    'Could you call me back in a minute?',
    'Call me in a minute, please',
    'Ring me again this evening',
    'Abhi busy hoon, baad mein call karo',
    'Kal call karna',
  ])('detects a callback request in "%s"', (text) => {
    expect(userSays(text)).toMatchObject({ callbackRequested: true, outcome: 'callback_requested' });
  });
});

describe('an opt-out from future calls in a transcript', () => {
  const asked = { ...analysisOf(null), do_not_call: true };

  test("detects an opt-out if the agent's configuration enables it, and prevents a callback", () => {
    const callback = { at: null };
    const segments = talk(['agent', 'Shall I call later?'], ['user', 'Please never call me again']);
    expect(analysed(segments, { config: asked, callback })).toMatchObject({
      doNotCall: true,
      callbackRequested: false,
      callbackAt: null,
    });
    expect(analysed(segments, { callback })).toMatchObject({ doNotCall: false, callbackRequested: true });
  });

  test('ignores an opt-out from an answering machine or the agent', () => {
    const machine = talk(['user', 'Do not call me again'], ['agent', 'Hello']);
    expect(analysed(machine, { config: asked, answeredBy: 'machine' }).doNotCall).toBe(false);
    expect(
      analysed(talk(['agent', 'Never call me again'], ['user', 'Yes']), { config: asked }).doNotCall,
    ).toBe(false);
  });
});

describe('words that request no callback', () => {
  test.each([
    "Please don't call me back.",
    'Never call me again',
    'I will call you back',
    'Mujhe baad mein call mat karna',
    'Yes, go ahead',
  ])('detects no callback request in "%s"', (text) => {
    expect(userSays(text).callbackRequested).toBe(false);
  });

  test('ignores a callback that the agent offers', () => {
    expect(
      analysed(talk(['agent', 'Shall I call you? Say call me back.'], ['user', 'That is fine']))
        .callbackRequested,
    ).toBe(false);
  });

  test('ignores a callback request from an answering machine', () => {
    const segments = talk(['user', 'Leave a message or call me back later'], ['agent', 'Hello']);
    expect(analysed(segments, { answeredBy: 'machine', callStatus: 'voicemail' })).toMatchObject({
      callbackRequested: false,
      outcome: 'voicemail',
      evalTag: 'not enough data',
      summary: 'An answering machine took the call.',
    });
  });
});

describe('the outcome of a conversation', () => {
  test.each([
    ['yes', 'Yes, that sounds good', 'interested'],
    ['no', 'No, no thanks', 'not_interested'],
    ['a refusal that holds a word of agreement', 'I am not interested', 'not_interested'],
    ['a change of mind', 'No. Well, okay then', 'interested'],
    ['a courtesy after agreement', 'Yes please. No problem', 'interested'],
    ['yes in Hindi', 'Haan ji, theek hai', 'interested'],
    ['no in Hindi', 'Mujhe nahi chahiye', 'not_interested'],
    ['neither', 'Which bank are you from', 'conversation_completed'],
    ['words that only contain an answer', 'Nothing known yesterday', 'conversation_completed'],
  ])('uses the last clear answer: %s', (_what, text, outcome) => {
    expect(userSays(text).outcome).toBe(outcome);
  });

  test('returns no_conversation if no one spoke', () => {
    expect(analysed([])).toMatchObject({
      outcome: 'no_conversation',
      evalTag: 'not enough data',
      tags: [],
      entity: {},
    });
  });

  test('returns dropped for a lost connection', () => {
    const dropped = analysed(talk(['user', 'Hello who is there']), { callStatus: 'error' });
    expect(dropped.outcome).toBe('dropped');
    expect(dropped.summary).toContain('The connection was lost.');
  });
});

describe('a data point in a transcript', () => {
  const collect = (values: unknown[] | null, nullable = true) =>
    analysisOf({
      extraction: {
        data_collection: {
          enabled: true,
          data_points: [{ name: 'plan', prompt: 'Which plan?', values, nullable }],
        },
      },
    });

  test.each([
    ['a value the user mentioned is found', ['gold', 'silver'], 'The Gold one please', 'gold'],
    ['the last mention wins', ['gold', 'silver'], 'Gold. No wait, silver', 'silver'],
    ['the longer value wins over one inside it', ['gold', 'gold plus'], 'I take gold plus', 'gold plus'],
    ['underscores count as spaces', ['home_loan'], 'A home loan please', 'home_loan'],
    ['a number stays a number', [12, 24], 'For 24 months', 24],
    ['part of a word does not count', ['old'], 'The gold one', null],
    ['a value is text, not a pattern', ['.*'], 'The gold one', null],
    ['nothing found is null', ['gold'], 'I do not know', null],
    ['without values nothing is found', null, 'The gold one', null],
  ])('returns the right value: %s', (_fact, values, text, plan) => {
    expect(userSays(text, collect(values)).entity).toEqual({ plan });
  });

  test('ignores what the agent says', () => {
    const segments = talk(['agent', 'We have gold and silver'], ['user', 'I have to think']);
    expect(analysed(segments, { config: collect(['gold', 'silver'], false) }).entity).toEqual({ plan: null });
  });

  test('collects no value while data collection is disabled', () => {
    const off = analysisOf({
      extraction: { data_collection: { data_points: [{ name: 'plan', prompt: 'p' }] } },
    });
    expect(userSays('The gold one', off).entity).toEqual({});
  });
});

describe('a disposition in a transcript', () => {
  const config = analysisOf({
    evaluations: {
      dispositions: {
        enabled: true,
        prompt_based: [
          { name: 'agreed', type: 'bool', prompt: 'p' },
          { name: 'amount', type: 'number', prompt: 'p' },
          {
            name: 'result',
            type: 'string',
            prompt: 'p',
            list_of_tags: { promise_to_pay: 'd', dispute: 'd' },
          },
        ],
      },
      conversation_evaluation: { enabled: true, prompt: 'p' },
    },
  });

  test('answers a disposition according to its type', () => {
    expect(userSays('Yes, I promise to pay 1,500.50 on Monday', config)).toMatchObject({
      conversationEval: {
        dispositions: { agreed: true, amount: 1500.5, result: 'promise_to_pay' },
        evaluation: { sentiment: 'neutral', method: 'rules' },
      },
      tags: ['promise_to_pay'],
      evalTag: 'promise_to_pay',
    });
  });

  test('returns null for a disposition that was not mentioned', () => {
    expect(userSays('Who is speaking there', config)).toMatchObject({
      conversationEval: { dispositions: { agreed: null, amount: null, result: null } },
      tags: [],
      evalTag: null,
    });
  });

  test('returns "not enough data" after one or two words', () => {
    expect(userSays('Yes okay', config).evalTag).toBe('not enough data');
  });

  test('evaluates no disposition if no analysis is configured', () => {
    expect(userSays('Yes, I promise to pay').conversationEval).toEqual({});
  });
});

describe('the quality of a conversation', () => {
  test('derives talk ratio and response times from the segments', () => {
    const segments: TranscriptSegment[] = [
      { speaker: 'agent', text: 'Hello', startMs: 0, endMs: 3_000 },
      { speaker: 'user', text: 'Thank you, this is great', startMs: 3_500, endMs: 4_500 },
      { speaker: 'agent', text: 'Fine', startMs: 5_000, endMs: 6_000 },
      { speaker: 'user', text: 'Bye then', startMs: 5_500, endMs: 6_500 },
      { speaker: 'agent', text: 'Bye', startMs: 7_500, endMs: 8_500 },
    ];
    expect(analysed(segments).quality).toEqual({
      score: 95,
      sentiment: 'positive',
      agent_talk_ratio: 0.71,
      interruptions: 1,
      avg_response_ms: 750,
      p95_response_ms: 1_000,
    });
  });

  test('returns no times if there was no conversation', () => {
    expect(analysed([]).quality).toEqual({
      score: 0,
      sentiment: 'neutral',
      agent_talk_ratio: 0,
      interruptions: 0,
      avg_response_ms: null,
      p95_response_ms: null,
    });
  });

  test.each([
    ['"not good" is negative', 'This is not good at all', 'negative'],
    ['"no problem" is neutral', 'No problem, that is fine', 'neutral'],
    ['thanks are positive', 'Thanks, bahut badhiya', 'positive'],
  ])('detects the right sentiment: %s', (_fact, text, sentiment) => {
    expect(userSays(text).quality.sentiment).toBe(sentiment);
  });
});

test('summarizes the duration, turns, result and last words', () => {
  const segments = talk(
    ['agent', 'Hello?'],
    ['user', 'I am busy'],
    ['agent', 'When?'],
    ['user', 'Call me back tomorrow'],
  );
  expect(analysed(segments, { callStatus: 'User disconnected' }).summary).toBe(
    'The conversation lasted 10 seconds and the customer spoke 2 times. The customer asked to be called back. ' +
      'The customer ended the call. Last said by the customer: "Call me back tomorrow"',
  );
});

test('returns the same analysis for the same transcript', () => {
  const segments = talk(['agent', 'Hello'], ['user', 'Yes, call me back tomorrow']);
  expect(analysed(segments)).toEqual(analysed(segments));
});
