import { setTimeout as delay } from 'node:timers/promises';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { errorText } from '../error-text';
import { isAccepted } from '../receiver/log';
import type { Receiver } from '../receiver/receiver';
import { CAMPAIGN, CONTACTS, type CampaignAnswer, type ApiClient } from './api-client';
import { CONTACTS as CONTACT_COUNT } from './contact-file';
import { LINES } from './campaign';
import { type Progress, type ProgressView, waitingOf, waitingText } from './progress';
import { valueAt } from '../../domain/json';

interface Watch {
  api: ApiClient;
  calls: Pick<LiveCalls, 'count'>;
  receiver: Pick<Receiver, 'entries'>;
  campaignId: string;
  view: ProgressView;
  signal: AbortSignal;
}

const EVERY_MS = 500;
/** A demo takes about a minute. */
const LONGEST_WAIT_MS = 180_000;
/** The demo tolerates single failed requests, but it fails if the platform stays unreachable. */
const FAILURES_IN_A_ROW = 20;

/** Shows the campaign until it is completed. Returns how long that took. */
export async function watchCampaign(watch: Watch): Promise<number> {
  const startedAtMs = performance.now();
  let failures = 0;
  for (;;) {
    const elapsedMs = performance.now() - startedAtMs;
    try {
      const { status, progress } = await currentProgress(watch, elapsedMs);
      failures = 0;
      if (status === 'completed') {
        watch.view.end(progress);
        return elapsedMs;
      }
      watch.view.show(progress);
      if (elapsedMs > LONGEST_WAIT_MS) throw new TooLong(progress, status);
    } catch (error) {
      failures += 1;
      if (watch.signal.aborted || error instanceof TooLong) throw error;
      if (failures >= FAILURES_IN_A_ROW) {
        throw new Error(`lost contact with the campaign: ${errorText(error)}`, {
          cause: error,
        });
      }
    }
    await delay(EVERY_MS, undefined, { signal: watch.signal });
  }
}

class TooLong extends Error {
  constructor({ contacts, done, failed, waiting }: Progress, status: string) {
    super(
      `the campaign did not complete within ${LONGEST_WAIT_MS / 1000} s: it is ${status}, ` +
        `${done + failed} of ${contacts} contacts are finished, ${waitingText(waiting)}`,
    );
    this.name = 'TooLong';
  }
}

async function currentProgress(
  { api, calls, receiver, campaignId }: Watch,
  elapsedMs: number,
): Promise<{ status: string; progress: Progress }> {
  const path = `/api/campaigns/${campaignId}`;
  const [campaign, contacts] = await Promise.all([
    api.get(path, CAMPAIGN),
    api.get(`${path}/contacts?page_size=200`, CONTACTS),
  ]);
  const attempts = contacts.data.map((contact) => contact.attempts.length);
  const dialled = attempts.reduce((sum, made) => sum + made, 0);
  const delivered = receiver.entries.filter(
    (entry) => isAccepted(entry) && entry.campaign_id === campaignId && entry.call_id !== null,
  );
  const live = calls.count();
  const linesBusy = campaign.stats.in_progress;
  const progress: Progress = {
    elapsedMs,
    contacts: CONTACT_COUNT,
    dialled,
    live,
    done: campaign.stats.completed,
    retried: dialled - attempts.filter((made) => made > 0).length,
    failed: campaign.stats.failed,
    linesBusy,
    lines: LINES,
    webhooks: new Set(delivered.map((entry) => entry.event_id)).size,
    waiting: waitingOf(
      contacts.data.map(({ next }) => next),
      { pausedBecause: pausedBecause(campaign), live },
    ),
  };
  return { status: campaign.campaign_status, progress };
}

/** A campaign that was paused by a circuit breaker or an API client doesn't dial, even if contacts are due. */
function pausedBecause({ campaign_status: status, status_reason: reason }: CampaignAnswer): string | null {
  if (!status.startsWith('paused') && status !== 'cancelled') return null;
  return reason === null ? `the campaign is ${status}` : `the campaign is ${status}: ${reason}`;
}

interface LiveCalls {
  /** Returns how many of the numbers are ringing or talking, according to the simulator's log. */
  count(): number;
  close(): void;
}

/**
 * Follows the simulator's log from its current end and reads only new entries. The simulator's `/stats` also count calls of campaigns that
 * earlier demos left unfinished, so they could exceed this campaign's lines.
 */
export function followLiveCalls(logPath: string, numbers: ReadonlySet<string>): LiveCalls {
  const file = openSync(logPath, 'r');
  const live = new Set<unknown>();
  let offset = fstatSync(file).size;
  let rest = '';
  const take = (line: string) => {
    const entry: unknown = JSON.parse(line);
    const to = valueAt(entry, 'to');
    if (typeof to !== 'string' || !numbers.has(to)) return;
    const call = valueAt(entry, 'carrier_id');
    if (valueAt(entry, 'kind') === 'placed') live.add(call);
    else if (valueAt(entry, 'state') === 'ended') live.delete(call);
  };
  return {
    count() {
      const added = Buffer.alloc(Math.max(0, fstatSync(file).size - offset));
      offset += readSync(file, added, 0, added.length, offset);
      const lines = (rest + added.toString('utf8')).split('\n');
      // The text after the last newline is an incomplete entry.
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') take(line);
      return live.size;
    },
    close: () => closeSync(file),
  };
}
