/** What the agent does when nobody says anything: asks whether somebody is there, and hangs up in the end. */
import type { AgentConfig } from '../../workflows/domain/agent-config';
import { valueAt } from '../../workflows/domain/json';
import { secondsAsMs, textIn } from './fields';

export interface IdleSettings {
  /** Null where it does not ask. */
  warning: { afterMs: number; message: string } | null;
  /** Null where it does not hang up. From the warning on, where there is one. */
  hangUp: { afterMs: number; message: string } | null;
}

const LIMITS = { least: 5, most: 60 } as const;
const USUAL_WARNING = 'Are you still there?';

export function idleSettingsOf(config: AgentConfig): IdleSettings {
  const stored = valueAt(config, 'experience', 'settings', 'idle_conversation_settings');
  const warning = textIn(valueAt(stored, 'idle_call_warning_message'));
  return {
    warning:
      valueAt(stored, 'pulse_check') === true
        ? {
            afterMs: secondsAsMs(valueAt(stored, 'idle_call_warning_timeout'), { ...LIMITS, unless: 10 }),
            message: warning === '' ? USUAL_WARNING : warning,
          }
        : null,
    hangUp:
      valueAt(stored, 'end_conversation_on_idle') === true
        ? {
            afterMs: secondsAsMs(valueAt(stored, 'idle_call_hangup_timeout'), { ...LIMITS, unless: 20 }),
            message: textIn(valueAt(stored, 'idle_call_hangup_message')),
          }
        : null,
  };
}

/** The longest silence that the settings themselves bring about. */
export const idleMs = ({ warning, hangUp }: IdleSettings): number =>
  (warning?.afterMs ?? 0) + (hangUp?.afterMs ?? 0);

export interface IdleDeeds {
  warn: (message: string) => void;
  /** The message is empty where there is none. */
  hangUp: (message: string) => void;
}

/** Counts while nobody speaks. It warns once in a silence: what the agent says itself does not end it. */
export class Idle {
  private timer: NodeJS.Timeout | null = null;
  private isWarned = false;

  constructor(
    private readonly settings: IdleSettings,
    private readonly deeds: IdleDeeds,
  ) {}

  /** Nobody speaks from now on. */
  quiet(): void {
    this.stop();
    const { warning, hangUp } = this.settings;
    if (warning !== null && !this.isWarned) {
      this.timer = setTimeout(() => {
        this.isWarned = true;
        // Where saying it fails or is cut short, the silence goes on.
        this.quiet();
        this.deeds.warn(warning.message);
      }, warning.afterMs);
    } else if (hangUp !== null) {
      this.timer = setTimeout(() => this.deeds.hangUp(hangUp.message), hangUp.afterMs);
    }
  }

  /** Somebody speaks or thinks. `isOtherSide` ends the silence for good. */
  busy(isOtherSide: boolean): void {
    this.stop();
    if (isOtherSide) this.isWarned = false;
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}
