/** Renders one contact's calls and one conversation as text. */
import type { CallAnswer, DetailsAnswer } from './answers';
import type { Style } from './style';

export interface Story {
  name: string;
  phone: string;
  city: string;
  /** The contact's calls, oldest first. */
  calls: readonly CallAnswer[];
}

export function storyLines({ name, phone, city, calls }: Story, style: Style): string[] {
  return [
    `${style.bold(name)}, ${city}, ${phone}`,
    ...calls.map((call, index) => `  ${clock(call.call_dialing_at)}  call ${index + 1}  ${courseOf(call)}`),
  ];
}

function courseOf(call: CallAnswer): string {
  const rangMs = between(call.call_ringing_at, call.user_picked_up_at ?? call.End_time);
  const rang = rangMs === null ? '' : `rang ${seconds(rangMs)}, `;
  if (call.user_picked_up_at === null) return `${rang}${call.call_status}`;
  return `${rang}answered at ${clock(call.user_picked_up_at)}, talked ${seconds(call.duration_ms)}: ${call.call_status}`;
}

/** Returns the conversation with its labels in a column, and the results of its analysis. */
export function transcriptLines(details: DetailsAnswer, style: Style, columns: number): string[] {
  const facts = Object.entries(typeof details.entity === 'string' ? {} : details.entity).map(
    ([name, value]) => `${name} ${value === null ? 'not said' : JSON.stringify(value)}`,
  );
  const labelled = (label: string, text: string, width: number) =>
    wrap(text, columns - width - 5).map((line, index) => {
      return `  ${style.dim((index === 0 ? label : '').padEnd(width))}  ${line}`;
    });
  return [
    ...details.transcription.split('\n').flatMap((line) => {
      const [, label = '', text = line] = /^(AGENT|USER): (.*)$/.exec(line) ?? [];
      return labelled(label, text, 5);
    }),
    '',
    ...labelled('summary', details.summary, 9),
    ...labelled('extracted', facts.join(', ') || 'nothing', 9),
    ...labelled('tag', details.call_eval_tag ?? 'none', 9),
  ];
}

const clock = (at: string | null): string =>
  at === null ? '--:--:--' : new Date(at).toTimeString().slice(0, 8);

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

function between(from: string | null, to: string | null): number | null {
  return from === null || to === null ? null : Date.parse(to) - Date.parse(from);
}

/** Breaks the text between words into lines of at most `width` characters. A longer word gets its own line. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
