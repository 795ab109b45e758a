import { presentCall } from '../../../dev/simulator/call';
import { Counters, replayLog } from '../../../dev/simulator/history';
import type { EventMessage } from '../../../dev/simulator/events';
import { Exchange } from '../../../dev/simulator/exchange';
import type { CallRequest } from '../../../dev/simulator/protocol';
import { AGENT, callRequest, ManualClock, MemoryLog, numberEnding } from './fixtures';

const RING_TIMEOUT_AND_TALK_MS = 60_000;

/** Creates an exchange with a manual clock. Pass an earlier exchange's `log` and `clock` to simulate a restart. */
function startExchange({ log = new MemoryLog(), clock = new ManualClock() } = {}) {
  const counters = new Counters();
  const sent: EventMessage[] = [];
  const exchange = new Exchange({
    clock,
    log,
    counters,
    sender: { send: (message) => sent.push(message), close: () => undefined },
    timings: { ringMs: 2000, talkMs: 4000, ringCapMs: null },
    lookupLagMs: 1500,
  });
  const history = replayLog(log.entries, counters);
  exchange.restore(history.calls, history.deliveries);
  const place = (differences: Partial<CallRequest> = {}) =>
    exchange.place(callRequest(differences), clock.nowMs());
  const bodies = () => sent.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  const types = () => sent.map(({ type }) => type).filter((type) => type !== 'segment');
  return { clock, log, counters, exchange, sent, place, bodies, types };
}

test.each([
  ['00', 'dialing ringing answered ended', 'agent', 'human'],
  ['70', 'dialing ringing answered ended', 'callee', 'human'],
  ['74', 'dialing ended', 'invalid_number', null],
  ['75', 'dialing ringing ended', 'no_answer', null],
  ['80', 'dialing ringing ended', 'no_answer', null],
  ['85', 'dialing ended', 'busy', null],
  ['88', 'dialing ringing ended', 'rejected', null],
  ['90', 'dialing ringing answered ended', 'agent', 'machine'],
  ['91', 'dialing ringing answered ended', 'dropped', 'human'],
  ['92', 'dialing ended', 'carrier_failure', null],
  ['93', 'dialing ringing answered ended', 'agent', 'human'],
  ['94', 'dialing ringing answered ended', 'agent', 'human'],
  ['97', 'dialing ringing answered ended', 'agent', 'human'],
  ['98', 'dialing ringing answered ended', 'agent', 'human'],
  ['99', 'dialing ringing answered', 'agent', 'human'],
])('handles a call to %s: emits %s and ends with %s', (digits, expected, reason, answeredBy) => {
  const { clock, exchange, place, types } = startExchange();
  place({ to: numberEnding(digits) });
  clock.advance(RING_TIMEOUT_AND_TALK_MS);
  expect(types().join(' ')).toBe(expected);
  const [call] = exchange.find('outbound-1').map(presentCall);
  expect(call).toMatchObject({ state: 'ended', end_reason: reason, answered_by: answeredBy });
});

test('lets a call to 73 last for the maximum talk time', () => {
  const { clock, place, bodies } = startExchange();
  place({ to: numberEnding('73'), max_talk_s: 50 });
  clock.advance(RING_TIMEOUT_AND_TALK_MS);
  const [answered, ended] = ['answered', 'ended'].map((type) =>
    bodies().find((body) => body['type'] === type),
  );
  expect(ended).toMatchObject({ end_reason: 'max_talk' });
  expect(Date.parse(String(ended?.['at'])) - Date.parse(String(answered?.['at']))).toBe(50_000);
});

test('leaves odd calls to 75 unanswered and answers even ones, even after a restart', () => {
  const first = startExchange();
  const to = numberEnding('75');
  first.place({ to });
  first.clock.advance(RING_TIMEOUT_AND_TALK_MS);
  const second = startExchange(first);
  second.place({ to, reference: 'outbound-2' });
  second.place({ to, reference: 'outbound-3' });
  second.clock.advance(RING_TIMEOUT_AND_TALK_MS);
  const reasons = ['outbound-1', 'outbound-2', 'outbound-3'].map(
    (reference) => second.exchange.find(reference)[0]?.endReason,
  );
  expect(reasons).toEqual(['no_answer', 'agent', 'no_answer']);
});

test('sends every event of a call to 94 twice, with separate delays', () => {
  const { clock, place, sent } = startExchange();
  place({ to: numberEnding('94') });
  clock.advance(RING_TIMEOUT_AND_TALK_MS);
  expect(sent.every(({ copies, shuffleSeed }) => copies === 2 && shuffleSeed !== null)).toBe(true);
  expect(new Set(sent.map(({ shuffleSeed }) => shuffleSeed)).size).toBe(sent.length);
});

test('emits a segment once it has been spoken, and includes it in later queries', () => {
  const { clock, exchange, place, bodies } = startExchange();
  const call = place();
  clock.advance(4500);
  const segments = bodies().filter((body) => body['type'] === 'segment');
  expect(segments.length).toBeGreaterThan(0);
  expect(segments.length).toBe(call.transcript.length);
  const [shown] = exchange.find('outbound-1').map(presentCall);
  expect(shown).toMatchObject({ state: 'answered', transcript: call.transcript, ended_at: null });
  for (const { at, end_ms } of segments) {
    expect(Date.parse(String(at))).toBe((call.answeredAtMs ?? 0) + Number(end_ms));
  }
  clock.advance(RING_TIMEOUT_AND_TALK_MS);
  expect(call.transcript.length).toBeGreaterThan(segments.length);
});

test('includes the call in each event and gives each event a unique id', () => {
  const { clock, place, bodies, sent } = startExchange();
  const call = place({ from: '+911234567890' });
  clock.advance(RING_TIMEOUT_AND_TALK_MS);
  for (const body of bodies()) {
    expect(body).toMatchObject({
      carrier_id: call.carrierId,
      reference: 'outbound-1',
      to: call.to,
      from: '+911234567890',
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown,
    });
  }
  expect(new Set(sent.map(({ eventId }) => eventId)).size).toBe(sent.length);
  expect(bodies().at(-1)).toMatchObject({ end_reason: 'agent', sip_status: 200, answered_by: 'human' });
});

test('hides a call for a while if its reply was lost, and finds all others immediately', () => {
  const { clock, exchange, place } = startExchange();
  place();
  place({ to: numberEnding('93'), reference: 'lost' });
  expect(exchange.find('outbound-1')).toHaveLength(1);
  expect(exchange.find('lost')).toHaveLength(0);
  clock.advance(1499);
  expect(exchange.find('lost')).toHaveLength(0);
  clock.advance(1);
  expect(exchange.find('lost')).toHaveLength(1);
});

test('ends a call when it is hung up and emits no further events', () => {
  const { clock, exchange, place, bodies, types } = startExchange();
  const call = place();
  clock.advance(100);
  expect(exchange.hangUp('nobody').result).toBe('unknown');
  expect(exchange.hangUp(call.carrierId).result).toBe('hung_up');
  expect(exchange.hangUp(call.carrierId).result).toBe('over');
  clock.advance(RING_TIMEOUT_AND_TALK_MS);
  expect(types().at(-1)).toBe('ended');
  expect(types().filter((type) => type === 'ended')).toHaveLength(1);
  expect(bodies().at(-1)).toMatchObject({ end_reason: 'platform', sip_status: 487, answered_by: null });
});

test('counts live calls, their peak and repeated references across a restart', () => {
  const first = startExchange();
  first.place();
  first.place();
  first.place({ reference: 'outbound-2', to: numberEnding('80') });
  expect(first.counters.stats()).toEqual({
    placed: 3,
    distinct_references: 2,
    duplicate_references: 1,
    live: 3,
    peak_live: 3,
  });
  first.clock.advance(8000);
  expect(first.counters.stats()).toMatchObject({ live: 1, peak_live: 3 });
  expect(startExchange(first).counters.stats()).toEqual(first.counters.stats());
});

describe('a restart', () => {
  test('continues a live call and gives missed steps their scheduled times', () => {
    const undisturbed = startExchange();
    const reference = undisturbed.place();
    undisturbed.clock.advance(RING_TIMEOUT_AND_TALK_MS);
    const first = startExchange();
    first.place();
    first.clock.advance(3000);
    first.clock.skip(60_000);
    const second = startExchange(first);
    const call = second.exchange.find('outbound-1')[0];
    expect(call).toMatchObject({ state: 'ended', endReason: 'agent', endedAtMs: reference.endedAtMs });
    expect(call?.transcript).toEqual(reference.transcript);
  });

  test('keeps the end time of a call that was in progress', () => {
    const first = startExchange();
    const before = first.place();
    first.clock.advance(3500);
    const second = startExchange(first);
    const call = second.exchange.find('outbound-1')[0];
    expect(call).toMatchObject({ state: 'answered', answeredAtMs: before.answeredAtMs });
    second.clock.advance(RING_TIMEOUT_AND_TALK_MS);
    const talkMs = (call?.endedAtMs ?? 0) - (call?.answeredAtMs ?? 0);
    const planned = before.steps.map((step) => step.after_ms);
    expect(talkMs).toBe(
      (planned.at(-1) ?? 0) - (before.steps.find((s) => s.type === 'answered')?.after_ms ?? 0),
    );
  });

  test('keeps the ids of all events', () => {
    const first = startExchange();
    first.place();
    first.clock.advance(RING_TIMEOUT_AND_TALK_MS);
    const second = startExchange(first);
    expect(second.sent.map(({ eventId, body }) => [eventId, body])).toEqual(
      first.sent.map(({ eventId, body }) => [eventId, body]),
    );
  });

  test('keeps the result of a hang-up', () => {
    const first = startExchange();
    const call = first.place();
    first.clock.advance(4000);
    first.exchange.hangUp(call.carrierId);
    first.clock.skip(60_000);
    const again = startExchange(first).exchange.find('outbound-1').map(presentCall);
    expect(again).toEqual([presentCall(call)]);
  });
});

describe('an inbound caller', () => {
  const route = { events_url: 'http://127.0.0.1:9/events', agent: AGENT };
  const ring = (exchange: Exchange) => exchange.ring(route, '+918000000001', numberEnding('01'));

  test('lets a caller ring until the platform decides', () => {
    const { clock, exchange, types } = startExchange();
    const call = ring(exchange);
    clock.advance(RING_TIMEOUT_AND_TALK_MS);
    expect(types()).toEqual(['inbound']);
    expect(call.state).toBe('ringing');
  });

  test('gives the caller the rejection reason, and sends the platform no more events', () => {
    const { clock, exchange, sent, log } = startExchange();
    const call = ring(exchange);
    clock.advance(0);
    sent[0]?.onAnswer?.('{"accept":false,"say":"We are closed."}');
    clock.advance(RING_TIMEOUT_AND_TALK_MS);
    expect(sent).toHaveLength(1);
    expect(call).toMatchObject({ state: 'ended', endReason: 'rejected' });
    expect(call.transcript).toMatchObject([{ speaker: 'agent', text: 'We are closed.' }]);
    expect(log.of('state').at(-1)).toMatchObject({ state: 'ended', end_reason: 'rejected', reference: null });
  });

  test.each(['', 'null', '{}', '{"accept":true}', '{"accept":"yes","reference":"inbound-1"}'])(
    'rejects a caller if the response is not a clear acceptance: %s',
    (answer) => {
      const { clock, exchange, sent } = startExchange();
      const call = ring(exchange);
      clock.advance(0);
      sent[0]?.onAnswer?.(answer);
      expect(call.endReason).toBe('rejected');
    },
  );

  test("ends a call when the platform can't be reached", () => {
    const { clock, exchange, sent } = startExchange();
    const call = ring(exchange);
    clock.advance(0);
    sent[0]?.onGivenUp?.();
    expect(call.endReason).toBe('no_answer');
  });

  test('continues a call after a restart if the platform had accepted it', () => {
    const first = startExchange();
    ring(first.exchange);
    first.clock.advance(0);
    first.sent[0]?.onAnswer?.('{"accept":true,"reference":"inbound-1"}');
    first.clock.advance(100);
    const second = startExchange(first);
    second.clock.advance(RING_TIMEOUT_AND_TALK_MS);
    expect(second.exchange.find('inbound-1').map(presentCall)).toMatchObject([
      { state: 'ended', end_reason: 'agent', from: numberEnding('01') },
    ]);
  });

  test('reports a call again with the same event id if it is still ringing after a restart', () => {
    const first = startExchange();
    ring(first.exchange);
    first.clock.advance(0);
    const second = startExchange(first);
    expect(second.sent.map(({ eventId, type }) => [eventId, type])).toEqual([
      [first.sent[0]?.eventId, 'inbound'],
    ]);
  });
});
