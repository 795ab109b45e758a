/** Calls back once after a period without audio. Runs from its start, and restarts with each audio. */
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

  /** Audio was received. */
  restart(): void {
    this.timer?.refresh();
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}
