/** Reads the carrier's own log of requests and calls. Tests trust it, because it's independent of the platform. */
import {
  readSimulatorLog,
  type EventEntry,
  type LogEntry,
  type PlacedEntry,
  type RequestEntry,
} from '../../../dev/simulator/log';

export class CarrierLog {
  private constructor(readonly entries: readonly LogEntry[]) {}

  /** Reads the log so far. `numbers` limits it to calls to these numbers. */
  static read(path: string, numbers?: readonly string[]): CarrierLog {
    const wanted = numbers && new Set(numbers);
    return new CarrierLog(
      readSimulatorLog(path).filter(
        (entry) => wanted === undefined || ('to' in entry && entry.to !== undefined && wanted.has(entry.to)),
      ),
    );
  }

  /** In the order in which the carrier accepted them. */
  get placed(): PlacedEntry[] {
    return this.entries.filter((entry) => entry.kind === 'placed');
  }

  /** All requests to place a call, including rejected ones. */
  get asked(): RequestEntry[] {
    return this.requests('POST');
  }

  /** References that were looked up. Only valid for a log that isn't limited to numbers. */
  get lookedUp(): Set<string> {
    return new Set(this.requests('GET').flatMap(({ reference }) => reference ?? []));
  }

  /** References that led to a call, or to a definite rejection of the number. */
  get dialled(): Set<string> {
    const noNumber = this.asked.filter(({ status }) => status === 422);
    return new Set([...this.placed, ...noNumber].flatMap(({ reference }) => reference ?? []));
  }

  /** References under which more than one call was placed. */
  get duplicateReferences(): (string | null)[] {
    const references = this.placed.map(({ reference }) => reference);
    return references.filter((reference, index) => references.indexOf(reference) !== index);
  }

  /** Events that got no response. Only valid for a log that isn't limited to numbers. */
  get unansweredEvents(): EventEntry[] {
    return this.entries.filter((entry) => entry.kind === 'event').filter(({ status }) => status === null);
  }

  get live(): number {
    return this.placed.length - this.endedCount;
  }

  /** The highest number of calls that were live at once. Relies on the log's order, because timestamps can be equal. */
  get peakLive(): number {
    let live = 0;
    return this.entries.reduce((peak, entry) => {
      if (entry.kind === 'placed') live += 1;
      if (entry.kind === 'state' && entry.state === 'ended') live -= 1;
      return Math.max(peak, live);
    }, 0);
  }

  get endedCount(): number {
    return this.entries.filter((entry) => entry.kind === 'state' && entry.state === 'ended').length;
  }

  placedTo(number: string): PlacedEntry[] {
    return this.placed.filter(({ to }) => to === number);
  }

  /** Returns the numbers called after `fromMs` and up to `toMs`. */
  calledBetween(fromMs: number, toMs = Infinity): string[] {
    return this.placed.flatMap(({ at, to }) =>
      Date.parse(at) > fromMs && Date.parse(at) <= toMs ? [to] : [],
    );
  }

  /** Number of calls per number. */
  placedPerNumber(numbers: readonly string[]): Record<string, number> {
    return Object.fromEntries(numbers.map((number) => [number, this.placedTo(number).length]));
  }

  private requests(method: string): RequestEntry[] {
    return this.entries
      .filter((entry) => entry.kind === 'request')
      .filter((entry) => entry.method === method);
  }
}
