import { Confirmations, VALID_MS } from '../../../mcp/confirmations';

const subject = { keyHash: 'one key', tool: 'cancel_campaign', args: { campaign_id: 'a', why: ['x', 'y'] } };
const done = () => Promise.resolve('done');

function newConfirmations() {
  const clock = { time: 1_000_000 };
  return { clock, confirmations: new Confirmations(() => clock.time) };
}

test('makes a confirmed change once, and rejects a second use of its token', async () => {
  const { confirmations } = newConfirmations();
  const { token } = confirmations.propose(subject);
  const act = jest.fn(done);
  expect(await confirmations.carryOut(token, subject, act)).toBe('done');
  await expect(confirmations.carryOut(token, subject, act)).rejects.toThrow('already used');
  expect(act).toHaveBeenCalledTimes(1);
});

test('makes the change only once if its token is used twice at the same time', async () => {
  const { confirmations } = newConfirmations();
  const { token } = confirmations.propose(subject);
  const act = jest.fn(done);
  const first = confirmations.carryOut(token, subject, act);
  await expect(confirmations.carryOut(token, subject, act)).rejects.toThrow('being made now');
  expect(await first).toBe('done');
  expect(act).toHaveBeenCalledTimes(1);
});

test('retries a failed change with the same idempotency key', async () => {
  const { confirmations } = newConfirmations();
  const { token } = confirmations.propose(subject);
  const keys: string[] = [];
  const failing = (key: string) => {
    keys.push(key);
    return keys.length === 1 ? Promise.reject(new Error('no answer')) : done();
  };
  await expect(confirmations.carryOut(token, subject, failing)).rejects.toThrow('no answer');
  expect(await confirmations.carryOut(token, subject, failing)).toBe('done');
  expect(new Set(keys).size).toBe(1);
});

test('expires a token exactly at its expiry time', async () => {
  const { clock, confirmations } = newConfirmations();
  const [early, late] = [confirmations.propose(subject), confirmations.propose(subject)];
  expect(early.expiresAt).toBe(clock.time + VALID_MS);
  clock.time += VALID_MS - 1;
  expect(await confirmations.carryOut(early.token, subject, done)).toBe('done');
  clock.time += 1;
  await expect(confirmations.carryOut(late.token, subject, done)).rejects.toThrow('expired');
});

test.each([
  ['another argument', { args: { ...subject.args, campaign_id: 'b' } }, 'other arguments'],
  ['an argument more', { args: { ...subject.args, more: 1 } }, 'other arguments'],
  ['a list in another order', { args: { ...subject.args, why: ['y', 'x'] } }, 'other arguments'],
  ['another tool', { tool: 'pause_campaign' }, 'other arguments'],
  ['another key', { keyHash: 'another' }, 'unknown or has expired'],
])(
  'rejects a token used with %s, and still accepts it for its own proposal',
  async (_what, other, message) => {
    const { confirmations } = newConfirmations();
    const { token } = confirmations.propose(subject);
    const act = jest.fn(done);
    await expect(confirmations.carryOut(token, { ...subject, ...other }, act)).rejects.toThrow(message);
    expect(act).not.toHaveBeenCalled();
    const reordered = { ...subject, args: { why: ['x', 'y'], campaign_id: 'a', unset: undefined } };
    expect(await confirmations.carryOut(token, reordered, act)).toBe('done');
  },
);

test('drops the oldest proposal of a key that has too many, and keeps the proposals of other keys', async () => {
  const { confirmations } = newConfirmations();
  const others = { ...subject, keyHash: 'another' };
  const [oldest, ofOthers] = [confirmations.propose(subject), confirmations.propose(others)];
  for (let n = 0; n < 100; n += 1) confirmations.propose(subject);
  await expect(confirmations.carryOut(oldest.token, subject, done)).rejects.toThrow('unknown');
  expect(await confirmations.carryOut(ofOthers.token, others, done)).toBe('done');
});
