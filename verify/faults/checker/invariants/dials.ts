/** Invariants 1, 2, 3, 4 and 7, which a placed call can violate. */
import { type Dial, nationalDigits } from '../dials';
import { isoOf, masked } from '../evidence';
import type { Asked } from '../requests';
import { dialsByContact, outageBetween, type Run } from '../run';
import { outsideWindow } from './rules';

export function dialledOnce(run: Run): string[] {
  return [
    ...placedTwice(run),
    ...unknownToPostgres(run),
    ...beyondAllowedAttempts(run),
    ...beyondAllowedOfNumber(run),
  ];
}

/** Returns each further call with a reference that was already used. */
export function duplicateDials(dials: readonly Dial[]): Dial[] {
  const seen = new Set<string>();
  return dials.filter(({ reference }) => {
    const isSecond = seen.has(reference);
    seen.add(reference);
    return isSecond;
  });
}

function placedTwice({ dials }: Run): string[] {
  return duplicateDials(dials).map(
    (dial) =>
      `call ${dial.reference} was placed again at ${isoOf(dial.placedMs)} (simulator.jsonl:${dial.line}): one attempt reached the carrier twice`,
  );
}

function unknownToPostgres({ dials }: Run): string[] {
  return dials
    .filter(({ row }) => row === null)
    .map(
      (dial) =>
        `the carrier placed call ${dial.reference} at ${isoOf(dial.placedMs)} (simulator.jsonl:${dial.line}), but Postgres has no such call`,
    );
}

function beyondAllowedAttempts(run: Run): string[] {
  return [...dialsByContact(run.dials).values()].flatMap((dials) => {
    const attempts = firstOfEach(dials.filter(({ isCallback }) => !isCallback));
    return attempts.flatMap((dial, index) => {
      const campaign = run.campaign(dial.campaignId);
      if (campaign === undefined) return [];
      const allowed = Math.max(
        ...run
          .terms(campaign)
          .possible(dial.placedMs)
          .map((terms) => terms.maxRetries),
      );
      if (index < allowed) return [];
      return `row ${dial.contactRow} of campaign ${campaign.id} got dial ${index + 1} at ${isoOf(dial.placedMs)} (call ${dial.reference}, simulator.jsonl:${dial.line}), but only ${allowed} dials were allowed`;
    });
  });
}

function firstOfEach(dials: Dial[]): Dial[] {
  const doubles = new Set(duplicateDials(dials));
  return dials.filter((dial) => !doubles.has(dial));
}

/** Checks that a number gets no more dials than all its contacts allow, without relying on Postgres. */
function beyondAllowedOfNumber(run: Run): string[] {
  const byNumber = new Map<string, Dial[]>();
  for (const dial of run.dials) {
    const digits = nationalDigits(dial.to);
    byNumber.set(digits, [...(byNumber.get(digits) ?? []), dial]);
  }
  return [...byNumber].flatMap(([digits, dials]) => {
    const allowed = allowedOfNumber(run, digits);
    if (dials.length <= allowed) return [];
    const references = dials.map(({ reference }) => reference).join(', ');
    return `the number ${masked(dials[0]?.to ?? '')} was dialled ${dials.length} times (${references}), but only ${allowed} were allowed`;
  });
}

function allowedOfNumber({ evidence, dials, asked, terms }: Run, digits: string): number {
  const ofCampaigns = evidence.campaigns
    .filter(({ contacts }) => contacts.some((contact) => nationalDigits(contact.phone_number) === digits))
    .map((campaign) =>
      Math.max(
        ...terms(campaign)
          .possible(-Infinity, Infinity)
          .map((each) => each.maxRetries),
      ),
    );
  const dispatches = asked.filter(
    ({ kind, fields }) => kind === 'dispatch' && nationalDigits(textOf(fields.contact_number)) === digits,
  );
  const callbacks = dials.filter(({ isCallback, to }) => isCallback && nationalDigits(to) === digits);
  return ofCampaigns.reduce((sum, each) => sum + each, 0) + dispatches.length + callbacks.length;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Time until the end must be reported. */
const REPORTED_WITHIN_MS = 5_000;

export function neverRang(run: Run): string[] {
  return run.dials.flatMap((dial) => {
    const { row, rang, reference, placedMs, line } = dial;
    if (row?.end_reason !== 'no_answer' || rang || !isTellable(run, dial)) return [];
    return `call ${reference}, placed at ${isoOf(placedMs)} (simulator.jsonl:${line}), ended as no_answer, but its phone never rang`;
  });
}

/**
 * Returns true if the log distinguishes a timeout after ringing from one without. This requires that nothing involved in the call was
 * unreachable.
 */
export function isTellable({ outages }: Run, { placedMs, endedMs }: Dial): boolean {
  return endedMs !== null && outageBetween(outages, placedMs, endedMs + REPORTED_WITHIN_MS) === undefined;
}

/**
 * 2. Live calls never exceed the campaign's concurrency or the organization's maximum.
 *
 * A call is live from its placement to its end in the carrier's log. The check uses the order of lines, so it doesn't depend on any clock.
 * If the concurrency drops below the number of live calls, these calls may finish, but the next placement needs a free line.
 */
export function withinLines(run: Run): string[] {
  return [...beyondConcurrency(run), ...beyondOrganizationMaximum(run)];
}

function beyondConcurrency(run: Run): string[] {
  return run.evidence.campaigns.flatMap((campaign) => {
    const terms = run.terms(campaign);
    const limit = (dial: Dial): number =>
      Math.max(...terms.possible(dial.placedMs).map(({ concurrency }) => concurrency));
    const own = run.dials.filter(({ campaignId }) => campaignId === campaign.id);
    return overruns(own, limit, `concurrency of campaign ${campaign.id}`);
  });
}

function beyondOrganizationMaximum(run: Run): string[] {
  return run.evidence.organizations.flatMap((organization) => {
    const own = run.dials.filter(({ organizationId }) => organizationId === organization.id);
    return overruns(own, () => organization.max_concurrency, `maximum of organization ${organization.id}`);
  });
}

function overruns(dials: readonly Dial[], limitAt: (dial: Dial) => number, whose: string): string[] {
  const live = new Set<Dial>();
  return dials.flatMap((dial) => {
    for (const other of live) if (other.endedOrder < dial.placedOrder) live.delete(other);
    live.add(dial);
    const limit = limitAt(dial);
    if (live.size <= limit) return [];
    return `call ${dial.reference} was placed at ${isoOf(dial.placedMs)} (simulator.jsonl:${dial.line}) as live call ${live.size}, but the ${whose} is ${limit}`;
  });
}

/** 3. No dial outside window, weekday and date range, in true time. The window includes its start and excludes its end. */
export function withinWindow(run: Run): string[] {
  return run.dials.flatMap((dial) => {
    const campaign = run.campaign(dial.campaignId);
    if (campaign === undefined) return [];
    const contact = campaign.contacts.find(({ row }) => row === dial.contactRow);
    const reasons = run
      .terms(campaign)
      .possible(dial.placedMs)
      .map((terms) => outsideWindow(campaign, contact, terms, dial.placedMs));
    const [reason] = reasons;
    // At least one of the possible terms allows the dial.
    if (reason === undefined || reason === null || reasons.includes(null)) return [];
    return `call ${dial.reference} of campaign ${campaign.id} was placed at ${isoOf(dial.placedMs)} (simulator.jsonl:${dial.line}), and ${reason}`;
  });
}

interface Silence {
  request: Asked;
  fromMs: number;
  untilMs: number;
}

/**
 * 4. No dial after an acknowledged pause or cancel. This applies from the response to a pause, cancel or edit (which pauses) until a resume
 * is sent. A resume that overlaps the pause may take effect after it.
 */
export function silentAfterPause(run: Run): string[] {
  const silences = silencesOf(run.asked);
  return run.dials.flatMap((dial) => {
    const broken = silences.find(
      ({ request, fromMs, untilMs }) =>
        request.campaignId === dial.campaignId && dial.placedMs > fromMs && dial.placedMs < untilMs,
    );
    if (broken === undefined) return [];
    const { request, fromMs } = broken;
    return `call ${dial.reference} of campaign ${dial.campaignId} was placed at ${isoOf(dial.placedMs)} (simulator.jsonl:${dial.line}), after its ${request.kind} was acknowledged at ${isoOf(fromMs)} (acknowledged.jsonl:${request.line})`;
  });
}

function silencesOf(asked: readonly Asked[]): Silence[] {
  return asked
    .filter(
      ({ kind, acknowledged }) => acknowledged && (kind === 'pause' || kind === 'cancel' || kind === 'edit'),
    )
    .map((request) => ({ request, fromMs: request.effectByMs, untilMs: endOf(request, asked) }));
}

/** Nothing resumes a cancelled campaign, so it never dials again. */
function endOf(silencing: Asked, asked: readonly Asked[]): number {
  if (silencing.kind === 'cancel') return Infinity;
  const resume = asked.find(
    ({ kind, campaignId, effectByMs }) =>
      kind === 'resume' && campaignId === silencing.campaignId && effectByMs > silencing.sentMs,
  );
  return resume?.sentMs ?? Infinity;
}

/** The log truncates times to milliseconds. */
const ROUNDING_MS = 2;

/** 7. At least `retry_delay_mins` pass between the end of an attempt and the redial of its contact. */
export function redialDelay(run: Run): string[] {
  return [...dialsByContact(run.dials).values()].flatMap((dials) =>
    dials.flatMap((dial, index) => {
      const before = dials[index - 1];
      // Duplicate dials violate the first invariant instead.
      if (before === undefined || before.reference === dial.reference) return [];
      return tooEarly(run, before, dial) ?? [];
    }),
  );
}

function tooEarly(run: Run, before: Dial, dial: Dial): string | null {
  const campaign = run.campaign(dial.campaignId);
  if (campaign === undefined) return null;
  const whose = `row ${dial.contactRow} of campaign ${campaign.id} was dialled at ${isoOf(dial.placedMs)} (call ${dial.reference}, simulator.jsonl:${dial.line})`;
  if (before.endedMs === null || before.endedOrder > dial.placedOrder) {
    return `${whose} while its call ${before.reference} was live`;
  }
  // The callee requested a callback at a different time.
  if (dial.isCallback) return null;
  const delaysMins = run
    .terms(campaign)
    .possible(before.endedMs, dial.placedMs)
    .map(({ retryDelayMins }) => retryDelayMins);
  const minMs = Math.min(...delaysMins) * 60_000;
  const waitedMs = dial.placedMs - before.endedMs;
  if (waitedMs >= minMs - ROUNDING_MS) return null;
  return `${whose} ${(waitedMs / 1000).toFixed(3)} s after its call ${before.reference} ended, but ${minMs / 1000} s must pass`;
}
