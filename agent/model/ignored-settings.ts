import type { Log } from '../log';

/** Configuration that cannot be used, by its place. Never a word of what stands there. */
export interface IgnoredSetting {
  /** `persona.actions`, `training.know_how.faq`, … */
  part: string;
  why: string;
  /** Of entries. */
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
    for (const { part, why, count } of this.all) log.warn({ part, why, count }, 'configuration was left out');
  }
}
