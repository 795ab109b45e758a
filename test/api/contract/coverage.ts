/** Records which check covers each statement of a document, and which statements can't be checked. */
import type { Bench } from './bench';
import type { Item } from './items';

export type Check = (bench: Bench, item: Item) => Promise<void> | void;

export class Coverage {
  readonly checks: { item: Item; check: Check }[] = [];
  /** Ids in checks or exclusions that the document doesn't contain. */
  readonly unknown: string[] = [];
  readonly leftOut: Record<string, string> = {};
  private readonly named = new Set<string>();

  constructor(private readonly items: readonly Item[]) {}

  covers(id: string, check: Check): void {
    const found = this.items.filter((item) => item.id === id);
    if (found.length === 0) this.unknown.push(id);
    for (const item of found) this.add(item, check);
  }

  /** Assigns checks to several statements under one heading. */
  under(heading: string, checks: Readonly<Record<string, Check>>): void {
    for (const [name, check] of Object.entries(checks)) this.covers(`${heading} > ${name}`, check);
  }

  /** Assigns one check to every table row under a heading, so that rows added to the document are checked too. */
  coversRows(heading: string, check: Check): void {
    const rows = this.items.filter(({ kind, id }) => kind === 'row' && id.startsWith(`${heading} > `));
    if (rows.length === 0) this.unknown.push(heading);
    for (const row of rows) this.add(row, check);
  }

  /** Excludes statements that can't be observed, each with a reason. */
  leavesOut(reasons: Readonly<Record<string, string>>): void {
    for (const [id, reason] of Object.entries(reasons)) {
      if (!this.items.some((item) => item.id === id)) this.unknown.push(id);
      this.named.add(id);
      this.leftOut[id] = reason;
    }
  }

  get missing(): string[] {
    return this.items.map(({ id }) => id).filter((id) => !this.named.has(id));
  }

  private add(item: Item, check: Check): void {
    this.named.add(item.id);
    this.checks.push({ item, check });
  }
}
