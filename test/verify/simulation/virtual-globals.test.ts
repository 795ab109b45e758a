import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../../verify/faults/random';
import { Scheduler } from '../../../verify/simulation/time/scheduler';
import { installVirtualGlobals } from '../../../verify/simulation/time/virtual-globals';

const HOUR_MS = 3_600_000;

test.each([
  ['setTimeout', (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))],
  ['the promises of node:timers', (ms: number) => sleep(ms)],
])('waits in virtual time for a simulated process that uses %s', async (_what, wait) => {
  const scheduler = new Scheduler(0);
  const restore = installVirtualGlobals({ scheduler, random: new Random(1), offsetOf: () => 0 });
  try {
    const owner = { name: 'worker', isAlive: true, stalledUntilMs: 0 };
    const wokenAt: number[] = [];
    scheduler.after(0, owner, () => void wait(HOUR_MS).then(() => wokenAt.push(performance.now())));
    await scheduler.run(() => wokenAt.length > 0, 2 * HOUR_MS);
    expect(wokenAt).toEqual([HOUR_MS]);
  } finally {
    restore();
  }
});
