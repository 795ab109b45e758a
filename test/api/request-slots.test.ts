import { RequestSlots } from '../../api/http/limits';

const limits = { perOwner: 2, maxMs: 250 };

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Records the name once it has a slot. */
async function entering(
  slots: RequestSlots,
  organization: string | undefined,
  entered: string[],
  name: string,
) {
  const release = await slots.enter(organization);
  entered.push(name);
  return release;
}

test('handles two requests of an organization at once, in addition to those of others', async () => {
  const slots = new RequestSlots(limits);
  const entered: string[] = [];
  const first = await entering(slots, 'a', entered, 'a1');
  await entering(slots, 'a', entered, 'a2');
  const third = entering(slots, 'a', entered, 'a3');
  await entering(slots, 'b', entered, 'b1');
  await entering(slots, undefined, entered, 'carrier');
  expect(entered).toEqual(['a1', 'a2', 'b1', 'carrier']);
  first();
  await third;
  expect(entered.at(-1)).toBe('a3');
});

test("passes a request's slot to the next one when the request takes too long", async () => {
  const slots = new RequestSlots(limits);
  const entered: string[] = [];
  const slow = await entering(slots, 'a', entered, 'slow');
  await entering(slots, 'a', entered, 'slower');
  const waiting = [entering(slots, 'a', entered, 'a3'), entering(slots, 'a', entered, 'a4')];
  const last = entering(slots, 'a', entered, 'a5');
  await jest.advanceTimersByTimeAsync(limits.maxMs);
  const [third] = await Promise.all(waiting);
  // This slot was already given away.
  slow();
  expect(entered).toEqual(['slow', 'slower', 'a3', 'a4']);
  third?.();
  await last;
});

test('returns 503 to a request that has waited for eight seconds', async () => {
  const slots = new RequestSlots({ perOwner: 1, maxMs: 60_000 });
  await slots.enter('a');
  const refused = expect(slots.enter('a')).rejects.toMatchObject({ status: 503 });
  await jest.advanceTimersByTimeAsync(8_000);
  await refused;
});
