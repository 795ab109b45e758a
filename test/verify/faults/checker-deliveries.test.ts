import { but, rightRun, violated } from './right-run';
import { at, CAMPAIGN, RunStory } from './run-story';

describe('6. every finished call is delivered', () => {
  /** The webhook of row 2's call with attempts at these seconds and with these response statuses. */
  const attempted = (...attempts: [number, number | null][]) =>
    but((story) => {
      story.unsent('webhook-call-2-1');
      for (const [atS, status] of attempts)
        story.attempt('webhook-call-2-1', { atS, status, received: status !== null });
    });

  test('reports a call without a delivery', () => {
    const story = but((each) => {
      each.unsent('webhook-call-2-1');
      each.rows.deliveries = each.rows.deliveries.filter(({ id }) => id !== 'webhook-call-2-1');
    });
    expect(story.violations()).toEqual({
      6: [expect.stringMatching(/^call call-2-1, .* has 0 webhook events instead of one$/)],
    });
  });

  test('reports a call with two event ids', () => {
    const story = but((each) =>
      each.delivery('second', 'call.completed', { call_id: 'call-2-1', campaign_id: CAMPAIGN, atS: 12 }),
    );
    expect(story.violations()).toEqual({ 6: [expect.stringContaining('has 2 webhook events')] });
  });

  test('reports a call whose event has the wrong type', () => {
    const story = but((each) => (each.deliveryOf('webhook-call-2-1').event = 'call.no_answer'));
    expect(story.violations()).toEqual({
      6: [
        expect.stringContaining("was reported as call.no_answer, but the carrier's log means call.completed"),
      ],
    });
  });

  test('reports a delivery that is marked as delivered but never arrived', () => {
    const story = but(
      (each) =>
        (each.evidence.receiver = each.evidence.receiver.filter((line) => line.call_id !== 'call-2-1')),
    );
    expect(story.violations()).toEqual({
      6: [expect.stringContaining('the receiver accepted no event event-of-webhook-call-2-1')],
    });
    const unmade = but(
      (each) => (each.unsent('webhook-call-2-1').deliveryOf('webhook-call-2-1').status = 'delivered'),
    );
    expect(violated(unmade)).toEqual([6]);
  });

  test('reports an event that was accepted twice without an outage', () => {
    const story = but((each) => each.attempt('webhook-call-2-1', { atS: 14, status: 200, recorded: false }));
    expect(story.violations()).toEqual({
      6: [
        expect.stringContaining(
          'was accepted at 2026-11-02T05:00:11.200Z and again at 2026-11-02T05:00:14.000Z',
        ),
      ],
    });
  });

  test.each<[string, (story: RunStory) => unknown]>([
    ['a worker was killed after the answer', (story) => story.killed('worker', 11.5, 13)],
    ['Postgres was unreachable before the answer was recorded', (story) => story.killed('postgres', 10, 13)],
    [
      'the answer was cut off',
      (story) =>
        story.evidence.faults.push({ at: at(11), until: at(12), fault: 'cut', target: 'worker-receiver' }),
    ],
  ])('allows a second acceptance when %s', (_what, happen) => {
    const story = but((each) => each.attempt('webhook-call-2-1', { atS: 14, status: 200, recorded: false }));
    happen(story);
    expect(story.violations()).toEqual({});
  });

  test('reports a second acceptance long after the kill', () => {
    const story = but((each) =>
      each.attempt('webhook-call-2-1', { atS: 14, status: 200, recorded: false }).killed('worker', 60, 62),
    );
    expect(violated(story)).toEqual([6]);
  });

  test('allows five failed attempts with the right delays', () => {
    expect(attempted([11.2, 500], [16.3, 500], [41.4, 503], [166.5, 500], [791.6, 500]).violations()).toEqual(
      {},
    );
  });

  test('allows pending attempts at the end of the run', () => {
    const story = attempted([400, 500], [405.1, null], [430.2, 500], [555.3, 500]);
    story.deliveryOf('webhook-call-2-1').next_attempt_at = at(1180);
    expect(story.violations()).toEqual({});
  });

  test.each<[string, [number, number | null][], string]>([
    [
      'a second attempt without its delay',
      [
        [11.2, 500],
        [11.3, 200],
      ],
      'attempt 2 at 2026-11-02T05:00:11.300Z came 0.1 s after the previous attempt, but 5 s must pass',
    ],
    [
      'a third attempt a second early',
      [
        [11.2, 500],
        [16.3, 500],
        [40.2, 200],
      ],
      'came 23.9 s after the previous attempt, but 25 s must pass',
    ],
    [
      'an attempt that is minutes late without an outage',
      [
        [11.2, 500],
        [200, 200],
      ],
      'instead of 5 s, although nothing was unreachable',
    ],
    [
      'an attempt after an accepted one',
      [
        [11.2, 200],
        [16.3, 200],
      ],
      'was attempted again after attempt 1 was accepted',
    ],
  ])('reports %s', (_what, attempts, words) => {
    const story = attempted(...attempts);
    story.deliveryOf('webhook-call-2-1').status = 'delivered';
    expect(violated(story)).toEqual([6]);
    expect(story.violations()[6]?.join()).toContain(words);
  });

  test('reports a delivery that was given up after two attempts', () => {
    const story = attempted([11.2, 500], [16.3, 500]);
    story.deliveryOf('webhook-call-2-1').status = 'failed';
    expect(story.violations()).toEqual({
      6: [expect.stringContaining('is marked failed after 2 attempts instead of five')],
    });
  });

  test('reports a delivery whose next attempt is missing', () => {
    const story = attempted([11.2, 500]);
    story.deliveryOf('webhook-call-2-1').next_attempt_at = at(16.2);
    expect(story.violations()).toEqual({
      6: [expect.stringContaining('its next attempt was due at 2026-11-02T05:00:16')],
    });
    const never = attempted();
    expect(violated(never)).toEqual([6]);
  });

  test('allows a late attempt after an outage', () => {
    expect(attempted([11.2, 500], [120, 200]).killed('temporal', 14, 90).violations()).toEqual({});
  });

  test("measures delays by the true clock when the worker's clock was shifted", () => {
    const story = attempted([11.2, 500], [16.3, 200]).begins('worker', 600);
    for (const row of story.rows.attempts) row.at = new Date(Date.parse(row.at) + 600_000).toISOString();
    expect(story.violations()).toEqual({});
    // In the ledger, the clock jump turns 0.5 s into 5 s. The receiver has the true times.
    const early = attempted([11.2, 500], [11.7, 200]).shift('worker', 11.5, 4.6);
    early.rows.attempts.filter(({ attempt }) => attempt === 2).forEach((row) => (row.at = at(16.3)));
    expect(violated(early)).toEqual([6]);
  });

  test('counts the attempts of a redelivery as a new round', () => {
    const story = attempted([11.2, 500], [16.3, 500], [41.4, 500], [166.5, 500], [791.6, 500], [795, 200]);
    Object.assign(story.deliveryOf('webhook-call-2-1'), { earlier_attempts: 5 });
    expect(story.violations()).toEqual({});
  });

  test('reports signatures that the receiver rejected, and those that it should have rejected', () => {
    const first = (story: RunStory) =>
      story.evidence.receiver[1] as NonNullable<(typeof story.evidence.receiver)[1]>;
    const refused = but((each) =>
      Object.assign(first(each), { valid: false, status: 401, fault: 'X-Service-Signature does not match' }),
    );
    expect(refused.violations()[6]).toContainEqual(
      expect.stringContaining(
        '(receiver.jsonl:2) has an invalid signature: X-Service-Signature does not match',
      ),
    );
    const forged = but((each) => (first(each).signature = `sha256=${'0'.repeat(64)}`));
    expect(forged.violations()).toEqual({
      6: [expect.stringContaining('does not match the body in the ledger')],
    });
    const changed = but((each) => (each.deliveryOf('webhook-call-2-1').body = '{}'));
    expect(violated(changed)).toEqual([6]);
    const old = but((each) => (first(each).at = at(900)));
    expect(old.violations()[6]).toContainEqual(expect.stringContaining('the timestamp is more than 300 s'));
  });

  test('reports an event that is missing from the ledger', () => {
    const story = but((each) => {
      each.delivery('stray', 'call.completed', { campaign_id: null, atS: 40 });
      each.rows.deliveries.pop();
    });
    expect(story.violations()).toEqual({ 6: [expect.stringContaining('the ledger has no such event')] });
  });

  test('requires no delivery for a call that has just ended or a campaign without a webhook URL', () => {
    const late = rightRun().call(3, { fromS: 960, toS: 970, attempt: 3, callback: true, deliveredS: null });
    expect(late.violations()).toEqual({});
    const story = new RunStory()
      .campaign([2], {}, { per_call_webhook_url: null })
      .call(2, { fromS: 1, deliveredS: null });
    expect(story.counted().violations()).toEqual({});
  });
});
