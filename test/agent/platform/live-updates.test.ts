/** Tests live updates of a call over real HTTP. */
import { LiveUpdates, type LivePace } from '../../../agent/platform/live-updates';
import { readCarrierEvent } from '../../../api/carriers/http/event';
import { LIVE_KINDS } from '../../../domain/live-updates';
import { FakePlatform, tokenOf } from '../support/fake-platform';

const CALL = 'outbound-1-a';

let platform: FakePlatform;
const open: LiveUpdates[] = [];

beforeEach(async () => {
  platform = await FakePlatform.open();
  platform.hasListeners = true;
});
afterEach(async () => {
  for (const updates of open.splice(0)) updates.close();
  await platform.close();
});

function openUpdates(pace?: LivePace, url = platform.url): LiveUpdates {
  const target = { apiUrl: url, secret: tokenOf(CALL), callId: CALL, roomName: 'room-1' };
  const updates = new LiveUpdates(target, pace);
  open.push(updates);
  return updates;
}

const publishedItems = (): any[] => platform.live.flatMap(({ news }) => news as object[]);
const kinds = (): string[] => publishedItems().map(({ kind }) => kind as string);

test('sends each kind of update with the id of the call, in a form that the API accepts', async () => {
  const updates = openUpdates();
  for (const kind of LIVE_KINDS) updates.publish(kind, { speaker: 'user', text: 'so far' });
  await platform.until(() => kinds().length === LIVE_KINDS.length);
  expect(kinds()).toEqual([...LIVE_KINDS]);
  for (const event of platform.live) expect(readCarrierEvent(event)).toHaveProperty('event');
  expect(platform.live[0]).toMatchObject({ reference: 'outbound-1-a', carrier_id: 'room-1' });
});

test('combines updates into one request, with only the newest transcript of each speaker', async () => {
  const updates = openUpdates();
  for (const text of ['I', 'I want', 'I want to']) updates.publish('transcript', { speaker: 'user', text });
  updates.publish('transcript', { speaker: 'agent', text: 'Sure' });
  updates.publish('turn_ended', { speaker: 'user' });
  await platform.until(() => platform.live.length === 1);
  expect(publishedItems()).toMatchObject([
    { kind: 'transcript', speaker: 'user', text: 'I want to' },
    { kind: 'transcript', speaker: 'agent', text: 'Sure' },
    { kind: 'turn_ended', speaker: 'user' },
  ]);
});

test('makes at most four requests for one second of transcripts', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  try {
    const updates = openUpdates();
    let words = 0;
    while (words < 45) {
      updates.publish('transcript', { speaker: 'user', text: `${(words += 1)}` });
      jest.advanceTimersByTime(20);
      // Let the responses arrive, because they come over real sockets.
      for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(platform.live.length).toBeGreaterThan(1);
    expect(platform.live.length).toBeLessThanOrEqual(4);
  } finally {
    jest.useRealTimers();
  }
});

test('pauses while there are no listeners, then sends again', async () => {
  platform.hasListeners = false;
  const updates = openUpdates({ intervalMs: 0, pauseMs: 100 });
  updates.publish('agent_thinking');
  await platform.until(() => platform.live.length === 1);
  platform.hasListeners = true;
  let tries = 0;
  while (platform.live.length === 1) {
    updates.publish('turn_started', { speaker: 'user' });
    tries += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(tries).toBeGreaterThan(platform.live[1]?.news.length);
});

test('ignores an unavailable API and updates after close()', async () => {
  platform.nextStatuses = [503, 0];
  const updates = openUpdates({ intervalMs: 0, pauseMs: 0 });
  updates.publish('agent_thinking');
  const nowhere = openUpdates({ intervalMs: 0, pauseMs: 0 }, 'http://127.0.0.1:1');
  nowhere.publish('agent_thinking');
  while (platform.live.length === 0) {
    updates.publish('turn_started', { speaker: 'user' });
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(kinds()).not.toContain('agent_thinking');
  updates.close();
  const before = platform.live.length;
  updates.publish('turn_ended', { speaker: 'user' });
  const after = openUpdates();
  after.publish('interrupted');
  await platform.until(() => kinds().includes('interrupted'));
  expect(kinds().slice(before)).not.toContain('turn_ended');
});

test('truncates a long transcript to its newest characters', async () => {
  const updates = openUpdates();
  updates.publish('transcript', { speaker: 'user', text: `${'x'.repeat(5_000)}the end` });
  await platform.until(() => platform.live.length === 1);
  expect(publishedItems()[0].text).toHaveLength(2_000);
  expect(publishedItems()[0].text.endsWith('the end')).toBe(true);
});
