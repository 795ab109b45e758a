import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { valueAt } from '../../domain/json';

export interface LiveCalls {
  /** Calls to the numbers that ring or talk, as of what the log holds now. */
  count(): number;
  close(): void;
}

/**
 * Follows the simulator's log from its present end, reading what is new only. Not its `/stats`: these count the calls of a campaign
 * that an earlier demo left unfinished too, and would show more live calls than the campaign has lines.
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
      // What follows the last line end is written only in part yet.
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') take(line);
      return live.size;
    },
    close: () => closeSync(file),
  };
}
