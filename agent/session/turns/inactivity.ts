/** Measures silence of both parties, for the configured idle handling and for the silence limit, which hangs up. */
import type { ResolvedConfig } from '../../../domain/agent-config';

interface InactivityOptions {
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

/** Calls back once after a period that begins with `start`. */
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
  /** Null disables the hang-up. Counts from the warning, if there is one. */
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

/** The longest silence that these settings permit. */
export const idleMs = ({ warning, hangUp }: IdleSettings): number =>
  (warning?.afterMs ?? 0) + (hangUp?.afterMs ?? 0);

interface IdleHandlers {
  warn: (message: string) => void;
  /** The message is empty when none is configured. */
  hangUp: (message: string) => void;
}

/** Idle handling. Runs while both parties are silent. Warns once per silence, because the agent's own speech does not end one. */
export class IdleTimer {
  private timer: NodeJS.Timeout | null = null;
  private isWarned = false;

  constructor(
    private readonly settings: IdleSettings,
    private readonly handlers: IdleHandlers,
  ) {}

  /** Called when both parties are silent. */
  start(): void {
    this.stop();
    const { warning, hangUp } = this.settings;
    if (warning !== null && !this.isWarned) {
      this.timer = setTimeout(() => {
        this.isWarned = true;
        // The silence continues when the warning fails or is interrupted.
        this.start();
        this.handlers.warn(warning.message);
      }, warning.afterMs);
    } else if (hangUp !== null) {
      this.timer = setTimeout(() => this.handlers.hangUp(hangUp.message), hangUp.afterMs);
    }
  }

  /** Called when either side speaks or the model generates. The user's speech ends the silence. */
  reset(isUser: boolean): void {
    this.stop();
    if (isUser) this.isWarned = false;
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}
