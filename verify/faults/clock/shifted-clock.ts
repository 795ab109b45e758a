/**
 * A preload (`node --require`) that sets a process' clock wrong: `Date` is shifted by an offset, `performance.now` and timers are not, as
 * on a machine whose time was set by hand. Plain enough to need nothing but Node.
 *
 * FAULTS_CLOCK_FILE holds `[[from, offset], …]` in true Unix milliseconds, earliest first. It is read again five times a second; each
 * change says from when it holds, so that it is known to the millisecond when the clock jumped.
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
      // Being written just now: the clock goes on as it was.
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

/** Node writes the header `Date` by a clock that it took before us. */
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
