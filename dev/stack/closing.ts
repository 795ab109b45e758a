/** Closes resources in reverse order of opening. If one fails to close, the others are still closed. */
export class ClosingOrder {
  private readonly closers: { what: string; close: () => Promise<void> }[] = [];
  private closing: Promise<void> | undefined;

  /** Registers a resource. If closing is already under way, because the start was aborted, the resource is closed immediately. */
  add(what: string, close: () => Promise<void>): void {
    if (this.closing === undefined) this.closers.push({ what, close });
    else this.closing = this.closing.finally(close);
  }

  /** Can be called repeatedly, even while it runs. Each resource is closed once. */
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
