/** Detects answering machines by the words and by how long speech continues without a pause. */
import type { AnsweredBy } from '../../../domain/call-outcome';
import { fillTemplate } from '../../../domain/template';
import type { CallContext } from '../../platform/call-context';
import { answererOf } from './answerer-words';

/**
 * Longer speech without a pause is an announcement, unless the words are those of a person or of call screening. People usually just say
 * hello.
 */
const LONG_SPEECH_MS = 4_500;
const HELLO_MS = 2_500;
/** After saying hello, people wait for an answer. */
const PAUSE_MS = 800;
/** When the first words are longer than a hello, a short pause may just be a breath. */
const LONG_PAUSE_MS = 1_500;
/** If the line is silent for this long, the user is waiting for the agent to begin. */
const NOTHING_HEARD_MS = 4_000;
const DETECTION_TIMEOUT_MS = 12_000;

export interface VoicemailSettings {
  /** Null to hang up without a message. */
  message: string | null;
}

/** Returns null when detection is off. Inbound callers and browser users are always people. */
export function voicemailSettingsOf(callContext: CallContext): VoicemailSettings | null {
  if (!callContext.amd || callContext.medium !== 'telephony' || callContext.direction !== 'Outbound')
    return null;
  const { action, end_call_message: text } = callContext.agent.config.experience.settings.call_settings;
  const message = fillTemplate(text, callContext.variables).trim();
  const leaves = action === 'leave_message' && message !== '';
  return { message: leaves ? message : null };
}

export interface SpeechSoFar {
  /** Time since the answer. */
  passedMs: number;
  /** Duration of speech only, without pauses. */
  spokenMs: number;
  /** Duration of the current speech. Null during a pause. */
  speakingMs: number | null;
  /** Time since the last speech. Null during speech and before the first speech. */
  pauseMs: number | null;
  /** Final words, followed by the interim words of the current speech. */
  words: string;
}

/** Returns null while undecided. */
export function classifyAnswer({
  passedMs,
  spokenMs,
  speakingMs,
  pauseMs,
  words,
}: SpeechSoFar): AnsweredBy | null {
  const shown = answererOf(words);
  if (shown === 'machine') return 'machine';
  if (shown === null && (speakingMs ?? 0) >= LONG_SPEECH_MS) return 'machine';
  // The prompt of call screening also pauses. The agent answers it like a person.
  const isShort = spokenMs <= HELLO_MS && shown !== 'screening';
  if (pauseMs !== null && pauseMs >= (isShort ? PAUSE_MS : LONG_PAUSE_MS)) return 'human';
  if (spokenMs === 0 && speakingMs === null && passedMs >= NOTHING_HEARD_MS) return 'unknown';
  return passedMs >= DETECTION_TIMEOUT_MS ? 'unknown' : null;
}

/** Observes the user's speech after the answer. */
export class AnsweringMachineDetector {
  private readonly startedAt = performance.now();
  private speechFrom: number | null = null;
  private speechEnd: number | null = null;
  private spokenMs = 0;
  private words = '';
  private interimWords = '';

  setSpeaking(isSpeaking: boolean): void {
    const now = performance.now();
    if (isSpeaking) {
      this.speechFrom ??= now;
      this.speechEnd = null;
    } else if (this.speechFrom !== null) {
      this.spokenMs += now - this.speechFrom;
      this.speechFrom = null;
      this.speechEnd = now;
    }
  }

  /** New interim words replace the previous ones. */
  hear(words: string, { isFinal }: { isFinal: boolean }): void {
    if (isFinal) this.words = `${this.words} ${words}`;
    this.interimWords = isFinal ? '' : words;
  }

  /** Time since the last speech. Null during speech and before the first speech. */
  get pauseMs(): number | null {
    return this.speechEnd === null ? null : performance.now() - this.speechEnd;
  }

  classify(): AnsweredBy | null {
    const now = performance.now();
    const { startedAt, speechFrom, spokenMs, pauseMs } = this;
    const words = `${this.words} ${this.interimWords}`;
    const speakingMs = speechFrom === null ? null : now - speechFrom;
    return classifyAnswer({ passedMs: now - startedAt, spokenMs, speakingMs, pauseMs, words });
  }
}
