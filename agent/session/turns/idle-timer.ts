/** Idle handling: warns during a silence and finally hangs up. */
import type { ResolvedConfig } from '../../../domain/agent-config';

export interface IdleSettings {
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

export interface IdleHandlers {
  warn: (message: string) => void;
  /** The message is empty when none is configured. */
  hangUp: (message: string) => void;
}

/** Runs while both parties are silent. Warns once per silence, because the agent's own speech does not end one. */
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
