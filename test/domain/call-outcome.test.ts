import { callEndOf } from '../../domain/call-end';
import {
  END_REASONS,
  outcomeOf,
  type AnsweredBy,
  type CallOutcome,
  type EndReason,
} from '../../domain/call-outcome';

const ANSWERED = {
  answered: true,
  contactState: 'completed',
  redial: false,
  event: 'call.completed',
} as const;
const NOT = { answered: false, contactState: 'failed', redial: false, event: 'call.failed' } as const;

/** The table of docs/carrier.md, followed by the table of docs/architecture.md. */
const TABLE: [EndReason, AnsweredBy | null, CallOutcome][] = [
  ['agent', 'human', { ...ANSWERED, callStatus: 'completed' }],
  ['agent', 'unknown', { ...ANSWERED, callStatus: 'completed' }],
  ['agent', null, { ...ANSWERED, callStatus: 'completed' }],
  ['agent', 'machine', { ...ANSWERED, callStatus: 'voicemail' }],
  ['platform', 'human', { ...ANSWERED, callStatus: 'completed' }],
  ['platform', 'machine', { ...ANSWERED, callStatus: 'voicemail' }],
  ['platform', null, { ...NOT, callStatus: 'cancelled', contactState: 'cancelled' }],
  ['max_talk', 'human', { ...ANSWERED, callStatus: 'completed' }],
  ['max_talk', 'machine', { ...ANSWERED, callStatus: 'voicemail' }],
  ['callee', 'human', { ...ANSWERED, callStatus: 'User disconnected' }],
  ['dropped', 'human', { ...ANSWERED, callStatus: 'error' }],
  ['no_answer', null, { ...NOT, callStatus: 'no answer', redial: true, event: 'call.no_answer' }],
  ['busy', null, { ...NOT, callStatus: 'busy', redial: true }],
  ['carrier_failure', null, { ...NOT, callStatus: 'failed', redial: true }],
  ['carrier_unavailable', null, { ...NOT, callStatus: 'failed', redial: true }],
  ['rejected', null, { ...NOT, callStatus: 'rejected' }],
  ['invalid_number', null, { ...NOT, callStatus: 'failed', contactState: 'invalid' }],
  ['request_refused', null, { ...NOT, callStatus: 'error' }],
  ['lost', null, { ...NOT, callStatus: 'error' }],
  ['cancelled', null, { ...NOT, callStatus: 'cancelled', contactState: 'cancelled', event: null }],
  ['lines_busy', null, { ...NOT, callStatus: 'busy', event: null }],
  ['number_busy', null, { ...NOT, callStatus: 'busy', event: null }],
  ['spend_limit', null, { ...NOT, callStatus: 'cancelled', contactState: 'cancelled', event: null }],
  ['rules', null, { ...NOT, callStatus: 'cancelled', contactState: 'cancelled', event: null }],
  ['line_wait_expired', null, { ...NOT, callStatus: 'expired', contactState: 'expired', event: null }],
  ['campaign_over', null, { ...NOT, callStatus: 'expired', contactState: 'expired', event: null }],
];

test.each(TABLE)(
  'maps a call ended by %s and answered by %s to its outcome',
  (reason, answeredBy, outcome) => {
    expect(outcomeOf(reason, answeredBy)).toEqual(outcome);
  },
);

test('covers every end reason of the carrier', () => {
  const listed = new Set<string>(TABLE.map(([reason]) => reason));
  expect(END_REASONS.filter((reason) => !listed.has(reason))).toEqual([]);
});

test('redials only calls that no one answered', () => {
  const redialled = TABLE.filter(([, , { redial }]) => redial).map(([reason]) => reason);
  expect(redialled).toEqual(['no_answer', 'busy', 'carrier_failure', 'carrier_unavailable']);
});

test('throws for an unknown end reason', () => {
  expect(() => outcomeOf('evaporated' as EndReason, null)).toThrow('unexpected value: "evaporated"');
});

describe('callEndOf()', () => {
  test('returns the facts, the outcome without its webhook, and the price', () => {
    const facts = { endReason: 'no_answer', endedAt: '2026-11-03T05:00:30.000Z' } as const;
    expect(callEndOf(facts, 2)).toEqual({
      ...facts,
      callStatus: 'no answer',
      answered: false,
      contactState: 'failed',
      redial: true,
      carrierFailed: false,
      creditsPerMinute: 2,
      noAudio: false,
    });
  });

  test.each([
    ['dropped', true, { creditsPerMinute: 0, carrierFailed: true, noAudio: true }],
    ['dropped', false, { creditsPerMinute: 2, carrierFailed: false, noAudio: false }],
    // A callee who hangs up must have been on the phone.
    ['callee', true, { creditsPerMinute: 2, carrierFailed: false, noAudio: false }],
    ['carrier_failure', false, { creditsPerMinute: 2, carrierFailed: true, noAudio: false }],
    ['cancelled', false, { creditsPerMinute: 2, carrierFailed: null, noAudio: false }],
  ] as const)(
    'sets charge and carrier failure of a call that ended with %s, without audio: %s',
    (endReason, noAudio, end) => {
      expect(callEndOf({ endReason, endedAt: '2026-11-03T05:00:30.000Z', noAudio }, 2)).toMatchObject(end);
    },
  );

  test('returns voicemail if only the end reports a machine', () => {
    const facts = { endReason: 'agent', endedAt: '2026-11-03T05:00:30.000Z', answeredBy: 'machine' } as const;
    expect(callEndOf(facts, 1).callStatus).toBe('voicemail');
  });
});
