/** Closes what was opened, last first. One failure does not keep the rest open. */
export class ClosingOrder {
  private readonly closers: { what: string; close: () => Promise<void> }[] = [];
  private closing: Promise<void> | undefined;

  /** What is opened while closing is under way, by a start that was given up, is closed at once. */
  add(what: string, close: () => Promise<void>): void {
    if (this.closing === undefined) this.closers.push({ what, close });
    else this.closing = this.closing.finally(close);
  }

  /** May be called again, also while it runs: everything is closed once. */
  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  private async closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const { what, close } of this.closers.reverse()) {
      await close().catch((cause: unknown) => {
        failures.push(new Error(`closing ${what} failed`, { cause }));
      });
    }
    if (failures.length > 0) throw new AggregateError(failures, 'not everything could be closed');
  }
}
