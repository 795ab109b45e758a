import { GATHER_MS, ProgressBatch } from '../../api/carriers/http/progress-batch';
import type { ProgressEvent } from '../../db/calls/events';

const event = (reference: string): ProgressEvent => ({
  reference,
  carrierId: `sim-${reference}`,
  type: 'ringing',
  at: '2026-11-03T05:00:00.000Z',
});

/** Remembers each batch by its references; `hold` makes writes wait until they are let go, in order. */
function writer() {
  const batches: string[][] = [];
  const held: { finish: (error?: Error) => void }[] = [];
  const state = { hold: false, fault: null as Error | null };
  const apply = (events: ProgressEvent[]): Promise<void> => {
    batches.push(events.map(({ reference }) => reference));
    if (state.fault !== null) return Promise.reject(state.fault);
    if (!state.hold) return Promise.resolve();
    return new Promise((resolve, reject) =>
      held.push({ finish: (error) => (error === undefined ? resolve() : reject(error)) }),
    );
  };
  return { batches, held, state, batch: new ProgressBatch(apply) };
}

/** Whether a promise is settled, once everything that can happen without time has happened. */
async function settled(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  promise.then(
    () => (done = true),
    () => (done = true),
  );
  await jest.advanceTimersByTimeAsync(0);
  return done;
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('events of all calls are gathered and written together, in the order of their arrival', async () => {
  const { batch, batches } = writer();
  const added = Promise.all(['b', 'a', 'b'].map((reference) => batch.add(event(reference))));
  await jest.advanceTimersByTimeAsync(GATHER_MS - 1);
  expect(batches).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  await added;
  expect(batches).toEqual([['b', 'a', 'b']]);
});

test('the time counts from the first event, not from the last', async () => {
  const { batch, batches } = writer();
  void batch.add(event('a'));
  await jest.advanceTimersByTimeAsync(GATHER_MS - 10);
  void batch.add(event('b'));
  await jest.advanceTimersByTimeAsync(10);
  expect(batches).toEqual([['a', 'b']]);
});

test('an event is acknowledged when it is committed, not before', async () => {
  const { batch, held, state } = writer();
  state.hold = true;
  const added = batch.add(event('a'));
  await jest.advanceTimersByTimeAsync(GATHER_MS);
  expect(await settled(added)).toBe(false);
  held[0]?.finish();
  await expect(added).resolves.toBeUndefined();
});

test('an event that comes while a batch is written belongs to the next, which waits for it', async () => {
  const { batch, batches, held, state } = writer();
  state.hold = true;
  const first = batch.add(event('a'));
  await jest.advanceTimersByTimeAsync(GATHER_MS);
  const second = batch.add(event('b'));
  await jest.advanceTimersByTimeAsync(GATHER_MS);
  expect(batches).toEqual([['a']]);
  held[0]?.finish();
  await first;
  await jest.advanceTimersByTimeAsync(0);
  expect(batches).toEqual([['a'], ['b']]);
  held[1]?.finish();
  await second;
});

describe('the end of a call', () => {
  test('writes at once what is gathered, and waits until it stands', async () => {
    const { batch, batches, held, state } = writer();
    state.hold = true;
    const added = batch.add(event('a'));
    void batch.add(event('b'));
    const flushed = batch.flush('a');
    expect(await settled(flushed)).toBe(false);
    expect(batches).toEqual([['a', 'b']]);
    held[0]?.finish();
    await flushed;
    await added;
    await jest.advanceTimersByTimeAsync(GATHER_MS * 3);
    expect(batches).toHaveLength(1);
  });

  test('does not hurry the events of other calls', async () => {
    const { batch, batches } = writer();
    void batch.add(event('a'));
    await batch.flush('c');
    expect(batches).toEqual([]);
  });

  test('with nothing gathered goes on at once', async () => {
    const { batch, batches } = writer();
    await batch.flush('a');
    expect(batches).toEqual([]);
  });
});

describe('a batch that cannot be written', () => {
  test('fails everybody who added to it, and the next one works', async () => {
    const { batch, batches, state } = writer();
    state.fault = new Error('Postgres is away');
    const outcomes = Promise.allSettled([batch.add(event('a')), batch.add(event('b'))]);
    await jest.advanceTimersByTimeAsync(GATHER_MS);
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    state.fault = null;
    const next = batch.add(event('c'));
    await jest.advanceTimersByTimeAsync(GATHER_MS);
    await expect(next).resolves.toBeUndefined();
    expect(batches).toEqual([['a', 'b'], ['c']]);
  });

  test('fails the end of a call that waits for it, so that the carrier reports it again', async () => {
    const { batch, state } = writer();
    state.fault = new Error('Postgres is away');
    const outcomes = await Promise.allSettled([batch.add(event('a')), batch.flush('a')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('does not fail the batch that waits behind it', async () => {
    const { batch, held, state } = writer();
    state.hold = true;
    const first = batch.add(event('a')).catch((error: Error) => error.message);
    await jest.advanceTimersByTimeAsync(GATHER_MS);
    const second = batch.add(event('b'));
    await jest.advanceTimersByTimeAsync(GATHER_MS);
    held[0]?.finish(new Error('gone'));
    expect(await first).toBe('gone');
    await jest.advanceTimersByTimeAsync(0);
    held[1]?.finish();
    await expect(second).resolves.toBeUndefined();
  });
});

test('five hundred events are enough: they are written without waiting', async () => {
  const { batch, batches } = writer();
  const added = Promise.all(Array.from({ length: 500 }, (_none, index) => batch.add(event(`call-${index}`))));
  await jest.advanceTimersByTimeAsync(0);
  await added;
  expect(batches.map(({ length }) => length)).toEqual([500]);
});

test('the time to gather may be given', async () => {
  const written: ProgressEvent[][] = [];
  const batch = new ProgressBatch((events) => {
    written.push(events);
    return Promise.resolve();
  }, 20);
  void batch.add(event('a'));
  await jest.advanceTimersByTimeAsync(19);
  expect(written).toHaveLength(0);
  await jest.advanceTimersByTimeAsync(1);
  expect(written).toHaveLength(1);
});

test('an event that somebody waits for goes soon, with all that was gathered, and the next ones have their time', async () => {
  const { batch, batches } = writer();
  void batch.add(event('a'));
  void batch.add(event('b'), true);
  await jest.advanceTimersByTimeAsync(GATHER_MS / 5);
  expect(batches).toEqual([['a', 'b']]);
  void batch.add(event('c'));
  await jest.advanceTimersByTimeAsync(GATHER_MS - 1);
  expect(batches).toEqual([['a', 'b']]);
  await jest.advanceTimersByTimeAsync(1);
  expect(batches).toEqual([['a', 'b'], ['c']]);
});
