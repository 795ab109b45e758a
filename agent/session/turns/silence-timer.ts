/** Tells, once, that nothing was heard for some time. Counts while it runs, from its start and from each sound. */
export class SilenceTimer {
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly silenceMs: number,
    private readonly onSilence: () => void,
  ) {}

  start(): void {
    this.stop();
    this.timer = setTimeout(this.onSilence, this.silenceMs);
  }

  /** Something was heard. */
  restart(): void {
    this.timer?.refresh();
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}
