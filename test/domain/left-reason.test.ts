import { endOfRinging, endOfTalk, leftReasonOf } from '../../domain/left-reason';

const TALK = { talkedMs: 30_000, maxTalkMs: 600_000 };

test('accepts both the number and the name of a LiveKit reason', () => {
  expect(leftReasonOf(1)).toBe('CLIENT_INITIATED');
  expect(leftReasonOf('CLIENT_INITIATED')).toBe('CLIENT_INITIATED');
  expect(leftReasonOf(13)).toBe('SIP_TRUNK_FAILURE');
});

test.each([null, 99, '', 'constructor', 'toString'])('treats %p as an unknown reason', (reported) => {
  expect(leftReasonOf(reported)).toBe('UNKNOWN_REASON');
});

test.each([
  ['CLIENT_INITIATED', 'callee'],
  ['ROOM_DELETED', 'platform'],
  ['PARTICIPANT_REMOVED', 'platform'],
  ['ROOM_CLOSED', 'platform'],
  ['SERVER_SHUTDOWN', 'dropped'],
  ['CONNECTION_TIMEOUT', 'dropped'],
  ['MEDIA_FAILURE', 'dropped'],
  ['UNKNOWN_REASON', 'dropped'],
] as const)("maps LiveKit's reason %s to %s after the call was answered", (left, endReason) => {
  expect(endOfTalk(left, TALK)).toBe(endReason);
});

test('detects that a conversation reached its time limit, despite rounded clocks', () => {
  expect(endOfTalk('CLIENT_INITIATED', { talkedMs: 600_000, maxTalkMs: 600_000 })).toBe('max_talk');
  expect(endOfTalk('CLIENT_INITIATED', { talkedMs: 599_000, maxTalkMs: 600_000 })).toBe('max_talk');
  expect(endOfTalk('CLIENT_INITIATED', { talkedMs: 598_000, maxTalkMs: 600_000 })).toBe('callee');
});

test.each([
  ['USER_UNAVAILABLE', 'no_answer'],
  ['USER_REJECTED', 'busy'],
  ['SIP_TRUNK_FAILURE', 'carrier_failure'],
  ['UNKNOWN_REASON', 'carrier_failure'],
  ['CONNECTION_TIMEOUT', 'carrier_failure'],
  ['ROOM_DELETED', 'platform'],
  ['CLIENT_INITIATED', 'carrier_failure'],
] as const)("maps LiveKit's reason %s to %s while the phone rings", (left, endReason) => {
  expect(endOfRinging(left, 'Outbound')).toBe(endReason);
});

test('returns cancelled for a caller who hangs up before the call is answered', () => {
  expect(endOfRinging('CLIENT_INITIATED', 'Incoming')).toBe('cancelled');
});
