/** Which statement of a page is held by which check, and which are none to check. */
import type { Bench } from './bench';
import type { Item } from './items';

export type Check = (bench: Bench, item: Item) => Promise<void> | void;

export class Coverage {
  readonly checks: { item: Item; check: Check }[] = [];
  /** Named by a check or left out, and not on the page. */
  readonly unknown: string[] = [];
  readonly leftOut: Record<string, string> = {};
  private readonly named = new Set<string>();

  constructor(private readonly items: readonly Item[]) {}

  covers(id: string, check: Check): void {
    const found = this.items.filter((item) => item.id === id);
    if (found.length === 0) this.unknown.push(id);
    for (const item of found) this.add(item, check);
  }

  /** Several statements of one heading. */
  under(heading: string, checks: Readonly<Record<string, Check>>): void {
    for (const [name, check] of Object.entries(checks)) this.covers(`${heading} > ${name}`, check);
  }

  /** Every row of the tables of a heading: a row that is added to the page is checked the same. */
  coversRows(heading: string, check: Check): void {
    const rows = this.items.filter(({ kind, id }) => kind === 'row' && id.startsWith(`${heading} > `));
    if (rows.length === 0) this.unknown.push(heading);
    for (const row of rows) this.add(row, check);
  }

  /** What states nothing that could be observed, each with the reason. */
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
