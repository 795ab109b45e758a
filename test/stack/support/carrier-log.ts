/** The oracle: what the carrier was asked and did, read from its own log. Nothing of the platform takes part. */
import {
  readSimulatorLog,
  type EventEntry,
  type LogEntry,
  type PlacedEntry,
  type RequestEntry,
} from '../../../dev/simulator/log';

export class CarrierLog {
  private constructor(readonly entries: readonly LogEntry[]) {}

  /** The log as it stands. `numbers` narrows it to one campaign's, by the number called. */
  static read(path: string, numbers?: readonly string[]): CarrierLog {
    const wanted = numbers && new Set(numbers);
    return new CarrierLog(
      readSimulatorLog(path).filter(
        (entry) => wanted === undefined || ('to' in entry && entry.to !== undefined && wanted.has(entry.to)),
      ),
    );
  }

  /** In the order in which the carrier took them up. */
  get placed(): PlacedEntry[] {
    return this.entries.filter((entry) => entry.kind === 'placed');
  }

  /** Requests to place a call, refused ones included. */
  get asked(): RequestEntry[] {
    return this.requests('POST');
  }

  /** References that were looked for. Only in a log that is not narrowed to numbers. */
  get lookedUp(): Set<string> {
    return new Set(this.requests('GET').flatMap(({ reference }) => reference ?? []));
  }

  /** References that came to a call, or to the certainty that the number takes none. */
  get dialled(): Set<string> {
    const noNumber = this.asked.filter(({ status }) => status === 422);
    return new Set([...this.placed, ...noNumber].flatMap(({ reference }) => reference ?? []));
  }

  /** References under which more than one call was placed. */
  get duplicateReferences(): (string | null)[] {
    const references = this.placed.map(({ reference }) => reference);
    return references.filter((reference, index) => references.indexOf(reference) !== index);
  }

  /** Events that met nobody. Only in a log that is not narrowed to numbers. */
  get unansweredEvents(): EventEntry[] {
    return this.entries.filter((entry) => entry.kind === 'event').filter(({ status }) => status === null);
  }

  get live(): number {
    return this.placed.length - this.endedCount;
  }

  /** Most calls live at one instant. The log is in order, so that it orders even what happened within a millisecond. */
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

  /** Numbers called after the first and not after the second instant. */
  calledBetween(fromMs: number, toMs = Infinity): string[] {
    return this.placed.flatMap(({ at, to }) =>
      Date.parse(at) > fromMs && Date.parse(at) <= toMs ? [to] : [],
    );
  }

  /** How many calls each number got. */
  placedPerNumber(numbers: readonly string[]): Record<string, number> {
    return Object.fromEntries(numbers.map((number) => [number, this.placedTo(number).length]));
  }

  private requests(method: string): RequestEntry[] {
    return this.entries
      .filter((entry) => entry.kind === 'request')
      .filter((entry) => entry.method === method);
  }
}
