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

  /** Calls asked for, refused ones included. */
  get asked(): RequestEntry[] {
    return this.entries.filter((entry) => entry.kind === 'request').filter(({ method }) => method === 'POST');
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

  /** Most calls live at one instant. The log is in order, so that it tells even what happened within a millisecond. */
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

  /** Placed after the first and not after the second instant. */
  placedBetween(fromMs: number, toMs = Infinity): PlacedEntry[] {
    return this.placed.filter(({ at }) => Date.parse(at) > fromMs && Date.parse(at) <= toMs);
  }

  /** How many calls each number got. */
  placedPerNumber(numbers: readonly string[]): Record<string, number> {
    return Object.fromEntries(numbers.map((number) => [number, this.placedTo(number).length]));
  }
}
