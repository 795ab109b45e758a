import type { StoryCampaign, StoryContact } from '../../domain/contact-story';
import { at, CALLBACK, IN_WINDOW, REDIAL, storyOf, type ShownStory } from './support/contact-story';

describe('storyOf() for a contact before its first dial', () => {
  test.each<[string, Partial<StoryContact>, Partial<StoryCampaign>, number, ShownStory]>([
    [
      'before the first day',
      {},
      { status: 'scheduled' },
      at('01T12:00'),
      {
        why: 'The campaign begins 2026-11-02 04:00 UTC',
        action: 'dial',
        at: '2026-11-02T04:00:00.000Z',
        sentence: 'It is dialled when the campaign begins, 2026-11-02 04:00 UTC, attempt 1 of 3',
      },
    ],
    [
      'a millisecond before the window opens',
      {},
      { status: 'paused_out_of_range' },
      at('02T04:00') - 1,
      {
        why: 'Outside the calling window until 2026-11-02 04:00 UTC',
        action: 'dial',
        at: '2026-11-02T04:00:00.000Z',
        sentence: 'It is dialled when the calling window opens, 2026-11-02 04:00 UTC, attempt 1 of 3',
      },
    ],
    [
      'when the window opens, even if the status has not changed yet',
      {},
      { status: 'paused_out_of_range' },
      at('02T04:00'),
      {
        why: 'Waiting to be dialled',
        action: 'dial',
        at: null,
        sentence:
          'It is dialled as soon as a line is free, attempt 1 of 3; the window closes 2026-11-02 10:00 UTC',
      },
    ],
    [
      'when the window closes',
      { openStage: 'waiting' },
      {},
      at('02T10:00'),
      {
        why: 'Outside the calling window until 2026-11-03 04:00 UTC',
        action: 'dial',
        at: '2026-11-03T04:00:00.000Z',
        sentence: 'It is dialled when the calling window opens, 2026-11-03 04:00 UTC, attempt 1 of 3',
      },
    ],
    [
      'beside another call to the same person',
      { openStage: 'waiting', isNumberBusy: true },
      {},
      IN_WINDOW,
      {
        why: 'Another call to the same person is in progress',
        action: 'dial',
        at: null,
        sentence:
          'It is dialled after that call, as soon as a line is free, attempt 1 of 3; the window closes 2026-11-02 10:00 UTC',
      },
    ],
    [
      'with a call that waits for a line',
      { openStage: 'waiting' },
      {},
      IN_WINDOW,
      {
        why: 'Waiting for a free line',
        action: 'dial',
        at: null,
        sentence:
          'It is dialled as soon as a line is free, attempt 1 of 3; the window closes 2026-11-02 10:00 UTC',
      },
    ],
    [
      'with a line',
      { openStage: 'granted' },
      {},
      IN_WINDOW,
      { why: null, action: 'dial', at: null, sentence: 'It is dialled in a moment, attempt 1 of 3' },
    ],
    [
      'when a person paused it',
      {},
      { status: 'paused', statusReason: 'paused on request' },
      IN_WINDOW,
      {
        why: 'The campaign is paused on request',
        action: 'dial',
        at: null,
        sentence: 'It is dialled once the campaign is resumed, attempt 1 of 3',
      },
    ],
    [
      'when a spend limit paused it outside the window',
      { openStage: 'waiting' },
      { status: 'paused', statusReason: 'spend limit: 10 credits today' },
      at('02T11:00'),
      {
        why: 'The campaign is paused: spend limit: 10 credits today',
        action: 'dial',
        at: null,
        sentence: 'It is dialled once the campaign is resumed, from 2026-11-03 04:00 UTC on, attempt 1 of 3',
      },
    ],
    [
      'after the last window',
      {},
      {},
      at('04T10:00'),
      {
        why: "The campaign's last window is over",
        action: 'none',
        at: null,
        sentence: 'It ends without being called, unless the campaign is extended',
      },
    ],
    [
      'when paused beyond the last window',
      {},
      { status: 'paused', statusReason: 'paused on request' },
      at('05T05:00'),
      {
        why: "The campaign's last window is over",
        action: 'none',
        at: null,
        sentence: 'It ends without being called, unless the campaign is extended',
      },
    ],
    [
      'just after the cancellation',
      {},
      { status: 'cancelled' },
      IN_WINDOW,
      {
        why: 'The campaign is cancelled',
        action: 'none',
        at: null,
        sentence: 'It ends without being called',
      },
    ],
  ])('explains a contact %s', (_when, contact, campaign, now, expected) => {
    expect(storyOf(contact, campaign, now)).toEqual(expected);
  });
});

describe('storyOf() for a contact between two dials', () => {
  test('says until when the contact waits', () => {
    expect(storyOf(REDIAL)).toEqual({
      why: 'Last time, there was no answer; its redial is due 2026-11-02 05:30 UTC',
      action: 'redial',
      at: '2026-11-02T05:30:00.000Z',
      sentence: 'It is dialled again from 2026-11-02 05:30 UTC on, as soon as a line is free, attempt 2 of 3',
    });
  });

  test('returns the exact instant, even within a minute', () => {
    expect(storyOf({ ...REDIAL, nextAttemptAt: at('02T05:30') + 12_345 }).at).toBe(
      '2026-11-02T05:30:12.345Z',
    );
  });

  test('says that the contact waits for a line once it is due', () => {
    expect(storyOf(REDIAL, {}, at('02T05:30'))).toEqual({
      why: 'Waiting to be dialled',
      action: 'redial',
      at: null,
      sentence:
        'It is dialled again as soon as a line is free, attempt 2 of 3; the window closes 2026-11-02 10:00 UTC',
    });
  });

  test.each(['02T10:00', '02T23:30'])(
    'returns the opening of the next window for a contact that is due outside a window (%s)',
    (due) => {
      expect(storyOf({ ...REDIAL, nextAttemptAt: at(due) }, {}, at('02T09:50'))).toEqual({
        why: `Last time, there was no answer; its redial is due 2026-11-${due.replace('T', ' ')} UTC`,
        action: 'redial',
        at: '2026-11-03T04:00:00.000Z',
        sentence: 'It is dialled again when the calling window opens, 2026-11-03 04:00 UTC, attempt 2 of 3',
      });
    },
  );

  test.each(['04T10:00', '05T05:00'])(
    'says that the contact expires if it is due after the last window (%s)',
    (due) => {
      expect(storyOf({ ...REDIAL, nextAttemptAt: at(due) }, {}, at('04T09:50'))).toEqual({
        why: `Its redial is due 2026-11-${due.replace('T', ' ')} UTC, after the campaign's last window`,
        action: 'none',
        at: null,
        sentence: 'It expires, unless the campaign is extended',
      });
    },
  );

  test('says that the contact is dialled if it is due in the last minute of the last window', () => {
    expect(storyOf({ ...REDIAL, nextAttemptAt: at('04T10:00') - 1 }, {}, at('04T09:50')).action).toBe(
      'redial',
    );
  });

  test('returns the earliest instant of the next dial if the campaign is paused', () => {
    expect(storyOf(REDIAL, { status: 'paused', statusReason: 'paused by an update' })).toEqual({
      why: 'The campaign is paused by an update',
      action: 'redial',
      at: null,
      sentence:
        'It is dialled again once the campaign is resumed, from 2026-11-02 05:30 UTC on, attempt 2 of 3',
    });
  });

  test.each([
    ['busy', 'Last time, the line was busy; its redial is due 2026-11-02 05:30 UTC'],
    [
      'dnd_unverified',
      'Last time, the do-not-disturb registry did not respond; its redial is due 2026-11-02 05:30 UTC',
    ],
    [null, 'Its redial is due 2026-11-02 05:30 UTC'],
  ] as const)('gives the reason for a redial after %s', (lastEndReason, why) => {
    expect(storyOf({ ...REDIAL, lastEndReason }).why).toBe(why);
  });
});

describe('storyOf() for a contact that requested a callback', () => {
  test("returns the callback's time", () => {
    expect(storyOf(CALLBACK)).toEqual({
      why: 'It was reached; its callback is due 2026-11-03 06:15 UTC',
      action: 'callback',
      at: '2026-11-03T06:15:00.000Z',
      sentence: 'It is called back from 2026-11-03 06:15 UTC on, as soon as a line is free',
    });
  });

  test('returns the next morning for a callback at night', () => {
    expect(storyOf({ ...CALLBACK, nextAttemptAt: at('02T20:00') })).toMatchObject({
      action: 'callback',
      at: '2026-11-03T04:00:00.000Z',
      sentence: 'It is called back when the calling window opens, 2026-11-03 04:00 UTC',
    });
  });

  test('says that there is no callback after the last window', () => {
    expect(storyOf({ ...CALLBACK, nextAttemptAt: at('04T12:00') })).toEqual({
      why: "Its callback is due 2026-11-04 12:00 UTC, after the campaign's last window",
      action: 'none',
      at: null,
      sentence: 'It is not called back, unless the campaign is extended',
    });
  });

  test("doesn't number a due callback like a dial", () => {
    expect(storyOf({ ...CALLBACK, openStage: 'waiting' }, {}, at('03T06:15')).sentence).toBe(
      'It is called back as soon as a line is free; the window closes 2026-11-03 10:00 UTC',
    );
  });

  test('says that the callback is in progress', () => {
    expect(storyOf({ ...CALLBACK, state: 'in_progress', openStage: 'placed' }, {}, at('03T06:16'))).toEqual({
      why: null,
      action: 'none',
      at: null,
      sentence: 'Its callback is in progress',
    });
  });
});
