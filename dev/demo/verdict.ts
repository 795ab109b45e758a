/** Whether every contact ended as the simulator's script says, and what else must hold. */
import { expectedOutcome } from '../simulator/numbers';
import type { ContactAnswer } from './answers';
import type { DemoContact } from './contact-file';
import type { CountedCall, Tally } from './tally';

export interface VerdictInput {
  tally: Tally;
  /** The file. */
  contacts: readonly DemoContact[];
  /** The campaign's contacts as the API shows them. */
  answers: readonly ContactAnswer[];
  maxRetries: number;
  lines: number;
  /** E-mails about the campaign's end. */
  mails: number;
}

/** What is wrong, in words; nothing when all is as it should be. */
export function faultsOf(input: VerdictInput): string[] {
  return [...input.contacts.flatMap((contact) => contactFaults(contact, input)), ...runFaults(input)];
}

function contactFaults(contact: DemoContact, { tally, answers, maxRetries }: VerdictInput): string[] {
  const { phone, name } = contact;
  const expected = expectedOutcome(phone, maxRetries);
  const calls = tally.calls.filter(({ to }) => to === phone);
  const answer = answers.find(({ phone_number: number }) => number === phone);
  const faults: string[] = [];
  const compare = (what: string, wanted: string | number, found: string | number) => {
    if (found !== wanted)
      faults.push(`${name} (…${phone.slice(-2)}): ${what} should be ${wanted}, is ${found}`);
  };
  // A callback that is honoured is one call more than the script needs.
  const atMost = expected.placed + expected.callbacks;
  compare(
    'calls placed',
    expected.placed,
    calls.length > expected.placed && calls.length <= atMost ? expected.placed : calls.length,
  );
  compare(
    'the end by the carrier’s log',
    expected.state,
    calls.some(({ answered }) => answered) ? 'completed' : 'failed',
  );
  if (calls.some(({ endedAtMs }) => endedAtMs === null)) {
    faults.push(`${name} (…${phone.slice(-2)}): a call has not ended`);
  }
  if (answer === undefined)
    return [...faults, `${name} (…${phone.slice(-2)}): is missing from the contact list`];
  compare('the state in the contact list', expected.contactState, answer.state);
  compare('the last call_status', expected.callStatus, answer.attempts.at(-1)?.call_status ?? 'none');
  return [...faults, ...attemptFaults(contact, answer, calls, tally)];
}

/** The attempts in the contact list are the references that the carrier was asked for, no more and no fewer. */
function attemptFaults(
  { name, phone }: DemoContact,
  { attempts }: ContactAnswer,
  calls: readonly CountedCall[],
  { asked }: Tally,
): string[] {
  const listed = new Set(attempts.map(({ call_id: callId }) => callId));
  const unlisted = calls.filter(({ reference }) => !listed.has(reference)).length;
  const unasked = attempts.filter(({ call_id: callId }) => !asked.has(callId)).length;
  const who = `${name} (…${phone.slice(-2)})`;
  return [
    ...(unlisted > 0 ? [`${who}: ${unlisted} of its calls are missing from the contact list`] : []),
    ...(unasked > 0 ? [`${who}: ${unasked} listed attempts never reached the carrier`] : []),
  ];
}

function runFaults({ tally, lines, mails }: VerdictInput): string[] {
  const faults: string[] = [];
  const { duplicateDials, peakLive, invalidDeliveries, completedAnnounced } = tally;
  if (duplicateDials > 0) faults.push(`${duplicateDials} calls were placed under a reference dialled before`);
  if (peakLive > lines) faults.push(`${peakLive} calls were live at once on ${lines} lines`);
  if (invalidDeliveries > 0) faults.push(`${invalidDeliveries} webhooks came with a wrong signature`);
  const missing = missingWebhooks(tally);
  if (missing > 0) faults.push(`${missing} of ${tally.asked.size} call webhooks were not delivered`);
  const twice = [...tally.eventsByCall.values()].filter((ids) => ids.size > 1).length;
  if (twice > 0) faults.push(`${twice} calls were notified by more than one event`);
  if (completedAnnounced !== 1) faults.push(`campaign.completed was announced ${completedAnnounced} times`);
  if (mails !== 1) faults.push(`${mails} e-mails came about the end of the campaign`);
  return faults;
}

export function missingWebhooks({ asked, eventsByCall }: Tally): number {
  return [...asked].filter((reference) => !eventsByCall.has(reference)).length;
}
