/** Counts silence on both sides: for what the agent's owner wants to happen then, and for the last resort, hanging up. */
import { SilenceWatch } from '../conversation/silence';
import { Idle, idleMs, type IdleDeeds, type IdleSettings } from './idle';

export interface QuietOptions {
  /** Of the last resort; what the owner wants happens before. */
  silenceMs: number;
  idle: IdleSettings;
  deeds: IdleDeeds;
  onSilence: () => void;
}

/** People who type take longer than people who speak. */
const TYPING_PATIENCE = 8;

export class QuietWatch {
  private readonly idle: Idle;
  private silence: SilenceWatch;
  private isBegun = false;
  private isAgentBusy = false;
  private isUserSpeaking = false;

  constructor(private readonly options: QuietOptions) {
    this.idle = new Idle(options.idle, options.deeds);
    this.silence = this.watchFor(1);
  }

  /** From now on silence counts. */
  begin(): void {
    this.isBegun = true;
    this.look();
  }

  /** The other side writes, or has nothing else. */
  isTyped(): void {
    this.silence.stop();
    this.silence = this.watchFor(TYPING_PATIENCE);
    this.idle.busy(true);
    this.look();
  }

  agent(isBusy: boolean): void {
    this.isAgentBusy = isBusy;
    this.look();
  }

  user(isSpeaking: boolean): void {
    this.isUserSpeaking = isSpeaking;
    this.idle.busy(true);
    this.look();
  }

  /** Something was heard, and nobody tells whether it was speech. */
  sound(): void {
    this.idle.busy(true);
    this.look();
  }

  stop(): void {
    this.isBegun = false;
    this.look();
  }

  private look(): void {
    if (this.isBegun && !this.isAgentBusy && !this.isUserSpeaking) {
      this.silence.start();
      this.idle.quiet();
    } else {
      this.silence.stop();
      this.idle.busy(false);
    }
  }

  private watchFor(factor: number): SilenceWatch {
    const { silenceMs, idle, onSilence } = this.options;
    return new SilenceWatch(silenceMs * factor + idleMs(idle), onSilence);
  }
}
