/** Collects the campaign's results: the counts from the logs, the verdict, and the calls to show. */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CaughtMail } from '../mail/catcher';
import { readReceiverLog } from '../receiver/log';
import { readSimulatorLog } from '../simulator/log';
import {
  CALLS,
  CONTACTS,
  DETAILS,
  type CallAnswer,
  type ContactAnswer,
  type DetailsAnswer,
  type ApiClient,
} from './api-client';
import { LINES, MAX_RETRIES } from './campaign';
import { isRedialledAndAnswered, type DemoContact } from './contact-file';
import { tallyOf, type Tally, type CountedCall } from './tally';
import { expectedOutcome } from '../simulator/numbers';

export interface Evidence {
  simulatorLog: string;
  receiverLog: string;
  contacts: readonly DemoContact[];
  campaignId: string;
  /** All caught e-mails, including those about other campaigns. */
  mails: () => readonly CaughtMail[];
}

export interface Story {
  name: string;
  phone: string;
  city: string;
  /** The contact's calls, oldest first. */
  calls: readonly CallAnswer[];
}

export interface Results {
  tally: Tally;
  faults: string[];
  story: Story;
  /** Details of the story's last call; null if it has no transcript. */
  details: DetailsAnswer | null;
  callId: string;
  /** The e-mails about the campaign's end, without duplicates. */
  mails: CaughtMail[];
}

const LAST_DELIVERIES_MS = 30_000;
const EVERY_MS = 500;

/** Each run has its own log file, because each run has its own receiver. */
export const receiverLogIn = (dataFolder: string, nowMs: number): string =>
  join(dataFolder, 'logs', `receiver-${nowMs}.jsonl`);

function takeTally({ simulatorLog, receiverLog, contacts, campaignId }: Evidence): Tally {
  return tallyOf({
    simulator: readSimulatorLog(simulatorLog),
    receiver: readReceiverLog(receiverLog),
    numbers: new Set(contacts.map(({ phone }) => phone)),
    campaignId,
    lines: LINES,
  });
}

/** Waits up to 30 s until the receiver has accepted the webhooks for all calls and for the campaign's end, and the e-mail was sent. */
export async function waitForWebhooks(evidence: Evidence, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + LAST_DELIVERIES_MS;
  while (performance.now() < deadline) {
    const tally = takeTally(evidence);
    if (missingWebhooks(tally) === 0 && tally.completedReported > 0 && mailsOf(evidence).length > 0) return;
    await delay(EVERY_MS, undefined, { signal });
  }
}

export async function gatherResults(api: ApiClient, evidence: Evidence): Promise<Results> {
  const { contacts, campaignId } = evidence;
  const { data: answers } = await api.get(`/api/campaigns/${campaignId}/contacts?page_size=200`, CONTACTS);
  const tally = takeTally(evidence);
  const mails = mailsOf(evidence);
  const faults = faultsOf({
    tally,
    contacts,
    answers,
    maxRetries: MAX_RETRIES,
    lines: LINES,
    mails: mails.length,
  });
  const { data: calls } = await api.get(`/api/call-history?campaign_id=${campaignId}&page_size=200`, CALLS);
  const story = storyOf(contacts, answers, calls);
  const callId = story.calls.at(-1)?.call_id ?? '';
  const talked = story.calls.at(-1)?.user_picked_up_at != null;
  const details = talked ? await api.get(`/api/call_details/${callId}`, DETAILS) : null;
  return { tally, faults, story, details, callId, mails };
}

/** Drops e-mails whose Message-ID was seen before. If a process dies, an e-mail may be sent twice, but mail systems show it once. */
function mailsOf({ mails, campaignId }: Evidence): CaughtMail[] {
  const own = mails().filter(({ messageId }) => messageId.includes(campaignId));
  return [...new Map(own.map((mail) => [mail.messageId, mail])).values()];
}

/** Picks a contact that answered a redial, or the first contact that was called if no contact did. */
function storyOf(
  contacts: readonly DemoContact[],
  answers: readonly ContactAnswer[],
  calls: readonly CallAnswer[],
): Story {
  const called = contacts.filter(({ phone }) => answers.some((answer) => isCalled(answer, phone)));
  const chosen =
    called.find(({ phone }) => isRedialledAndAnswered(phone, MAX_RETRIES)) ?? called[0] ?? contacts[0];
  if (chosen === undefined) throw new Error('the contact file is empty');
  const { name, phone, city } = chosen;
  // The history starts with the newest call.
  return { name, phone, city, calls: calls.filter((call) => call.to_number === phone).reverse() };
}

const isCalled = ({ phone_number: number, attempts }: ContactAnswer, phone: string): boolean =>
  number === phone && attempts.length > 0;

interface VerdictInput {
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
  // A callback adds one call to the scripted calls.
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
  { requested }: Tally,
): string[] {
  const listed = new Set(attempts.map(({ call_id: callId }) => callId));
  const unlisted = calls.filter(({ reference }) => !listed.has(reference)).length;
  const unrequested = attempts.filter(({ call_id: callId }) => !requested.has(callId)).length;
  const who = `${name} (…${phone.slice(-2)})`;
  return [
    ...(unlisted > 0 ? [`${who}: ${unlisted} of its calls are missing from the contact list`] : []),
    ...(unrequested > 0 ? [`${who}: ${unrequested} listed attempts never reached the carrier`] : []),
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
  if (missing > 0) faults.push(`${missing} of ${tally.requested.size} call webhooks were not delivered`);
  const twice = [...tally.eventsByCall.values()].filter((ids) => ids.size > 1).length;
  if (twice > 0) faults.push(`${twice} calls were reported by more than one event`);
  if (completedReported !== 1) faults.push(`campaign.completed was sent ${completedReported} times`);
  if (mails !== 1) faults.push(`${mails} e-mails about the end of the campaign were received`);
  return faults;
}

function missingWebhooks({ requested, eventsByCall }: Tally): number {
  return [...requested].filter((reference) => !eventsByCall.has(reference)).length;
}
