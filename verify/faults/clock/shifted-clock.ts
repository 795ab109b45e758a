/**
 * Module that is preloaded with `node --require` and shifts a process's clock. It shifts `Date` but not `performance.now` or timers, as on
 * a machine whose time was set by hand. It needs nothing but Node.
 *
 * FAULTS_CLOCK_FILE contains `[[from, offset], …]` in true Unix milliseconds, earliest first. The module reads it five times a second. Each
 * change has a start time, so the jump is known to the millisecond.
 */
import { readFileSync } from 'node:fs';
import { ServerResponse } from 'node:http';

const READ_EVERY_MS = 200;

type Change = readonly [fromMs: number, offsetMs: number];

function isChanges(value: unknown): value is Change[] {
  return (
    Array.isArray(value) &&
    value.every(
      (each) => Array.isArray(each) && each.length === 2 && each.every((part) => typeof part === 'number'),
    )
  );
}

function shiftClock(file: string): void {
  const TrueDate = Date;
  const trueNow = Date.now.bind(Date);
  let changes: Change[] = [];

  const read = (): void => {
    try {
      const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
      if (isChanges(value)) changes = value;
    } catch {
      // The file is being written, so keep the previous offset.
    }
  };
  const now = (): number => {
    const atMs = trueNow();
    let offset = 0;
    for (const [fromMs, offsetMs] of changes) if (fromMs <= atMs) offset = offsetMs;
    return atMs + offset;
  };

  const ShiftedDate = new Proxy(TrueDate, {
    construct: (target, args: unknown[], newTarget: unknown): object => {
      const given = args.length === 0 ? [now()] : args;
      return Reflect.construct(target, given, typeof newTarget === 'function' ? newTarget : target) as object;
    },
    apply: () => new TrueDate(now()).toString(),
  });
  TrueDate.now = now;
  TrueDate.prototype.constructor = ShiftedDate;
  globalThis.Date = ShiftedDate;
  showInAnswers();
  read();
  setInterval(read, READ_EVERY_MS).unref();
}

/** Node takes the `Date` header from a clock that it read before this module was loaded. */
function showInAnswers(): void {
  const original = Object.getOwnPropertyDescriptor(ServerResponse.prototype, 'writeHead');
  const writeHead: unknown = original?.value;
  if (typeof writeHead !== 'function') return;
  ServerResponse.prototype.writeHead = function (this: ServerResponse, ...args: unknown[]): ServerResponse {
    if (!this.headersSent && !this.hasHeader('date')) this.setHeader('Date', new Date().toUTCString());
    Reflect.apply(writeHead, this, args);
    return this;
  };
}

const file = process.env['FAULTS_CLOCK_FILE'];
if (file) shiftClock(file);
