/** Idle handling: a warning in a silence, and a hang-up in the end. */
import type { ResolvedConfig } from '../../../domain/agent-config';

export interface IdleSettings {
  /** Null when there is no warning. */
  warning: { afterMs: number; message: string } | null;
  /** Null when there is no hang-up. Counts from the warning on, if there is one. */
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
  /** The message is empty when there is none. */
  hangUp: (message: string) => void;
}

/** Runs while nobody speaks. It warns once in a silence: the agent's own speech does not end a silence. */
export class IdleTimer {
  private timer: NodeJS.Timeout | null = null;
  private isWarned = false;

  constructor(
    private readonly settings: IdleSettings,
    private readonly handlers: IdleHandlers,
  ) {}

  /** Nobody speaks from now on. */
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

  /** Somebody speaks or the model generates. `isRemoteParty` ends the silence for good. */
  reset(isRemoteParty: boolean): void {
    this.stop();
    if (isRemoteParty) this.isWarned = false;
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}
