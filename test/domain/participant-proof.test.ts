/** Responses of LiveKit server 1.13.5 and SIP bridge 1.10.0 to the question whether a participant is present. */
import { hangUpProof, participantProof } from '../../domain/participant-proof';

const rpcError = (code: number, message: string) => ({
  code: 'invalid_argument',
  msg: `twirp error unknown: RpcError ${code}: ${message}`,
});

test.each([
  [
    'a bridge with the callee’s answer',
    200,
    { payload: '{"headers":{"Call-ID":"x"}}' },
    { kind: 'there', isAnswered: true },
  ],
  ['a bridge before any answer', 200, { payload: '{"headers":{}}' }, { kind: 'there', isAnswered: false }],
  [
    'a bridge whose INVITE is under way',
    408,
    rpcError(1502, 'Response timeout'),
    { kind: 'there', isAnswered: false },
  ],
  [
    'a participant that does not know the method',
    400,
    rpcError(1400, 'Method not supported at destination'),
    { kind: 'there', isAnswered: null },
  ],
  [
    'a participant that replies with malformed JSON',
    200,
    { payload: 'hello' },
    { kind: 'there', isAnswered: null },
  ],
  ['a bridge that was killed', 408, rpcError(1501, 'Connection timeout'), { kind: 'unproven' }],
  ['a participant that has left', 404, rpcError(1401, 'Recipient not found'), { kind: 'absent' }],
  ['a participant that is leaving', 404, rpcError(1503, 'Recipient disconnected'), { kind: 'absent' }],
  [
    'a participant that died with LiveKit but is still listed',
    503,
    { code: 'unavailable', msg: 'twirp error unknown: no response from servers' },
    { kind: 'absent' },
  ],
  [
    'a LiveKit that cannot ask, so that its list counts',
    404,
    { code: 'bad_route', msg: 'no handler' },
    { kind: 'there', isAnswered: null },
  ],
])('reads the response of or about %s', (_what, status, body, proof) => {
  expect(participantProof(status, body)).toEqual(proof);
});

test.each([
  [401, { code: 'unauthenticated', msg: 'invalid token' }],
  [500, { code: 'internal', msg: 'redis is away' }],
  [502, null],
])('draws no conclusion from a failure of LiveKit itself: %p', (status, body) => {
  expect(participantProof(status, body)).toBeNull();
});

test.each([
  ['a bridge that has hung up and left', 404, rpcError(1503, 'Recipient disconnected'), 'hungUp'],
  ['a bridge that replies before it leaves', 200, { payload: '{}' }, 'hungUp'],
  ['a bridge that had hung up before', 400, rpcError(1500, 'call already ended'), 'hungUp'],
  ['a bridge that was killed', 408, rpcError(1501, 'Connection timeout'), 'lost'],
  ['a phone that is not in the room', 404, rpcError(1401, 'Recipient not found'), 'lost'],
  [
    'a phone that died with LiveKit',
    503,
    { code: 'unavailable', msg: 'twirp error unknown: no response from servers' },
    'lost',
  ],
  ['a bridge whose trunk does not respond to the BYE', 408, rpcError(1502, 'Response timeout'), 'unknown'],
  [
    'a bridge that does not know the method',
    400,
    rpcError(1400, 'Method not supported at destination'),
    'unknown',
  ],
  ['a LiveKit that does not know it', 404, { code: 'bad_route', msg: 'no handler' }, 'unknown'],
  ['a LiveKit that fails', 500, { code: 'internal', msg: 'redis is away' }, 'unknown'],
])('interprets the response to a hang-up of %s', (_what, status, body, proof) => {
  expect(hangUpProof(status, body)).toBe(proof);
});
