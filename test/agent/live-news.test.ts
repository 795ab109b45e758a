/** Telling what happens while it happens, over real HTTP. */
import { LiveNews } from '../../agent/platform/live-news';
import { readCarrierEvent } from '../../api/carriers/http/event';
import { LIVE_KINDS } from '../../workflows/domain/live-updates';
import { SECRET, SmallPlatform } from './support/small-platform';

let platform: SmallPlatform;
const open: LiveNews[] = [];

beforeEach(async () => {
  platform = await SmallPlatform.open();
  platform.isListenedTo = true;
});
afterEach(async () => {
  for (const news of open.splice(0)) news.close();
  await platform.close();
});

function newsOf(pace?: { everyMs: number; quietMs: number }, url = platform.url): LiveNews {
  const target = { apiUrl: url, carrierSecret: SECRET, callId: 'outbound-1-a', roomName: 'room-1' };
  const news = new LiveNews(target, pace);
  open.push(news);
  return news;
}

const told = (): any[] => platform.live.flatMap(({ news }) => news as object[]);
const kinds = (): string[] => told().map(({ kind }) => kind as string);

test('each kind is one that the API knows, and names the call', async () => {
  const news = newsOf();
  for (const kind of LIVE_KINDS) news.tell(kind, { speaker: 'user', text: 'so far' });
  await platform.until(() => kinds().length === LIVE_KINDS.length);
  expect(kinds()).toEqual([...LIVE_KINDS]);
  for (const event of platform.live) expect(readCarrierEvent(event)).toHaveProperty('event');
  expect(platform.live[0]).toMatchObject({ reference: 'outbound-1-a', carrier_id: 'room-1' });
});

test('what is told at once goes in one request, of what a speaker is saying only the newest', async () => {
  const news = newsOf();
  for (const text of ['I', 'I want', 'I want to']) news.tell('transcript', { speaker: 'user', text });
  news.tell('transcript', { speaker: 'agent', text: 'Sure' });
  news.tell('turn_ended', { speaker: 'user' });
  await platform.until(() => platform.live.length === 1);
  expect(told()).toMatchObject([
    { kind: 'transcript', speaker: 'user', text: 'I want to' },
    { kind: 'transcript', speaker: 'agent', text: 'Sure' },
    { kind: 'turn_ended', speaker: 'user' },
  ]);
});

test('a second of words makes four requests at most', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  try {
    const news = newsOf();
    let words = 0;
    while (words < 45) {
      news.tell('transcript', { speaker: 'user', text: `${(words += 1)}` });
      jest.advanceTimersByTime(20);
      // Answers come by real sockets.
      for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(platform.live.length).toBeGreaterThan(1);
    expect(platform.live.length).toBeLessThanOrEqual(4);
  } finally {
    jest.useRealTimers();
  }
});

test('where nobody listens it falls silent for a while, and then asks again', async () => {
  platform.isListenedTo = false;
  const news = newsOf({ everyMs: 0, quietMs: 100 });
  news.tell('agent_thinking');
  await platform.until(() => platform.live.length === 1);
  platform.isListenedTo = true;
  let tries = 0;
  while (platform.live.length === 1) {
    news.tell('turn_started', { speaker: 'user' });
    tries += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(tries).toBeGreaterThan(platform.live[1]?.news.length);
});

test('the conversation does not notice an API that is away, nor what is told after the end', async () => {
  platform.troubles = [503, 0];
  const news = newsOf({ everyMs: 0, quietMs: 0 });
  news.tell('agent_thinking');
  const nowhere = newsOf({ everyMs: 0, quietMs: 0 }, 'http://127.0.0.1:1');
  nowhere.tell('agent_thinking');
  while (platform.live.length === 0) {
    news.tell('turn_started', { speaker: 'user' });
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(kinds()).not.toContain('agent_thinking');
  news.close();
  const before = platform.live.length;
  news.tell('turn_ended', { speaker: 'user' });
  const after = newsOf();
  after.tell('interrupted');
  await platform.until(() => kinds().includes('interrupted'));
  expect(kinds().slice(before)).not.toContain('turn_ended');
});

test('words without end are cut to their newest', async () => {
  const news = newsOf();
  news.tell('transcript', { speaker: 'user', text: `${'x'.repeat(5_000)}the end` });
  await platform.until(() => platform.live.length === 1);
  expect(told()[0].text).toHaveLength(2_000);
  expect(told()[0].text.endsWith('the end')).toBe(true);
});
