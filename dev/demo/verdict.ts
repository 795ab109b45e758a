/** Checks that every contact ended as the simulator's script says and that the run kept its guarantees. */
import { expectedOutcome } from '../simulator/numbers';
import type { ContactAnswer } from './answers';
import type { DemoContact } from './contact-file';
import type { CountedCall, Tally } from './tally';

export interface VerdictInput {
  tally: Tally;
  /** The contacts of the file. */
  contacts: readonly DemoContact[];
  /** The campaign's contacts as the API returns them. */
  answers: readonly ContactAnswer[];
  maxRetries: number;
  lines: number;
  /** Number of e-mails about the campaign's end. */
  mails: number;
}

/** Returns a sentence for each failed check; empty if all passed. */
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
  // Each callback adds one call to those of the script.
  const atMost = expected.placed + expected.callbacks;
  compare(
    'calls placed',
    expected.placed,
    calls.length > expected.placed && calls.length <= atMost ? expected.placed : calls.length,
  );
  compare(
    'the outcome in the carrier’s log',
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

/** Checks that the attempts in the contact list match the references in the dial requests exactly. */
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
  const { duplicateDials, peakLive, invalidDeliveries, completedReported } = tally;
  if (duplicateDials > 0)
    faults.push(`${duplicateDials} calls were placed under a reference that was already dialled`);
  if (peakLive > lines) faults.push(`${peakLive} calls were live at once on ${lines} lines`);
  if (invalidDeliveries > 0) faults.push(`${invalidDeliveries} webhooks had an invalid signature`);
  const missing = missingWebhooks(tally);
  if (missing > 0) faults.push(`${missing} of ${tally.asked.size} call webhooks were not delivered`);
  const twice = [...tally.eventsByCall.values()].filter((ids) => ids.size > 1).length;
  if (twice > 0) faults.push(`${twice} calls were reported by more than one event`);
  if (completedReported !== 1) faults.push(`campaign.completed was sent ${completedReported} times`);
  if (mails !== 1) faults.push(`${mails} e-mails about the end of the campaign were received`);
  return faults;
}

export function missingWebhooks({ asked, eventsByCall }: Tally): number {
  return [...asked].filter((reference) => !eventsByCall.has(reference)).length;
}
