import type { Timings } from './plan';

export type Environment = Readonly<Record<string, string | undefined>>;

const MAX_MS = 3_600_000;

/** Reads variables one by one and collects the faults, so that all of them can be reported at once. */
export class SettingReader {
  readonly faults: string[] = [];

  constructor(private readonly env: Environment) {}

  /** Treats an empty variable as unset. */
  text(name: string): string | undefined {
    return this.env[name] || undefined;
  }

  required(name: string, what: string): string {
    const text = this.text(name);
    if (text === undefined) this.faults.push(`${name} is required: ${what}`);
    return text ?? '';
  }

  whole<T>(name: string, max: number, otherwise: T): number | T {
    const text = this.text(name);
    if (text === undefined) return otherwise;
    const value = Number(text);
    if (/^\d{1,9}$/.test(text) && value <= max) return value;
    this.faults.push(`${name} must be a whole number from 0 to ${max}, not "${text}"`);
    return otherwise;
  }

  /** Reads how long calls ring and talk. All simulated carriers use the same variables. */
  timings(otherwise: Timings): Timings {
    return {
      ringMs: this.whole('SIMULATOR_RING_MS', MAX_MS, otherwise.ringMs),
      talkMs: this.whole('SIMULATOR_TALK_MS', MAX_MS, otherwise.talkMs),
      ringCapMs: this.whole('SIMULATOR_RING_CAP_MS', MAX_MS, otherwise.ringCapMs),
    };
  }
}
