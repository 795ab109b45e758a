import { cpus } from 'node:os';

/** The CPU load of the machine since the last reading, from 0 to 1. */
export class ProcessorLoad {
  private last = times();

  sinceLast(): number {
    const [before, now] = [this.last, times()];
    this.last = now;
    const all = now.all - before.all;
    return all <= 0 ? 0 : 1 - (now.idle - before.idle) / all;
  }
}

function times(): { all: number; idle: number } {
  const sums = { all: 0, idle: 0 };
  for (const { times: each } of cpus()) {
    sums.idle += each.idle;
    sums.all += each.user + each.nice + each.sys + each.irq + each.idle;
  }
  return sums;
}
