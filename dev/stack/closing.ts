/** Closes resources in reverse order of opening. If one fails to close, it still closes the others. */
export class ClosingOrder {
  private readonly closers: { what: string; close: () => Promise<void> }[] = [];
  private closing: Promise<void> | undefined;

  /** Registers a resource. If an aborted start is already closing everything, the resource is closed immediately. */
  add(what: string, close: () => Promise<void>): void {
    if (this.closing === undefined) this.closers.push({ what, close });
    else this.closing = this.closing.finally(close);
  }

  /** Can be called repeatedly, even while closing is in progress. Each resource is closed once. */
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
