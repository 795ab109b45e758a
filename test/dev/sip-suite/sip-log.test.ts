import { callsIn, messagesIn, peakOf, readSipCalls } from '../../sip/support/sip-log';
import { temporaryFolder } from '../temporary-folder';
import { join } from 'node:path';

const LINE = '-'.repeat(47);
let seconds = 0;

/** A message in SIPp's log format. */
function block(
  start: string,
  { call = 'a@b', cseq = '1 INVITE', sent = false, to = '+916100001486', at = (seconds += 1) } = {},
): string {
  const direction = sent ? 'sent (211 bytes):' : 'received [274] bytes :';
  const time = `09:44:${String(at).padStart(2, '0')}.184246`;
  const head = `${LINE} 2026-11-23 ${time}\nUDP message ${direction}\n\n${start}\n`;
  return `${head}To: <sip:${to}@127.0.0.1>;tag=1\r\nCall-ID: ${call}\r\nCSeq: ${cseq}\r\nContent-Length: 0\r\n\r\n\n`;
}
beforeEach(() => (seconds = 0));

const INVITE = 'INVITE sip:+916100001486@127.0.0.1:25060 SIP/2.0';
const BYE = 'BYE sip:x@127.0.0.1 SIP/2.0';
const reply = (status: number, more: Parameters<typeof block>[1] = {}) =>
  block(`SIP/2.0 ${status} Words`, { sent: true, ...more });

test("parses a SIP message's direction, start line and UTC time", () => {
  expect(messagesIn(block(INVITE) + reply(486))).toMatchObject([
    { at: new Date('2026-11-23T09:44:01.184Z'), isSent: false, method: 'INVITE', status: null },
    { at: new Date('2026-11-23T09:44:02.184Z'), isSent: true, method: null, status: 486, cseq: '1 INVITE' },
  ]);
});

test('skips an incomplete SIP message', () => {
  const begun = block(INVITE).slice(0, -90);
  expect(messagesIn(reply(100) + begun).map(({ status }) => status)).toEqual([100]);
});

test('groups SIP messages by Call-ID and counts repeated messages once', () => {
  const log =
    block(INVITE) +
    block(INVITE, { call: 'other', to: '+916100002200' }) +
    block(INVITE) +
    reply(100) +
    reply(486) +
    reply(486) +
    block('ACK sip:x SIP/2.0', { cseq: '1 ACK' });
  expect(callsIn(messagesIn(log))).toMatchObject([
    { to: '916100001486', ladder: 'INVITE 100 486 ACK', answeredAt: null, endedAt: expect.any(Date) },
    { to: '916100002200', ladder: 'INVITE', answeredAt: null, endedAt: null },
  ]);
});

test("reads the bridge's port from the INVITE", () => {
  const withContact = `${INVITE}\r\nContact: <sip:127.0.0.1:25061;transport=udp>`;
  const log = block(withContact) + block(INVITE, { call: 'other' });
  expect(callsIn(messagesIn(log)).map(({ contactPort }) => contactPort)).toEqual([25_061, null]);
});

test('considers an answered call live until its BYE, including a call that was challenged first', () => {
  const log =
    block(INVITE) +
    reply(407) +
    block(INVITE, { cseq: '2 INVITE' }) +
    reply(200, { cseq: '2 INVITE' }) +
    block(BYE, { cseq: '3 BYE' });
  const [call] = callsIn(messagesIn(log));
  expect(call?.answeredAt?.getUTCSeconds()).toBe(4);
  expect(call?.endedAt?.getUTCSeconds()).toBe(5);
  expect(callsIn(messagesIn(log.slice(0, log.lastIndexOf(LINE))))[0]?.endedAt).toBeNull();
});

test('counts concurrent calls for the peak, including calls that never ended', () => {
  const call = (from: number, to: number | null) => ({
    invitedAt: new Date(from),
    endedAt: to === null ? null : new Date(to),
  });
  expect(peakOf([])).toBe(0);
  expect(peakOf([call(1, 3), call(3, 5), call(5, null)])).toBe(1);
  expect(peakOf([call(1, 4), call(3, 5), call(6, null), call(7, 8), call(9, 10)])).toBe(2);
});

test('reads a missing SIP log as empty', () => {
  expect(readSipCalls(join(temporaryFolder(), 'none.log'))).toEqual([]);
});
