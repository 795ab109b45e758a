/** Measures silence of both parties, for the configured idle handling and for the silence limit, which hangs up. */
import { IdleTimer, idleMs, type IdleHandlers, type IdleSettings } from './idle-timer';
import { SilenceTimer } from './silence-timer';

export interface InactivityOptions {
  /** The silence limit. It starts counting after the configured idle handling. */
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

  /** Starts measuring silence. */
  start(): void {
    this.isStarted = true;
    this.update();
  }

  /** The user typed, or can only type. */
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

  /** Audio was received that no voice activity detection classifies. */
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
