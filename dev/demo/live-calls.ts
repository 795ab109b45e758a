import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { valueAt } from '../../domain/json';

export interface LiveCalls {
  /** Returns how many of the numbers are ringing or talking, according to the log so far. */
  count(): number;
  close(): void;
}

/**
 * Follows the simulator's log from its current end and reads only new entries. The simulator's `/stats` also count calls of campaigns that
 * earlier demos left unfinished, so they could exceed this campaign's lines.
 */
export function followLiveCalls(logPath: string, numbers: ReadonlySet<string>): LiveCalls {
  const file = openSync(logPath, 'r');
  const live = new Set<unknown>();
  let offset = fstatSync(file).size;
  let rest = '';
  const take = (line: string) => {
    const entry: unknown = JSON.parse(line);
    const to = valueAt(entry, 'to');
    if (typeof to !== 'string' || !numbers.has(to)) return;
    const call = valueAt(entry, 'carrier_id');
    if (valueAt(entry, 'kind') === 'placed') live.add(call);
    else if (valueAt(entry, 'state') === 'ended') live.delete(call);
  };
  return {
    count() {
      const added = Buffer.alloc(Math.max(0, fstatSync(file).size - offset));
      offset += readSync(file, added, 0, added.length, offset);
      const lines = (rest + added.toString('utf8')).split('\n');
      // The text after the last newline is an incomplete entry.
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') take(line);
      return live.size;
    },
    close: () => closeSync(file),
  };
}
