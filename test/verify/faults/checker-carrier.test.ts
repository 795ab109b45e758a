/** Tests the checks of the carrier's log: invariants 1, 2, 3, 4 and 7. */
import { rightRun, violated } from './right-run';
import { at } from './received-line';
import { CAMPAIGN, numberOf, RunStory } from './run-story';

test('reports no violation and the right figures for a correct run', () => {
  const { invariants, figures } = rightRun().verdict();
  expect(invariants.flatMap(({ violations }) => violations)).toEqual([]);
  expect(invariants.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10]);
  expect(figures).toEqual({
    dials: 6,
    duplicates: 0,
    contacts_lost: 0,
    cap_overruns: 0,
    start_to_dial_s: [],
    kill_to_dial_s: [],
  });
});

describe('1. each attempt reaches the carrier at most once', () => {
  const again = (reference: string, row: number, fromS: number) => (story: RunStory) =>
    story.atCarrier(reference, numberOf(row), { fromS, toS: fromS + 2, answered: false, endReason: 'busy' });

  test('reports a reference that was placed twice and counts the duplicate', () => {
    const story = again('call-4-2', 4, 300)(rightRun());
    expect(story.violations()[1]).toContainEqual(
      expect.stringMatching(
        /^call call-4-2 was placed again at 2026-11-02T05:05:00.000Z \(simulator\.jsonl:\d+\)/,
      ),
    );
    expect(story.verdict().figures.duplicates).toBe(1);
  });

  test('reports a dial beyond max_retries that has a new reference', () => {
    const story = rightRun().call(4, { fromS: 300, attempt: 3, answered: false }).counted();
    expect(violated(story)).toEqual([1]);
    expect(story.violations()[1]?.[0]).toContain(`row 4 of campaign ${CAMPAIGN} got dial 3 at`);
  });

  test('reports a dial that is missing from Postgres', () => {
    const story = rightRun().atCarrier('call-unknown', '+919800000001', {
      fromS: 300,
      toS: 310,
      answered: true,
      endReason: 'agent',
    });
    expect(violated(story)).toEqual([1]);
    expect(story.violations()[1]?.[0]).toContain('Postgres has no such call');
  });

  test('counts dials by number if their rows name no contact, and masks the number', () => {
    const story = rightRun();
    for (const fromS of [300, 400]) {
      story.atCarrier(`loose-${fromS}`, numberOf(4), {
        fromS,
        toS: fromS + 5,
        answered: false,
        endReason: 'busy',
      });
      story.callRow(`loose-${fromS}`, { campaign_id: null, contact_row: null });
    }
    expect(story.violations()[1]).toEqual([expect.stringMatching(/^the number \+91…04 was dialled 4 times/)]);
  });

  test('allows a callback, and dials that an edit added', () => {
    const calledBack = rightRun().call(3, { fromS: 300, attempt: 3, callback: true, answered: true });
    expect(calledBack.violations()).toEqual({});
    const edited = rightRun().edit(200, { max_retries: 3 }).command(201, 'resume');
    edited.campaignRow().max_attempts = 3;
    expect(edited.call(4, { fromS: 300, attempt: 3, answered: false }).violations()).toEqual({});
  });

  test('reports an attempt beyond a max_retries that an edit has lowered', () => {
    const edited = rightRun().edit(200, { max_retries: 1 }).command(201, 'resume');
    edited.campaignRow().max_attempts = 1;
    expect(edited.violations()).toEqual({});
    expect(violated(edited.call(2, { fromS: 300, attempt: 2 }))).toEqual([1]);
  });
});

describe('2. live calls never exceed the lines', () => {
  test('reports and counts a third live call of a campaign with two lines', () => {
    const story = new RunStory().campaign([2, 3, 4]);
    for (const row of [2, 3, 4]) story.call(row, { fromS: row, toS: 30 });
    expect(violated(story.counted())).toEqual([2]);
    expect(story.violations()[2]?.[0]).toContain(`call call-4-1 was placed at 2026-11-02T05:00:04.000Z`);
    expect(story.violations()[2]?.[0]).toContain(
      `as live call 3, but the concurrency of campaign ${CAMPAIGN} is 2`,
    );
    expect(story.verdict().figures.cap_overruns).toBe(1);
  });

  test('reports an organization above its maximum across campaigns and dispatches', () => {
    const story = new RunStory()
      .campaign([2, 3])
      .campaign([4], { id: 'campaign-2' })
      .dispatch('dispatched-1', 7);
    story
      .call(2, { fromS: 2, toS: 30 })
      .call(3, { fromS: 3, toS: 30 })
      .call(4, { fromS: 4, toS: 30, campaignId: 'campaign-2' });
    expect(violated(story.counted())).toEqual([2]);
    expect(story.violations()[2]).toEqual([
      expect.stringContaining('the maximum of organization client-1 is 3'),
    ]);
  });

  test('reports too many live calls if one has no end in the log', () => {
    const story = new RunStory().campaign([2, 3, 4], { concurrency: 1 });
    story.call(2, { fromS: 1, toS: null }).call(3, { fromS: 500 });
    expect(story.violations()[2]).toHaveLength(1);
  });

  test('lets live calls finish after the concurrency was lowered, but allows no others', () => {
    const lowered = () => {
      const story = new RunStory()
        .campaign([2, 3, 4])
        .call(2, { fromS: 1, toS: 40 })
        .call(3, { fromS: 2, toS: 50 });
      story.edit(10, { concurrency: 1 }).command(11, 'resume').campaignRow().concurrency = 1;
      return story;
    };
    expect(lowered().call(4, { fromS: 51 }).counted().violations()).toEqual({});
    expect(violated(lowered().call(4, { fromS: 45 }).counted())).toEqual([2]);
  });

  test('accepts both limits after an edit without a response', () => {
    const story = new RunStory().campaign([2, 3, 4]).edit(1, { concurrency: 3 }, { status: null });
    for (const row of [2, 3, 4]) story.call(row, { fromS: row + 2, toS: 30 });
    expect(story.counted().violations()).toEqual({});
  });

  test('allows the next call in the same millisecond in which a line becomes free', () => {
    const story = new RunStory()
      .campaign([2, 3], { concurrency: 1 })
      .call(2, { fromS: 1, toS: 11 })
      .call(3, { fromS: 11 });
    expect(story.counted().violations()).toEqual({});
  });
});

describe('3. no dial outside the window, weekdays and date range', () => {
  const H = 3600;
  test.each([
    ['before the window', -1 * H - 0.001, 'the window is 04:00 to 10:30 UTC'],
    ['at its end', 5.5 * H, 'the window is 04:00 to 10:30 UTC'],
    ['on another weekday', 48 * H, 'wednesday is none of monday,tuesday'],
    ['before the first day', -24 * H * 6, 'the first day is 2026-11-02'],
    ['after the last day', 24 * H * 7, 'the last day is 2026-11-06'],
  ])('reports a dial %s', (_when, fromS, why) => {
    const story = new RunStory().campaign([2]).call(2, { fromS, deliveredS: null }).counted();
    expect(story.violations()[3]).toEqual([expect.stringContaining(why)]);
  });

  test.each([
    ['at the first instant of the window', -1 * H],
    ['at its last millisecond', 5.5 * H - 0.001],
    ['on the other day', 24 * H],
  ])('allows a dial %s', (_when, fromS) => {
    const story = new RunStory().campaign([2]).call(2, { fromS }).counted();
    expect(story.violations()[3]).toBeUndefined();
  });

  test('applies the edited window', () => {
    const story = rightRun().edit(200, { start_time: '05:30' }).command(201, 'resume');
    story.campaignRow().start_minute = 330;
    expect(story.violations()).toEqual({});
    story.dispatch('dispatched-2', 300);
    expect(story.violations()).toEqual({});
    story.call(2, { fromS: 400, attempt: 2 });
    expect(violated(story)).toEqual([3]);
  });

  test('corrects for a carrier whose clock is ten minutes off', () => {
    // The window opens at 05:00 true time, when this carrier's clock shows 04:50. The other carrier dials at 04:55 true time and records
    // 05:05.
    const right = new RunStory()
      .begins('simulator', -600)
      .campaign([2], { start_time: '05:00' })
      .call(2, { fromS: 0 });
    expect(right.counted().violations()).toEqual({});
    const wrong = new RunStory().begins('simulator', 600).campaign([2], { start_time: '05:00' });
    expect(violated(wrong.call(2, { fromS: -300 }).counted())).toEqual([3]);
  });
});

describe('4. no dial after an acknowledged pause or cancel', () => {
  test.each(['pause', 'cancel'] as const)('reports a dial after a %s was acknowledged', (command) => {
    const story = rightRun().command(50, command, { answeredS: 52 });
    expect(story.violations()[4]).toHaveLength(2);
    expect(story.violations()[4]?.[0]).toContain(
      `after its ${command} was acknowledged at 2026-11-02T05:00:52.000Z (acknowledged.jsonl:3)`,
    );
  });

  test('reports a dial after an edit, because an edit pauses the campaign', () => {
    expect(rightRun().edit(95, { campaign_name: 'Another' }).violations()[4]).toHaveLength(2);
  });

  test('reports a dial between a pause and the resume', () => {
    expect(violated(rightRun().command(99, 'pause').command(105, 'resume'))).toEqual([4]);
  });

  test('allows a dial while a pause is in progress, until its response', () => {
    expect(rightRun().command(98, 'pause', { answeredS: 101 }).command(111, 'resume').violations()).toEqual(
      {},
    );
  });

  test('allows a dial as soon as a resume is sent, even if it gets no response', () => {
    expect(rightRun().command(90, 'pause').command(99.9, 'resume', { answeredS: 104 }).violations()).toEqual(
      {},
    );
    expect(rightRun().command(90, 'pause').command(99.9, 'resume', { status: null }).violations()).toEqual(
      {},
    );
  });

  test('accepts either order of an overlapping pause and resume', () => {
    const story = rightRun()
      .command(98, 'resume', { answeredS: 99.5 })
      .command(98.2, 'pause', { answeredS: 99 });
    expect(story.violations()).toEqual({});
  });

  test('ignores a pause that was rejected or got no response', () => {
    expect(rightRun().command(90, 'pause', { status: 409 }).violations()).toEqual({});
    expect(rightRun().command(90, 'pause', { status: 503 }).violations()).toEqual({});
    expect(rightRun().command(90, 'pause', { status: null }).violations()).toEqual({});
  });

  test('ignores a resume that was rejected', () => {
    expect(violated(rightRun().command(90, 'pause').command(95, 'resume', { status: 409 }))).toEqual([4]);
  });

  test('allows dispatches while a campaign is paused', () => {
    expect(rightRun().command(50, 'pause').command(99, 'resume').violations()).toEqual({});
  });
});

describe('7. the retry delay passes before a redial', () => {
  const redialled = (fromS: number, changes = {}) =>
    new RunStory()
      .campaign([2], changes)
      .call(2, { fromS: 1, toS: 10, answered: false })
      .call(2, { fromS, attempt: 2 })
      .counted();

  test('reports a redial that is a tenth of a second early', () => {
    expect(violated(redialled(69.9))).toEqual([7]);
    expect(redialled(69.9).violations()[7]?.[0]).toContain(
      '59.900 s after its call call-2-1 ended, but 60 s must pass',
    );
  });

  test('reports a second dial while the first call is live, even after the retry delay', () => {
    expect(redialled(9, { retry_delay_mins: 0 }).violations()[7]?.[0]).toContain(
      'while its call call-2-1 was live',
    );
  });

  test('reports a redial of a call that never ended', () => {
    const story = new RunStory()
      .campaign([2])
      .call(2, { fromS: 1, toS: null, answered: false })
      .call(2, { fromS: 200, attempt: 2 });
    expect(story.violations()[7]).toHaveLength(1);
  });

  test('allows a redial exactly after the delay, and at once if there is no delay', () => {
    expect(redialled(70).violations()).toEqual({});
    expect(redialled(10.02, { retry_delay_mins: 0 }).violations()).toEqual({});
  });

  test("measures the retry delay by the true clock when the carrier's clock jumps between two dials", () => {
    const jumped = (redialS: number) =>
      new RunStory()
        .campaign([2])
        .call(2, { fromS: 1, toS: 10, answered: false })
        .shift('simulator', 30, 590)
        .call(2, { fromS: redialS, attempt: 2 })
        .counted();
    expect(jumped(70).violations()).toEqual({});
    expect(violated(jumped(40))).toEqual([7]);
  });

  test("corrects an end that was planned before the carrier's clock was set back", () => {
    const story = new RunStory().campaign([2]).call(2, { fromS: 1, toS: 40, answered: false });
    // This line carries the old clock's time, while the lines around it use the new one.
    story
      .shift('simulator', 30, -300)
      .dispatch('dispatched-1', 35)
      .call(2, { fromS: 100, attempt: 2 })
      .counted();
    expect(story.violations()).toEqual({});
  });

  test('corrects an end that was planned before the clock was set forward and was overdue after a restart', () => {
    const restarted = (redialS: number) => {
      const story = new RunStory().campaign([2]).call(2, { fromS: 1, toS: null, answered: false });
      story.shift('simulator', 20, 500).killed('simulator', 22, 25);
      // This line carries the old clock's time, 31 s, although it was written at 25 s.
      const [placed] = story.carrier;
      const { carrier_id, reference, to } = placed!.line;
      const ended = { state: 'ended', end_reason: 'no_answer', carrier_id, reference, to } as const;
      story.carrier.push({ trueS: 25, line: { kind: 'state', ...ended, at: at(31) } });
      story.delivery('webhook-call-2-1', 'call.no_answer', {
        call_id: 'call-2-1',
        campaign_id: CAMPAIGN,
        atS: 25.2,
      });
      return story.call(2, { fromS: redialS, attempt: 2 }).counted();
    };
    expect(restarted(86).violations()).toEqual({});
    expect(violated(restarted(80))).toEqual([7]);
  });

  test('applies a shorter delay that an edit sets between two dials', () => {
    const story = redialled(40).edit(20, { retry_delay_mins: 0 }).command(21, 'resume');
    story.campaignRow().retry_delay_mins = 0;
    expect(story.violations()).toEqual({});
  });

  test('allows a callback at its scheduled time', () => {
    const story = new RunStory()
      .campaign([2])
      .call(2, { fromS: 1, toS: 10 })
      .call(2, { fromS: 30, attempt: 2, callback: true });
    expect(story.counted().violations()).toEqual({});
  });
});
