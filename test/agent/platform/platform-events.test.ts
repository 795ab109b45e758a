/** Tests the event queue over real HTTP. */
import { PlatformEvents } from '../../../agent/platform/platform-events';
import { END_REASONS } from '../../../domain/call-outcome';
import { AGENT_END_REASONS } from '../../../agent/platform/platform-events';
import { readCarrierEvent } from '../../../api/carriers/http/event';
import { FakePlatform, tokenOf } from '../support/fake-platform';

const LOG = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: jest.fn() };

let platform: FakePlatform;
let events: PlatformEvents;

beforeEach(async () => {
  platform = await FakePlatform.open();
  events = eventsOf();
  LOG.error.mockClear();
});
afterEach(() => platform.close());

const eventsOf = () =>
  new PlatformEvents({
    apiUrl: platform.url,
    secret: tokenOf('outbound-1-a'),
    callId: 'outbound-1-a',
    roomName: 'room-1',
    log: LOG,
  });

test('delivers events in the order in which they were emitted, despite failures', async () => {
  platform.nextStatuses = [503, 0, 429];
  events.emit({ type: 'ringing' });
  events.emit({ type: 'answered' });
  events.emit({ type: 'ended', end_reason: 'agent' });
  expect(await events.flush(20_000)).toBe(true);
  expect(platform.types).toEqual(['ringing', 'answered', 'ended']);
});

test('returns from emit() immediately, and from flush() when its time limit has passed', async () => {
  platform.nextStatuses = Array.from({ length: 20 }, () => 503);
  events.emit({ type: 'ringing' });
  expect(await events.flush(50)).toBe(false);
  events.abandon();
  expect(await events.flush(5_000)).toBe(true);
  expect(platform.events).toEqual([]);
});

test('continues after an event that the API rejects, and logs the event without its text', async () => {
  platform.nextStatuses = [422];
  events.emit({ type: 'segment', speaker: 'agent', text: 'Hello Asha', start_ms: 0, end_ms: 1 });
  events.emit({ type: 'answered' });
  await events.flush(5_000);
  expect(platform.types).toEqual(['answered']);
  expect(LOG.error.mock.calls).toEqual([
    [{ type: 'segment', status: 422 }, 'the API did not accept an event'],
  ]);
});

test('retries an event with the same id and time', async () => {
  const seen: object[] = [];
  platform.onEvent = (event) => seen.push(event);
  platform.dropResponses = 1;
  events.emit({ type: 'answered' }, new Date('2026-11-02T05:00:00.000Z'));
  await events.flush(5_000);
  expect(seen).toHaveLength(2);
  expect(seen[0]).toEqual(seen[1]);
  expect(seen[0]).toMatchObject({ at: '2026-11-02T05:00:00.000Z' });
});

test('sends every event type in a form that the API accepts', async () => {
  events.emit({ type: 'ringing' });
  events.emit({ type: 'answered' });
  events.emit({ type: 'segment', speaker: 'agent', text: 'Hello', start_ms: 0, end_ms: 500 });
  for (const end_reason of AGENT_END_REASONS) events.emit({ type: 'ended', end_reason });
  await events.flush(5_000);
  expect(platform.events).toHaveLength(3 + AGENT_END_REASONS.length);
  for (const event of platform.events) expect(readCarrierEvent(event)).toHaveProperty('event');
  expect(AGENT_END_REASONS.filter((reason) => !END_REASONS.includes(reason))).toEqual([]);
});
