import { rejoin, RESUMES_WITHIN_MS } from '../../../dev/sip-stand-in/rejoin';

/** Returns the times at which attempts to rejoin began, in seconds after the loss. Attempt `succeedsAt` succeeds. */
async function attempts(succeedsAt: number, isOver = () => false) {
  let now = RESUMES_WITHIN_MS;
  const at: number[] = [];
  const join = () => {
    at.push(now / 1000);
    return at.length === succeedsAt ? Promise.resolve() : Promise.reject(new Error('LiveKit is away'));
  };
  const isBack = await rejoin(join, isOver, (ms) => Promise.resolve((now += ms)));
  return { isBack, at };
}

beforeEach(() => void jest.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(() => void jest.restoreAllMocks());

test('tries to rejoin a room at the same times as the real bridge, for about a minute', async () => {
  expect(await attempts(Infinity)).toEqual({
    isBack: false,
    at: [2.5, 2.8, 4, 6.7, 11.5, 19, 29.8, 44.5, 63.7],
  });
});

test('stops rejoining a room after a successful attempt', async () => {
  expect(await attempts(3)).toEqual({ isBack: true, at: [2.5, 2.8, 4] });
});

test("doesn't rejoin a room once the call is over", async () => {
  expect(await attempts(Infinity, () => true)).toEqual({ isBack: false, at: [] });
});
