import type { StoryCampaign, StoryContact } from '../../domain/contact-story';
import { CONTACT_STATES } from '../../domain/call-outcome';
import { at, CALLBACK, REDIAL, storyOf } from './support/contact-story';

describe('storyOf() for a contact that is being called', () => {
  const underWay = (contact: Partial<StoryContact>, campaign: Partial<StoryCampaign> = {}, now?: number) =>
    storyOf({ state: 'in_progress', openStage: 'placed', ...contact }, campaign, now).sentence;

  test.each([
    [
      0,
      {},
      'Its call is in progress, attempt 1 of 3; if it is not answered, the next dial follows 30 minutes after it ends',
    ],
    [
      1,
      { retryDelayMins: 1 },
      'Its call is in progress, attempt 2 of 3; if it is not answered, the next dial follows 1 minute after it ends',
    ],
    [
      0,
      { retryDelayMins: 0 },
      'Its call is in progress, attempt 1 of 3; if it is not answered, the next dial follows as soon as it ends',
    ],
    [2, {}, 'Its call is in progress, attempt 3 of 3; no further dial follows'],
    [0, { maxAttempts: 1 }, 'Its call is in progress, attempt 1 of 1; no further dial follows'],
    [0, { status: 'cancelled' as const }, 'Its call is in progress, attempt 1 of 3; no further dial follows'],
  ])('names the next dial after %d dials, with %j', (attempts, campaign, sentence) => {
    expect(underWay({ attempts }, campaign)).toBe(sentence);
  });

  test('names no next dial if it would be due after the last window', () => {
    expect(underWay({}, {}, at('04T09:31'))).toMatch(/no further dial follows$/);
    expect(underWay({}, {}, at('04T09:29'))).toMatch(/30 minutes after it ends$/);
  });

  test('gives no reason why a contact is not called while it is being called', () => {
    expect(storyOf({ state: 'in_progress' })).toMatchObject({ why: null, action: 'none', at: null });
  });
});

describe('storyOf() for a contact that has ended', () => {
  test.each<[Partial<StoryContact>, Partial<StoryCampaign>, string | null]>([
    [{ state: 'completed', attempts: 1 }, {}, null],
    [{ state: 'duplicate', reason: 'same number as row 12' }, {}, 'Row 12 has the same number'],
    [{ state: 'duplicate', reason: null }, {}, 'Another row has the same number'],
    [{ state: 'dnd', reason: 'dnd' }, {}, 'The number is on a do-not-disturb list'],
    [{ state: 'dnd', reason: null }, {}, 'The number is on a do-not-disturb list'],
    [
      { state: 'dnd', reason: 'dnd_unverified', attempts: 3 },
      {},
      'The do-not-disturb registry did not respond, and all 3 dials are used up',
    ],
    [
      { state: 'dnd', reason: 'dnd_unverified', attempts: 2 },
      {},
      'The do-not-disturb registry did not respond, and all 3 dials are used up',
    ],
    [
      { state: 'dnd', reason: 'dnd_unverified' },
      { status: 'cancelled' },
      'The do-not-disturb registry did not respond, and the campaign was cancelled before its next dial',
    ],
    [{ state: 'invalid', reason: 'invalid_number', attempts: 1 }, {}, 'The number does not exist'],
    [
      { state: 'failed', reason: 'no_answer', attempts: 3 },
      {},
      'There was no answer, and all 3 dials are used up',
    ],
    [
      { state: 'failed', reason: 'busy', attempts: 1 },
      { maxAttempts: 1 },
      'The line was busy, and only one dial is allowed',
    ],
    [
      { state: 'failed', reason: 'busy', attempts: 1 },
      { status: 'cancelled' },
      'The line was busy, and the campaign was cancelled before its next dial',
    ],
    [
      { state: 'failed', reason: 'busy', attempts: 3 },
      { maxAttempts: 2 },
      'The line was busy, and all 3 dials are used up',
    ],
    // A raised maximum of dials doesn't revive an ended contact.
    [{ state: 'failed', reason: 'no_answer', attempts: 2 }, { maxAttempts: 5 }, 'There was no answer'],
    [{ state: 'failed', reason: 'rejected', attempts: 1 }, {}, 'The call was declined'],
    [{ state: 'failed', reason: 'lost', attempts: 3 }, {}, 'The carrier never reported how the call ended'],
    [{ state: 'failed', reason: 'a_new_one', attempts: 3 }, {}, 'A new one'],
    [
      { state: 'cancelled', reason: 'cancelled' },
      { status: 'cancelled' },
      'The campaign was cancelled before its first dial',
    ],
    [
      { state: 'cancelled', reason: 'cancelled', attempts: 1 },
      { status: 'cancelled' },
      'The campaign was cancelled before its next dial',
    ],
    [
      { state: 'cancelled', reason: 'cancelled' },
      { status: 'completed' },
      'Its call was cancelled before it was dialled',
    ],
    [
      { state: 'cancelled', reason: 'platform', attempts: 1 },
      { status: 'cancelled' },
      'A person ended the call before it was answered',
    ],
    [
      { state: 'expired', reason: 'campaign_over' },
      { status: 'completed' },
      "The campaign's last day passed before its first dial",
    ],
    [
      { state: 'expired', reason: 'campaign_over', attempts: 2 },
      { status: 'completed' },
      "The campaign's last day passed before its next dial",
    ],
  ])('explains %j in a campaign with %j', (contact, campaign, why) => {
    expect(storyOf(contact, campaign)).toMatchObject({ why, action: 'none', at: null });
  });
});

test('returns whole sentences for every state and status, inside and outside the window', () => {
  const statuses = [
    'scheduled',
    'active',
    'paused',
    'paused_out_of_range',
    'completed',
    'cancelled',
  ] as const;
  for (const state of CONTACT_STATES)
    for (const status of statuses)
      for (const now of [at('01T00:00'), at('02T05:00'), at('02T12:00'), at('09T05:00')])
        for (const contact of [{}, REDIAL, CALLBACK]) {
          const { why, sentence, action, at: when } = storyOf({ ...contact, state }, { status }, now);
          expect([sentence, why ?? 'None']).toEqual([
            expect.stringMatching(/^[A-Z][^_]+[^.,;: ]$/),
            expect.stringMatching(/^[A-Z][^_]+[^.,;: ]$/),
          ]);
          if (action === 'none') expect(when).toBeNull();
          if (when !== null) expect(Date.parse(when)).toBeGreaterThanOrEqual(now);
        }
});
