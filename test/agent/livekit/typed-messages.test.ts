/** Tests the limits on size, time and number of messages that people type in a room. */
import { TypedMessages, type TextReader } from '../../../agent/livekit/typed-messages';

/** Mimics the SDK's stream. Counts the pieces that were read, and ends when it is closed. */
class Stream implements TextReader {
  read = 0;
  isClosed = false;
  private onClose: () => void = () => undefined;
  private readonly closed = new Promise<void>((resolve) => (this.onClose = resolve));

  constructor(
    private readonly pieces: Iterable<string>,
    private readonly then: 'ends' | 'stays open' | 'fails' = 'ends',
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    try {
      for (const piece of this.pieces) {
        this.read += 1;
        yield await Promise.resolve(piece);
      }
      if (this.then === 'fails') throw new Error('the sender is gone');
      if (this.then === 'stays open') await this.closed;
    } finally {
      this.isClosed = true;
    }
  }

  close(): Promise<void> {
    this.isClosed = true;
    this.onClose();
    return Promise.resolve();
  }
}

function* endless(): Generator<string> {
  for (;;) yield 'x'.repeat(1_000);
}

test('joins the pieces of a message', async () => {
  expect(await new TypedMessages().read(new Stream(['Where is ', 'my order?']))).toBe('Where is my order?');
});

test('reads only the first 4,000 characters of a message, and closes its stream', async () => {
  const stream = new Stream(endless());
  expect(await new TypedMessages().read(stream)).toBe('x'.repeat(4_000));
  expect([stream.read, stream.isClosed]).toEqual([4, true]);
  expect((await new TypedMessages().read(new Stream(['y'.repeat(90_000)])))?.length).toBe(4_000);
});

test('returns the received part of a message that never ends', async () => {
  const stream = new Stream(['Hello'], 'stays open');
  expect(await new TypedMessages(() => 0, 1).read(stream)).toBe('Hello');
  expect(stream.isClosed).toBe(true);
});

test('drops a message whose sender disconnects in the middle of it', async () => {
  expect(await new TypedMessages().read(new Stream(['Hel'], 'fails'))).toBeNull();
});

test('reads four messages at the same time, and closes a fifth without reading it', async () => {
  const messages = new TypedMessages();
  const open = Array.from({ length: 4 }, () => new Stream(['Hello'], 'stays open'));
  const texts = open.map((stream) => messages.read(stream));
  const fifth = new Stream(['Hello']);
  expect(await messages.read(fifth)).toBeNull();
  expect([fifth.read, fifth.isClosed]).toEqual([0, true]);
  await Promise.all(open.map((stream) => stream.close()));
  expect(await Promise.all(texts)).toEqual(Array(4).fill('Hello'));
  expect(await messages.read(new Stream(['again']))).toBe('again');
});

test('reads at most thirty messages per minute', async () => {
  let now = 0;
  const messages = new TypedMessages(() => now);
  const read = async () => await messages.read(new Stream(['Hello']));
  for (let message = 0; message < 30; message++) expect(await read()).toBe('Hello');
  now = 59_999;
  expect(await read()).toBeNull();
  now = 60_000;
  expect(await read()).toBe('Hello');
});
