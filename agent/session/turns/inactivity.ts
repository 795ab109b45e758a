/** Measures how long both parties are silent. The configured idle handling reacts first; the silence limit then hangs up. */
import type { ResolvedConfig } from '../../../domain/agent-config';

interface InactivityOptions {
  /** The silence limit, which starts after the configured idle handling. */
  silenceMs: number;
  idle: IdleSettings;
  handlers: IdleHandlers;
  onSilence: () => void;
}

/** The silence limit is this much longer for users who type, because typing takes longer than speaking. */
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

  start(): void {
    this.isStarted = true;
    this.update();
  }

  /** Call this when the user types or can only type. */
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

  /** Call this for audio that voice activity detection does not classify. */
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

/** Calls back once when the period after `start` has passed. */
class SilenceTimer {
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly silenceMs: number,
    private readonly onSilence: () => void,
  ) {}

  start(): void {
    this.stop();
    this.timer = setTimeout(this.onSilence, this.silenceMs);
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}

interface IdleSettings {
  /** Null disables the warning. */
  warning: { afterMs: number; message: string } | null;
  /** Null disables hanging up. The time starts at the warning, if there is one. */
  hangUp: { afterMs: number; message: string } | null;
}

export function idleSettingsOf({ experience }: Pick<ResolvedConfig, 'experience'>): IdleSettings {
  const idle = experience.settings.idle_conversation_settings;
  return {
    warning: idle.pulse_check
      ? { afterMs: idle.idle_call_warning_timeout * 1000, message: idle.idle_call_warning_message }
      : null,
    hangUp: idle.end_conversation_on_idle
      ? { afterMs: idle.idle_call_hangup_timeout * 1000, message: idle.idle_call_hangup_message }
      : null,
  };
}

/** Longest silence that these settings allow. */
export const idleMs = ({ warning, hangUp }: IdleSettings): number =>
  (warning?.afterMs ?? 0) + (hangUp?.afterMs ?? 0);

interface IdleHandlers {
  warn: (message: string) => void;
  /** `message` is empty when none is configured. */
  hangUp: (message: string) => void;
}

/**
 * Warns and then hangs up while both parties are silent. Warns only once per silence, because the agent's own speech does not end the
 * silence.
 */
export class IdleTimer {
  private timer: NodeJS.Timeout | null = null;
  private isWarned = false;

  constructor(
    private readonly settings: IdleSettings,
    private readonly handlers: IdleHandlers,
  ) {}

  /** Call this when both parties are silent. */
  start(): void {
    this.stop();
    const { warning, hangUp } = this.settings;
    if (warning !== null && !this.isWarned) {
      this.timer = setTimeout(() => {
        this.isWarned = true;
        // Restart first, because the silence continues even if the warning fails or is interrupted.
        this.start();
        this.handlers.warn(warning.message);
      }, warning.afterMs);
    } else if (hangUp !== null) {
      this.timer = setTimeout(() => this.handlers.hangUp(hangUp.message), hangUp.afterMs);
    }
  }

  /** Call this when either party speaks or the model generates. Only the user's speech ends the silence. */
  reset(isUser: boolean): void {
    this.stop();
    if (isUser) this.isWarned = false;
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}
