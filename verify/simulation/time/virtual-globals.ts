/**
 * Gives simulated processes virtual clocks and timers, and random values drawn from the seed. Other code (the connection to Postgres, the
 * judge) keeps the real ones.
 */
import crypto from 'node:crypto';
import timersPromises from 'node:timers/promises';
import type { Random } from '../../faults/random';
import { currentOwner, type Cancel, type Scheduler } from './scheduler';

interface VirtualSources {
  scheduler: Scheduler;
  random: Random;
  /** How far the machine clock of a process is ahead of true time. */
  offsetOf: (processName: string) => number;
}

class VirtualTimer {
  constructor(public cancel: Cancel) {}
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
  [Symbol.toPrimitive](): number {
    return 0;
  }
}

type Replaced = [target: object, name: string, value: unknown];

/** Returns a function that restores the real globals. */
export function installVirtualGlobals(sources: VirtualSources): () => void {
  const replacements = [...clocks(sources), ...timers(sources), ...randomness(sources)];
  const before = replacements.map(([target, name]): Replaced => [
    target,
    name,
    Reflect.get(target, name) as unknown,
  ]);
  for (const [target, name, value] of replacements) define(target, name, value);
  return () => {
    for (const [target, name, value] of before) define(target, name, value);
  };
}

const define = (target: object, name: string, value: unknown): void =>
  void Object.defineProperty(target, name, { value, configurable: true, writable: true, enumerable: true });

function clocks({ scheduler, offsetOf }: VirtualSources): Replaced[] {
  const realNow = Date.now.bind(Date);
  const realElapsed = performance.now.bind(performance);
  const inProcess = <T>(inside: (name: string) => T, outside: () => T): T => {
    const owner = currentOwner.getStore();
    return owner === undefined || owner === null ? outside() : inside(owner.name);
  };
  return [
    [Date, 'now', () => inProcess((name) => Math.round(scheduler.nowMs + offsetOf(name)), realNow)],
    [performance, 'now', () => inProcess(() => scheduler.nowMs, realElapsed)],
  ];
}

function timers({ scheduler }: VirtualSources): Replaced[] {
  const real = { setTimeout, setInterval, clearTimeout };
  const realSleep = timersPromises.setTimeout;
  const owner = () => currentOwner.getStore() ?? undefined;
  const after = (run: (...args: unknown[]) => void, delayMs = 0, ...args: unknown[]): unknown => {
    const whose = owner();
    if (whose === undefined) return real.setTimeout(run, delayMs, ...args);
    return new VirtualTimer(scheduler.after(Math.max(1, delayMs), whose, () => run(...args)));
  };
  const every = (run: (...args: unknown[]) => void, delayMs = 0, ...args: unknown[]): unknown => {
    const whose = owner();
    if (whose === undefined) return real.setInterval(run, delayMs, ...args);
    const again = (): Cancel =>
      scheduler.after(Math.max(1, delayMs), whose, () => {
        timer.cancel = again();
        run(...args);
      });
    const timer = new VirtualTimer(() => undefined);
    timer.cancel = again();
    return timer;
  };
  const clear = (timer: unknown): void => {
    if (timer instanceof VirtualTimer) timer.cancel();
    else real.clearTimeout(timer as NodeJS.Timeout);
  };
  const sleep = (delayMs = 0, value?: unknown, options?: object): Promise<unknown> => {
    const whose = owner();
    if (whose === undefined) return realSleep(delayMs, value, options);
    return scheduler.sleep(Math.max(1, delayMs), whose).then(() => value);
  };
  return [
    [timersPromises, 'setTimeout', sleep],
    [globalThis, 'setTimeout', after],
    [globalThis, 'setInterval', every],
    [globalThis, 'clearTimeout', clear],
    [globalThis, 'clearInterval', clear],
  ];
}

function randomness({ random }: VirtualSources): Replaced[] {
  const real = {
    random: Math.random.bind(Math),
    uuid: crypto.randomUUID.bind(crypto),
    bytes: crypto.randomBytes.bind(crypto),
  };
  const isInside = (): boolean => (currentOwner.getStore() ?? null) !== null;
  const bytes = (size: number): Buffer =>
    Buffer.from(Array.from({ length: size }, () => random.between(0, 255)));
  const uuid = (): string => {
    const hex = bytes(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  return [
    [Math, 'random', () => (isInside() ? random.next() : real.random())],
    [crypto, 'randomUUID', () => (isInside() ? uuid() : real.uuid())],
    [crypto, 'randomBytes', (size: number) => (isInside() ? bytes(size) : real.bytes(size))],
  ];
}
