/** Counts silence of both parties: for the configured idle handling, and for the silence limit, which hangs up. */
import { IdleTimer, idleMs, type IdleHandlers, type IdleSettings } from './idle-timer';
import { SilenceTimer } from './silence-timer';

export interface InactivityOptions {
  /** The silence limit; the configured idle handling comes before it. */
  silenceMs: number;
  idle: IdleSettings;
  handlers: IdleHandlers;
  onSilence: () => void;
}

/** Typing takes longer than speaking. */
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

  /** Silence counts from now on. */
  start(): void {
    this.isStarted = true;
    this.update();
  }

  /** The remote party types, or can do nothing else. */
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

  /** Audio was received, without voice activity detection to classify it. */
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
