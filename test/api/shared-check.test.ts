import { sharedCheck } from '../../api/http/health';

function rig(keptMs: number) {
  const clock = { at: 0 };
  const finish: (() => void)[] = [];
  const look = sharedCheck(
    () => {
      const nth = finish.length + 1;
      return new Promise<number>((resolve, reject) => {
        finish.push(() => (nth === 2 ? reject(new Error('unreachable')) : resolve(nth)));
      });
    },
    { keptMs, now: () => clock.at },
  );
  return { clock, finish, look };
}

describe('a shared check', () => {
  test('returns one result to two hundred concurrent callers', async () => {
    const { finish, look } = rig(1_000);
    const answers = Array.from({ length: 200 }, look);
    finish[0]?.();
    expect(new Set(await Promise.all(answers))).toEqual(new Set([1]));
    expect(finish).toHaveLength(1);
  });

  test('returns a result, even a failure, to later callers until it is too old', async () => {
    const { clock, finish, look } = rig(1_000);
    void look();
    finish[0]?.();
    clock.at = 999;
    expect(await look()).toBe(1);
    clock.at = 1_000;
    const failed = look();
    finish[1]?.();
    await expect(failed).rejects.toThrow('unreachable');
    clock.at = 1_999;
    await expect(look()).rejects.toThrow('unreachable');
    expect(finish).toHaveLength(2);
  });

  test('shares a check while it runs, however long it takes', () => {
    const { clock, finish, look } = rig(0);
    void look();
    clock.at = 60_000;
    void look();
    expect(finish).toHaveLength(1);
  });

  test("runs again for later callers when results aren't cached", async () => {
    const { finish, look } = rig(0);
    void look();
    finish[0]?.();
    await new Promise(setImmediate);
    void look().catch(() => undefined);
    expect(finish).toHaveLength(2);
  });
});
