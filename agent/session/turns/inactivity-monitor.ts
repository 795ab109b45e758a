/** Counts silence on both sides: for what the agent's owner wants to happen then, and for the last resort, hanging up. */
import { SilenceTimer } from './silence-timer';
import { IdleTimer, idleMs, type IdleHandlers, type IdleSettings } from './idle-timer';

export interface InactivityOptions {
  /** Of the last resort; what the owner wants happens before. */
  silenceMs: number;
  idle: IdleSettings;
  handlers: IdleHandlers;
  onSilence: () => void;
}

/** People who type take longer than people who speak. */
const TYPING_FACTOR = 8;

export class InactivityMonitor {
  private readonly idle: IdleTimer;
  private silence: SilenceTimer;
  private isStarted = false;
  private isAgentBusy = false;
  private isUserSpeaking = false;

  constructor(private readonly options: InactivityOptions) {
    this.idle = new IdleTimer(options.idle, options.handlers);
    this.silence = this.silenceTimerFor(1);
  }

  /** From now on silence counts. */
  start(): void {
    this.isStarted = true;
    this.update();
  }

  /** The other side writes, or has nothing else. */
  textReceived(): void {
    this.silence.stop();
    this.silence = this.silenceTimerFor(TYPING_FACTOR);
    this.idle.reset(true);
    this.update();
  }

  setAgentBusy(isBusy: boolean): void {
    this.isAgentBusy = isBusy;
    this.update();
  }

  setUserSpeaking(isSpeaking: boolean): void {
    this.isUserSpeaking = isSpeaking;
    this.idle.reset(true);
    this.update();
  }

  /** Something was heard, and nobody tells whether it was speech. */
  audioReceived(): void {
    this.idle.reset(true);
    this.update();
  }

  stop(): void {
    this.isStarted = false;
    this.update();
  }

  private update(): void {
    if (this.isStarted && !this.isAgentBusy && !this.isUserSpeaking) {
      this.silence.start();
      this.idle.start();
    } else {
      this.silence.stop();
      this.idle.reset(false);
    }
  }

  private silenceTimerFor(factor: number): SilenceTimer {
    const { silenceMs, idle, onSilence } = this.options;
    return new SilenceTimer(silenceMs * factor + idleMs(idle), onSilence);
  }
}
