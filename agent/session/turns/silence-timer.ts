/** Calls back once after a period without audio. The period starts with `start` and again with each `restart`. */
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

  /** Called when audio was received. */
  restart(): void {
    this.timer?.refresh();
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}
