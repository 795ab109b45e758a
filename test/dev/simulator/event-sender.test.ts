import {
  createEventSender,
  progressKey,
  type EventMessage,
  type PostResult,
} from '../../../dev/simulator/events';
import { ManualClock, MemoryLog } from './fixtures';

const message = (differences: Partial<EventMessage> = {}): EventMessage => ({
  eventId: 'event-1',
  type: 'dialing',
  carrierId: 'sim_1',
  reference: 'outbound-1',
  url: 'http://receiver/events',
  body: '{}',
  copies: 1,
  shuffleSeed: null,
  ...differences,
});

function startSender(answer: (attempt: number) => number | null | 'never') {
  const clock = new ManualClock();
  const log = new MemoryLog();
  const startMs = clock.nowMs();
  const posts: { atMs: number; body: string }[] = [];
  const poster = {
    post(_url: string, body: string): Promise<PostResult> {
      posts.push({ atMs: clock.nowMs() - startMs, body });
      const status = answer(posts.length);
      return status === 'never'
        ? new Promise(() => undefined)
        : Promise.resolve({ status, body: '{"accept":true}' });
    },
    close: () => undefined,
  };
  const retryDelaysMs = [200, 1000, 5000, 25_000];
  const sender = createEventSender({ clock, log, poster, retryDelaysMs, shuffleMs: 3000 });
  const pass = async (ms: number) => {
    await new Promise(setImmediate);
    clock.advance(ms);
    await new Promise(setImmediate);
  };
  return { clock, log, posts, sender, pass };
}

test('retries an event after 0.2, 1, 5 and 25 seconds before it gives up', async () => {
  const { log, posts, sender, pass } = startSender(() => 500);
  const givenUp = jest.fn();
  sender.send(message({ onGivenUp: givenUp }));
  for (const ms of [200, 1000, 5000, 25_000, 100_000]) await pass(ms);
  expect(posts.map(({ atMs }) => atMs)).toEqual([0, 200, 1200, 6200, 31_200]);
  expect(givenUp).toHaveBeenCalledTimes(1);
  expect(log.of('event').map(({ event_id, attempt, status }) => [event_id, attempt, status])).toEqual(
    [1, 2, 3, 4, 5].map((attempt) => ['event-1', attempt, 500]),
  );
});

test('does not retry an accepted event', async () => {
  const { posts, sender, pass } = startSender((attempt) => (attempt === 1 ? null : 204));
  sender.send(message());
  for (const ms of [200, 100_000]) await pass(ms);
  expect(posts).toHaveLength(2);
});

test('sends later events without delay while the receiver is slow to respond', () => {
  const { posts, sender } = startSender(() => 'never');
  for (const body of ['a', 'b', 'c']) sender.send(message({ body }));
  expect(posts.map(({ body }) => body)).toEqual(['a', 'b', 'c']);
});

test('sends shuffled copies at different but repeatable times within the spread', async () => {
  const run = async () => {
    const { posts, sender, pass } = startSender(() => 200);
    for (const body of ['0', '1', '2', '3'])
      sender.send(message({ body, copies: 2, shuffleSeed: `x:${body}` }));
    await pass(3000);
    return posts.map(({ atMs, body }) => `${body}@${atMs}`);
  };
  const order = await run();
  expect(order).toHaveLength(8);
  expect(order).toEqual(await run());
  expect(order.map((each) => each[0])).not.toEqual(['0', '0', '1', '1', '2', '2', '3', '3']);
});

test('skips events that an earlier process delivered, and continues the attempt count of others', async () => {
  const { log, posts, sender, pass } = startSender(() => 500);
  const earlier = new Map([
    [progressKey('done', 0), { attempts: 1, accepted: true }],
    [progressKey('open', 0), { attempts: 4, accepted: false }],
  ]);
  sender.send(message({ eventId: 'done' }), earlier);
  sender.send(message({ eventId: 'open' }), earlier);
  await pass(100_000);
  expect(posts).toHaveLength(1);
  expect(log.of('event')).toMatchObject([{ event_id: 'open', attempt: 5 }]);
});

test("passes on the receiver's response to an event", async () => {
  const { sender, pass } = startSender(() => 200);
  const onAnswer = jest.fn();
  sender.send(message({ onAnswer }));
  await pass(0);
  expect(onAnswer).toHaveBeenCalledWith('{"accept":true}');
});

test('sends no events after the sender is closed', async () => {
  const { posts, sender, pass } = startSender(() => 500);
  sender.send(message());
  await pass(0);
  sender.close();
  await pass(100_000);
  expect(posts).toHaveLength(1);
});
