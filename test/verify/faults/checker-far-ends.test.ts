/** Tests behaviour of a real phone network: trunks without a ringing signal, answers that cross a CANCEL, inbound calls. */
import { RunStory } from './run-story';

const dialled = (atCarrier: Partial<Parameters<RunStory['atCarrier']>[2]>, endReason: string): RunStory => {
  const story = new RunStory().campaign([2], { max_retries: 1 });
  const end = { answered: false, endReason, ...atCarrier };
  story.atCarrier('call-2-1', '+919876500002', { fromS: 10, toS: 16, ...end });
  story.callRow('call-2-1', { campaign_id: 'campaign-1', contact_row: 2, end_reason: endReason });
  story.delivery('webhook-2-1', endReason === 'no_answer' ? 'call.no_answer' : 'call.failed', {
    call_id: 'call-2-1',
    campaign_id: 'campaign-1',
    atS: 16.2,
  });
  return story.settle('campaign-1', 2, 'failed', endReason).counted();
};

describe('5. a phone that never rang', () => {
  test('reports a violation for the end reason no_answer', () => {
    expect(dialled({ rang: false }, 'no_answer').violations()).toEqual({
      5: [
        expect.stringMatching(/^call call-2-1, placed at .* ended as no_answer, but its phone never rang$/),
      ],
    });
  });

  test('allows the end reason carrier_failure', () => {
    expect(dialled({ rang: false }, 'carrier_failure').violations()).toEqual({});
  });

  test('allows the end reason no_answer if an outage hid the ringing', () => {
    const story = dialled({ rang: false }, 'no_answer').killed('worker', 18, 19);
    expect(story.violations()).toEqual({});
  });
});

describe('5. a call that the callee answers', () => {
  const picked = (answeredS: number) =>
    dialled({ answered: true, answeredS, toS: 16, endReason: 'platform' }, 'no_answer');

  test('allows the end reason no_answer if the callee answered just as the ringing ended', () => {
    expect(picked(16).violations()).toEqual({});
  });

  test('reports a violation for the end reason no_answer if the callee answered before the ringing ended', () => {
    expect(picked(15.9).violations()).toMatchObject({ 5: [expect.stringContaining('was answered')] });
  });
});

describe('5. an inbound call that the caller ends', () => {
  const [call, from] = ['sim-caller', '+919822222222'];
  const called = (
    { fromS, toS, answered, endReason }: typeof gaveUp,
    row: Parameters<RunStory['callRow']>[1],
  ): RunStory => {
    const state = { kind: 'state', carrier_id: call, end_reason: null } as const;
    const story = new RunStory();
    story.line(fromS, { kind: 'placed', direction: 'inbound', carrier_id: call, reference: null, from });
    if (answered) story.line(fromS, { ...state, state: 'answered' });
    story.line(toS, { ...state, state: 'ended', end_reason: endReason });
    return story.callRow('inbound-1', {
      campaign_id: null,
      direction: 'Incoming',
      from_number: from,
      ...row,
    });
  };
  const gaveUp = { fromS: 10, toS: 11, answered: false, endReason: 'no_answer' };
  const cancelled = { call_status: 'cancelled', end_reason: 'cancelled' };

  test.each([
    ['cancelled', gaveUp, cancelled],
    ['busy, if no line was free', gaveUp, { call_status: 'busy', end_reason: 'lines_busy' }],
    [
      'completed, if the call was answered',
      { ...gaveUp, answered: true, endReason: 'callee' },
      { call_cost: 1 },
    ],
  ])('allows the status %s', (_what, atCarrier, row) => {
    expect(called(atCarrier, row).violations()).toEqual({});
  });

  test.each<[string, object, string]>([
    [
      'finds a call that is not over at the end of the run',
      { stage: 'placed', call_status: 'ringing' },
      'is still ringing at the end of the run',
    ],
    [
      'finds a call that costs credits without an answer',
      { ...cancelled, call_cost: 1 },
      'costs 1, but was never answered',
    ],
    [
      'finds an end as failed',
      { call_status: 'failed' },
      'ended as failed, but the caller hung up (simulator.jsonl:1)',
    ],
  ])('%s', (_what, row, words) => {
    const story = called(gaveUp, row);
    expect(story.violations()).toEqual({ 5: [expect.stringContaining(words)] });
  });

  test('allows the status failed if the API was unreachable', () => {
    const story = called(gaveUp, { call_status: 'failed' });
    expect(story.killed('api', 12, 13).violations()).toEqual({});
  });
});
