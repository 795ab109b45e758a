import { endReasonOfSip } from '../../activities/telephony/livekit/dialling';

test.each([
  [486, 'busy'],
  [600, 'busy'],
  [603, 'rejected'],
  [607, 'rejected'],
  [608, 'rejected'],
  [404, 'invalid_number'],
  [410, 'invalid_number'],
  [484, 'invalid_number'],
  [485, 'invalid_number'],
  [604, 'invalid_number'],
  [408, 'no_answer'],
  [480, 'no_answer'],
  [487, 'no_answer'],
])('maps SIP status %i to %s', (status, endReason) => {
  expect(endReasonOfSip(status)).toBe(endReason);
});

test.each([300, 401, 403, 407, 488, 500, 502, 503, 504, 580, 606, 699])(
  'treats SIP status %i as a failure of the trunk, not of the callee',
  (status) => {
    expect(endReasonOfSip(status)).toBe('carrier_failure');
  },
);
