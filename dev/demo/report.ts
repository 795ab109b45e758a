import { LINES } from './campaign';
import type { Results, Story } from './results';
import type { Style } from './progress';
import type { Tally } from './tally';
import type { CallAnswer, DetailsAnswer } from './api-client';
import type { CaughtMail } from '../mail/catcher';

const MAX_FAULTS = 20;

export function reportLines(results: Results, style: Style, columns: number): string[] {
  const { tally, faults, story, details, mails } = results;
  return [
    ...verdictLines(faults, style),
    ...figureLines(tally),
    '',
    style.bold("One contact's story"),
    ...indented(storyLines(story, style)),
    '',
    style.bold('What was said'),
    ...(details === null
      ? ['  nothing, because the call was not answered']
      : transcriptLines(details, style, columns)),
    '',
    style.bold('The e-mail to the manager'),
    ...indented(mailLines(mails, style)),
    '',
  ];
}

function verdictLines(faults: readonly string[], style: Style): string[] {
  if (faults.length === 0) return [style.good("✓ Every contact ended as the simulator's script says.")];
  const more = faults.length - MAX_FAULTS;
  return [
    style.bad(`✗ ${faults.length} ${faults.length === 1 ? 'check' : 'checks'} failed:`),
    ...faults.slice(0, MAX_FAULTS).map((fault) => `    ${fault}`),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ];
}

/** These figures come from the simulator's and the receiver's logs. */
function figureLines(tally: Tally): string[] {
  const { calls, contacts, completed, failed, duplicateDials, peakLive, eventsByCall, callbackWaitMs } =
    tally;
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const wait =
    callbackWaitMs > 0
      ? [`  Excludes ${seconds(callbackWaitMs)} in which only a callback that wasn't due yet was left.`]
      : [];
  return [
    `  ${contacts} contacts: ${completed} reached, ${failed} not reached. ${calls.length} calls placed, ${duplicateDials} of them duplicates.`,
    `  At most ${peakLive} of ${LINES} lines at once; ${eventsByCall.size} calls reported by webhook, signatures checked.`,
    `  ${seconds(tally.makespanMs)} from the first call to the last end; no schedule could take less than ${seconds(tally.idealMs)}.`,
    ...wait,
  ];
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

function storyLines({ name, phone, city, calls }: Story, style: Style): string[] {
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
function transcriptLines(details: DetailsAnswer, style: Style, columns: number): string[] {
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

/** Longer e-mails are truncated. The file has the rest. */
const MAX_LINES = 16;

/** Returns the beginning of the e-mail about the campaign's end, and the file with the rest. */
function mailLines(mails: readonly CaughtMail[], style: Style): string[] {
  const mail = mails[0];
  if (mail === undefined) return ['no e-mail was received'];
  const attached = mail.attachments.map(
    ({ filename, bytes }) => `${filename}, ${Math.ceil(bytes / 1024)} KB`,
  );
  const lines = mail.text.trimEnd().split('\n').slice(1);
  return [
    `${style.bold(mail.subject)}  (attached: ${attached.join(', ') || 'nothing'})`,
    ...lines.slice(0, MAX_LINES).map((line) => `  ${line}`.trimEnd()),
    ...(lines.length > MAX_LINES ? [style.dim(`  … full text: ${mail.file}`)] : []),
  ];
}

interface NextSteps {
  apiUrl: string;
  /** Signs the user in once and expires within minutes. */
  consoleLink: string;
  key: string;
  agentId: string;
  campaignId: string;
  /** A call that has a transcript. */
  callId: string;
  /** A number that answers and talks. */
  numberToTry: string;
  temporalAddress: string;
  /** Null if Temporal wasn't started by this command. */
  temporalUiUrl: string | null;
  temporalNamespace: string;
  dataFolder: string;
  /** Command that removes all data. */
  cleanCommand: string;
}

export function nextStepLines(next: NextSteps, style: Style): string[] {
  const { apiUrl, key, agentId, callId } = next;
  const curl = `curl -s -H 'X-API-Key: ${key}'`;
  const dispatch = JSON.stringify({ agent_id: agentId, contact_number: next.numberToTry, name: 'Ravi' });
  return [
    style.bold('Try it'),
    `  console      ${next.consoleLink}   (works once, within ten minutes)`,
    `  base URL     ${apiUrl}`,
    `  API key      ${key}`,
    `  API page     ${apiUrl}/api/docs`,
    `  Temporal UI  ${temporalUi(next)}`,
    `  data, logs   ${next.dataFolder}   (${next.cleanCommand} removes it)`,
    '',
    style.dim('  # how the campaign ended'),
    `  ${curl} ${apiUrl}/api/campaigns/${next.campaignId}`,
    style.dim('  # the transcript above'),
    `  ${curl} ${apiUrl}/api/call_details/${callId}`,
    style.dim('  # call one more contact; then see /api/call-history'),
    `  ${curl} -H 'Content-Type: application/json' ${apiUrl}/api/trigger-call/ -d '${dispatch}'`,
  ];
}

function temporalUi(next: NextSteps): string {
  if (next.temporalUiUrl === null) return `${next.temporalAddress} (not started by this command)`;
  return `${next.temporalUiUrl}/namespaces/${next.temporalNamespace}/workflows/campaign-${next.campaignId}`;
}
