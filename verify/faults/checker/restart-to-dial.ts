/**
 * Measures how long the platform dialled nothing after a restart although contacts were due.
 *
 * The time is measured from the kill and from the start command of the killed process. If another dependency is still unreachable when that
 * process is ready, or becomes unreachable within the two seconds allowed before a dial, the time is measured from that dependency's start
 * command, or from the repair of a link. A link that loses responses is treated as unreachable. A second worker isn't a dependency.
 *
 * A restart is measured only if a contact was due in an open, unpaused campaign inside its window, and both the campaign and its
 * organization had a free line.
 *
 * A line is in use from the placement until the platform accepts the carrier's report of the end. An unreported end is treated as known
 * after thirty seconds, when reconciliation has found it. An attempt that was rejected, or whose status is queried because it may be lost,
 * keeps its line and contact.
 */
import type { Dial } from './dials';
import { type CampaignRecord, msOf, type Restart } from './evidence';
import { contactKey, dialsByContact, type Run } from './run';
import { forbiddenBy } from './terms';
import { trueTimes } from './true-time';

const ALLOWED_MS = 2_000;
const UNREPORTED_END_FOUND_AFTER_MS = 30_000;

interface Holding {
  dial: Dial;
  fromMs: number;
  untilMs: number;
}

/** In seconds, rounded to milliseconds. */
interface RestartToDial {
  fromKillS: number;
  fromStartS: number;
}

/** Returns an entry for each restart of a worker or the API during which contacts were due. */
export function restartsToDial(run: Run): RestartToDial[] {
  const holdings = holdingsOf(run);
  return run.evidence.restarts
    .filter(({ process, ready_at }) => /^(worker|api)/.test(process) && ready_at !== null)
    .flatMap((restart) => {
      const { readyMs, startedMs } = endOfOutage(run, restart);
      const next = nextDial(run, readyMs);
      if (next === undefined || !hasWork(run, holdings, readyMs, next)) return [];
      // Another worker may have dialled before this one was ready.
      const atMs = nextDial(run, startedMs)?.placedMs ?? next.placedMs;
      return [{ fromKillS: (atMs - msOf(restart.killed_at)) / 1000, fromStartS: (atMs - startedMs) / 1000 }];
    });
}

const nextDial = ({ dials }: Run, afterMs: number): Dial | undefined =>
  dials.find(({ placedMs }) => placedMs > afterMs);

/** Returns when all processes were ready again, and when the last of them was started. */
function endOfOutage(run: Run, restart: Restart): { readyMs: number; startedMs: number } {
  let readyMs = msOf(restart.ready_at ?? '');
  let startedMs = restart.started_at === null ? readyMs : msOf(restart.started_at);
  for (const { what, fromMs, untilMs, backFromMs } of run.outages) {
    if (isWorker(restart.process) && isWorker(what)) continue;
    const next = nextDial(run, readyMs)?.placedMs ?? Infinity;
    if (untilMs > readyMs && fromMs < Math.min(next, readyMs + ALLOWED_MS)) {
      readyMs = untilMs;
      startedMs = backFromMs;
    }
  }
  return { readyMs, startedMs };
}

const isWorker = (process: string): boolean => /^worker(-\d+)?$/.test(process);

function hasWork(run: Run, holdings: Holding[], atMs: number, next: Dial): boolean {
  const held = holdings.filter(({ fromMs, untilMs }) => fromMs <= atMs && untilMs > atMs);
  return run.evidence.campaigns.some((campaign) => {
    if (!isDialling(run, campaign, atMs, next.placedMs)) return false;
    const ofCampaign = held.filter(({ dial }) => dial.campaignId === campaign.id).length;
    const ofOrganization = held.filter(({ dial }) => dial.organizationId === campaign.organization_id).length;
    const lines = Math.min(
      ...run
        .terms(campaign)
        .possible(atMs)
        .map(({ concurrency }) => concurrency),
    );
    const max =
      run.evidence.organizations.find(({ id }) => id === campaign.organization_id)?.max_concurrency ?? 0;
    return ofCampaign < lines && ofOrganization < max && hasDueContact(run, campaign, held, atMs);
  });
}

/** Returns true if, from `atMs` until the next dial, the campaign was inside its window, not paused and not being edited. */
function isDialling({ asked, terms }: Run, campaign: CampaignRecord, atMs: number, untilMs: number): boolean {
  const own = asked.filter(({ campaignId }) => campaignId === campaign.id);
  const created = own.find(({ kind }) => kind === 'create');
  if (created !== undefined && created.effectByMs > atMs) return false;
  const commands = own.filter(({ kind }) => kind !== 'create');
  if (commands.some(({ sentMs, effectByMs }) => sentMs <= untilMs && effectByMs >= atMs)) return false;
  const last = commands.filter(({ effectByMs }) => effectByMs < atMs).at(-1);
  if (last !== undefined && last.kind !== 'resume') return false;
  return terms(campaign)
    .possible(atMs, untilMs)
    .every((each) => forbiddenBy(each, atMs) === null && forbiddenBy(each, untilMs) === null);
}

/**
 * Returns true if a contact could have been dialled at `atMs`. The contact must be dialled later in the log, which proves that it wasn't
 * final.
 */
function hasDueContact(run: Run, campaign: CampaignRecord, held: Holding[], atMs: number): boolean {
  const busy = new Set(held.map(({ dial }) => contactKey(dial.campaignId ?? '', dial.contactRow ?? -1)));
  return [...dialsByContact(run.dials)].some(([key, dials]) => {
    const index = dials.findIndex(({ placedMs }) => placedMs > atMs);
    const dial = dials[index];
    if (dial === undefined || dial.campaignId !== campaign.id || dial.isCallback || busy.has(key))
      return false;
    const before = dials[index - 1];
    if (before === undefined) return true;
    const delays = run
      .terms(campaign)
      .possible(atMs)
      .map(({ retryDelayMins }) => retryDelayMins);
    return before.endedMs !== null && before.endedMs + Math.max(...delays) * 60_000 <= atMs;
  });
}

function holdingsOf(run: Run): Holding[] {
  const { carrier } = run.evidence;
  const times = trueTimes(run.evidence);
  const reportedMs = new Map<string, number>();
  const requestedMs = new Map<string, number>();
  carrier.forEach((line, order) => {
    const atMs = times[order] ?? NaN;
    if (line.kind === 'event' && line.type === 'ended' && isSuccess(line.status)) {
      reportedMs.set(
        line.carrier_id ?? '',
        Math.min(reportedMs.get(line.carrier_id ?? '') ?? Infinity, atMs),
      );
    }
    const reference = line.reference ?? '';
    if (line.kind === 'request' && line.path === '/calls' && !requestedMs.has(reference))
      requestedMs.set(reference, atMs);
  });
  return run.dials.map((dial) => {
    const requested = requestedMs.get(dial.reference) ?? Infinity;
    // The worker requested this call before the outage and queried its status afterwards, so the call held its line throughout.
    const beforeMs = requested < dial.placedMs ? outageStart(run, requested) : dial.placedMs;
    const knownMs = dial.endedMs === null ? Infinity : dial.endedMs + UNREPORTED_END_FOUND_AFTER_MS;
    return { dial, fromMs: beforeMs, untilMs: Math.min(reportedMs.get(dial.carrierId) ?? Infinity, knownMs) };
  });
}

/** Returns the start of the last outage before the given time, or the given time if there is none. */
function outageStart({ outages }: Run, atMs: number): number {
  const before = outages.filter(({ kind, fromMs }) => kind === 'unreachable' && fromMs <= atMs).at(-1);
  return before?.fromMs ?? atMs;
}

const isSuccess = (status: number | null | undefined): boolean =>
  typeof status === 'number' && status >= 200 && status < 300;
