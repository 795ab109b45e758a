import type { Log } from '../log';

/** A part of the configuration that the agent ignores, identified by its path. It never contains the value. */
export interface IgnoredSetting {
  /** For example `persona.actions` or `training.know_how.faq`. */
  part: string;
  why: string;
  /** Number of ignored entries. */
  count: number;
}

export class IgnoredSettings {
  private readonly entries = new Map<string, IgnoredSetting>();

  add(part: string, why: string, count = 1): void {
    if (count <= 0) return;
    const key = `${part}\n${why}`;
    const before = this.entries.get(key)?.count ?? 0;
    this.entries.set(key, { part, why, count: before + count });
  }

  get all(): IgnoredSetting[] {
    return [...this.entries.values()];
  }

  logTo(log: Log): void {
    for (const { part, why, count } of this.all) log.warn({ part, why, count }, 'configuration was ignored');
  }
}
