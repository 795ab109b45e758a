import { LINES } from './campaign';
import { mailLines } from './mail';
import type { Results } from './results';
import { storyLines, transcriptLines } from './story';
import type { Style } from './style';
import type { Tally } from './tally';

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
