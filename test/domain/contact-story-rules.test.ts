import type { StoryCampaign, StoryContact } from '../../domain/contact-story';
import { diallingRules } from '../../domain/rules/dialling';
import { shippedProfile, type RuleProfile } from '../../domain/rules/profile';
import { at, storyOf, type ShownStory } from './support/contact-story';

const SCHEDULE = {
  fromDate: '2026-11-02',
  toDate: '2026-11-04',
  startMinute: 8 * 60,
  endMinute: 20 * 60,
  daysOfWeek: ['monday', 'tuesday', 'wednesday'],
} as const;

/** A campaign from 08:00 to 20:00 in the zone of each contact. */
const ruled = (profile: Partial<RuleProfile> = {}): Partial<StoryCampaign> => ({
  schedule: SCHEDULE,
  rules: diallingRules({ ...SCHEDULE, timezone: 'contact' }, [{ ...shippedProfile('none'), ...profile }]),
});

/** In Denver. */
const CALLEE = { toNumber: '+13035550100', timezone: null, consent: false, attempts: [] };
/** In Denver it is 07:00. */
const EARLY = at('02T14:00');
const OPENS = {
  action: 'dial',
  at: '2026-11-02T15:00:00.000Z',
  sentence:
    'It is dialled when the rules allow it, 2026-11-02 08:00 in America/Denver (2026-11-02 15:00 UTC), attempt 1 of 3',
};
const NEVER = { action: 'none', at: null, sentence: 'It ends without being called' };
const TOMORROW = {
  action: 'dial',
  at: '2026-11-03T15:00:00.000Z',
  sentence:
    'It is dialled when the rules allow it, 2026-11-03 08:00 in America/Denver (2026-11-03 15:00 UTC), attempt 1 of 3',
};

describe('storyOf() for a campaign with rules', () => {
  test.each<[string, Partial<StoryContact>, Partial<StoryCampaign>, number, ShownStory]>([
    [
      "the contact's window",
      {},
      ruled(),
      EARLY,
      {
        why: 'Outside the calling window, 08:00–20:00 in America/Denver, until 2026-11-02 15:00 UTC',
        ...OPENS,
      },
    ],
    [
      'the hours of a profile',
      {},
      ruled({ hours: { tuesday: [['08:00', '20:00']] } }),
      at('02T16:00'),
      {
        why: 'Outside the hours that the rule hours allows in America/Denver, until 2026-11-03 15:00 UTC',
        ...TOMORROW,
      },
    ],
    [
      'all rules that refuse it',
      {},
      ruled({ holiday_dates: ['2026-11-02'] }),
      EARLY,
      {
        why: 'Outside the calling window, 08:00–20:00 in America/Denver, and on a day that the rule holiday excludes in America/Denver, until 2026-11-03 15:00 UTC',
        ...TOMORROW,
      },
    ],
    [
      'the daily cap of a deferred contact',
      {
        reason: 'max_per_day',
        nextAttemptAt: at('03T15:00'),
        callee: { ...CALLEE, attempts: [at('02T16:00')] },
      },
      ruled({ max_per_day: 1 }),
      at('02T17:00'),
      {
        why: 'Called as often today as the rule max_per_day allows, until 2026-11-03 15:00 UTC',
        ...TOMORROW,
      },
    ],
    [
      'missing consent',
      {},
      ruled({ consent: 'required' }),
      EARLY,
      { why: 'Not called: the rule consent requires a consent that is not recorded', ...NEVER },
    ],
    [
      'an unknown time zone',
      { callee: { ...CALLEE, toNumber: '+881612345678' } },
      ruled(),
      EARLY,
      { why: 'Not called: the rule zone_unknown requires a time zone that is certain', ...NEVER },
    ],
    [
      'the rule that ended it',
      { state: 'invalid', reason: 'consent' },
      ruled({ consent: 'required' }),
      EARLY,
      {
        why: 'Not called: the rule consent requires a consent that is not recorded',
        action: 'none',
        at: null,
        sentence: 'It is not dialled again',
      },
    ],
  ])('names %s', (_what, contact, campaign, now, story) => {
    expect(storyOf({ callee: CALLEE, ...contact }, campaign, now)).toEqual(story);
  });

  test("uses the contact's own zone for the window and the time of the next dial", () => {
    const callee = { ...CALLEE, timezone: 'Asia/Kolkata' };
    expect(storyOf({ callee }, ruled(), at('02T14:30'))).toMatchObject({
      why: 'Outside the calling window, 08:00–20:00 in Asia/Kolkata, until 2026-11-03 02:30 UTC',
      at: '2026-11-03T02:30:00.000Z',
    });
  });

  test('names the closing time of the window in which the contact can be called', () => {
    expect(storyOf({ callee: CALLEE }, ruled(), at('02T16:00'))).toEqual({
      why: 'Waiting to be dialled',
      action: 'dial',
      at: null,
      sentence:
        'It is dialled as soon as a line is free, attempt 1 of 3; the window closes 2026-11-03 03:00 UTC',
    });
  });

  test('waits for the window after a redial that is due outside it', () => {
    const redial = { attempts: 1, lastEndReason: 'no_answer', nextAttemptAt: at('03T03:10') } as const;
    expect(storyOf({ callee: CALLEE, ...redial }, ruled(), at('03T02:50'))).toMatchObject({
      why: 'Last time, there was no answer; its redial is due 2026-11-03 03:10 UTC',
      at: '2026-11-03T15:00:00.000Z',
      sentence:
        'It is dialled again when the rules allow it, 2026-11-03 08:00 in America/Denver (2026-11-03 15:00 UTC), attempt 2 of 3',
    });
  });

  test("announces the end without a call after the contact's last window", () => {
    expect(storyOf({ callee: CALLEE }, ruled(), at('05T03:00'))).toMatchObject({
      why: "The campaign's last window is over",
    });
  });
});
