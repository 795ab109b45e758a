/** Collects the campaign's results: the counts from the logs, the verdict, and the calls to show. */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CaughtMail } from '../mail/catcher';
import { readReceiverLog } from '../receiver/log';
import { readSimulatorLog } from '../simulator/log';
import { CALLS, CONTACTS, DETAILS, type CallAnswer, type ContactAnswer, type DetailsAnswer } from './answers';
import type { ApiClient } from './api-client';
import { LINES, MAX_RETRIES } from './campaign';
import { isRedialledAndAnswered, type DemoContact } from './contact-file';
import type { Story } from './story';
import { tallyOf, type Tally } from './tally';
import { faultsOf, missingWebhooks } from './verdict';

export interface Evidence {
  simulatorLog: string;
  receiverLog: string;
  contacts: readonly DemoContact[];
  campaignId: string;
  /** All caught e-mails, including those about other campaigns. */
  mails: () => readonly CaughtMail[];
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

export function takeTally({ simulatorLog, receiverLog, contacts, campaignId }: Evidence): Tally {
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

/**
 * Picks a contact that was redialled and then answered. If there is none because something went wrong, picks the first contact that was
 * called.
 */
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
  // The history is newest first.
  return { name, phone, city, calls: calls.filter((call) => call.to_number === phone).reverse() };
}

const isCalled = ({ phone_number: number, attempts }: ContactAnswer, phone: string): boolean =>
  number === phone && attempts.length > 0;
