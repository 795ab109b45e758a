/** Draws the campaigns, dispatches, callers and commands of a run. */
import type { Random } from '../random';
import type { PlanSize } from './faults';

/** The receiver accepts all webhooks, rejects some at first, or rejects all. */
type ReceiverPath = '/ok' | '/flaky' | '/dead';

export interface OrganizationPlan {
  name: string;
  maxConcurrency: number;
  /** True if the organization has a number that its agent answers. */
  isCalled: boolean;
}

/** A caller who rings an organization's number. */
export interface CallerPlan {
  atMs: number;
  organization: number;
  /** Last digits of the caller's number, which choose the caller's behaviour. */
  ending: number;
}

export interface CampaignPlan {
  organization: number;
  concurrency: number;
  maxRetries: number;
  retryDelayMins: 0 | 1;
  /** Last two digits of each contact's number, which choose what the simulator does. */
  endings: number[];
  /** In ms after the start of the run. */
  createdAtMs: number;
  campaignWebhook: ReceiverPath | null;
  callWebhook: ReceiverPath | null;
  /** `opens` and `closes` happen at a full minute during the run. */
  window: 'open' | 'opens' | 'closes';
}

export interface DispatchPlan {
  atMs: number;
  organization: number;
  ending: number;
}

/** Numbers whose calls end immediately or after the usual time, including redialled ones. */
const QUICK = [70, 74, 75, 76, 80, 85, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97] as const;
/** Number that sends no `ended` event. Reconciliation finds the end after 20 to 30 s. */
const SILENT = 99;
/** Numbers that talk until the time limit or request a callback. Each takes one more minute. */
const SLOW = [73, 98] as const;
/** Numbers that ring out, ring out on the first call, are busy, or fail at the carrier. */
const REDIALLED = [80, 75, 85, 92] as const;

/** Range of contacts per line that keep it busy until the last fault, because a fault without dials shows nothing. */
const CONTACTS_OF_A_LINE: [number, number] = [9, 12];
const CONTACTS_OF_A_SHORT_RUN: [number, number] = [8, 12];

export function drawCampaigns(
  random: Random,
  size: PlanSize,
  organizations: readonly OrganizationPlan[],
): CampaignPlan[] {
  const isFull = size === 'full';
  /** In a third of the runs, a campaign waits a minute for a redial. */
  const isPatient = isFull && random.chance(1 / 3);
  const window = isFull ? random.pick<CampaignPlan['window']>(['open', 'closes', 'opens']) : 'open';
  const campaign = (organization: number, more: Partial<CampaignPlan>): CampaignPlan => {
    const lines = organizations[organization]?.maxConcurrency ?? 2;
    const concurrency = random.between(2, Math.max(2, lines - 1));
    const contacts = isFull
      ? concurrency * random.between(...CONTACTS_OF_A_LINE)
      : random.between(...CONTACTS_OF_A_SHORT_RUN);
    return {
      organization,
      concurrency,
      maxRetries: random.between(1, 4),
      retryDelayMins: 0,
      endings: drawEndings(random, contacts),
      createdAtMs: 0,
      campaignWebhook: random.pick(['/ok', '/ok', null]),
      callWebhook: random.pick(['/ok', '/flaky', null]),
      window: 'open',
      ...more,
    };
  };
  return [
    campaign(0, { campaignWebhook: '/ok', callWebhook: random.pick(['/ok', '/flaky']) }),
    campaign(1, {
      window,
      ...(isPatient ? patientCampaign(random) : {}),
      ...(isFull && random.chance(0.5) ? { campaignWebhook: '/dead' } : {}),
    }),
    ...(isFull ? [campaign(0, lateCampaign(random, isPatient))] : []),
  ];
}

/** Puts redialled numbers first, so that calls to other contacts fill the minute of waiting. */
function patientCampaign(random: Random): Partial<CampaignPlan> {
  return {
    retryDelayMins: 1,
    maxRetries: 2,
    endings: [random.pick(REDIALLED), random.pick(REDIALLED), ...drawPlain(random, random.between(12, 18))],
  };
}

/** Draws a campaign that is created while faults are in progress. */
function lateCampaign(random: Random, isPatient: boolean): Partial<CampaignPlan> {
  const endings = drawEndings(random, random.between(8, 14));
  return {
    createdAtMs: random.between(4_000, isPatient ? 6_000 : 16_000),
    endings: isPatient ? [random.pick(SLOW), ...endings] : endings,
  };
}

/** More than half of the callees stay until the end of the conversation. The silent number comes first because its call takes longest. */
function drawEndings(random: Random, count: number): number[] {
  const special = random.shuffled(QUICK).slice(0, Math.floor(count * 0.45));
  const endings = random.shuffled([...special, ...drawPlain(random, count - special.length)]);
  return random.chance(0.4) ? [SILENT, ...endings] : endings;
}

const drawPlain = (random: Random, count: number): number[] =>
  Array.from({ length: count }, () => random.between(0, 69));

export function drawDispatches(random: Random, size: PlanSize): DispatchPlan[] {
  const [count, untilMs] = size === 'full' ? [random.between(4, 8), 32_000] : [3, 10_000];
  return Array.from({ length: count }, () => ({
    atMs: random.between(500, untilMs),
    organization: random.between(0, 1),
    ending: random.pick([1, 2, 70, 80, 85, 93, 94]),
  })).sort((one, other) => one.atMs - other.atMs);
}

interface CampaignDays {
  from_date: string;
  to_date: string;
  start_time: string;
  end_time: string;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** A campaign starts dialling this long before its last minute ends. */
const BEFORE_CLOSING_MS = 12_000;
const BEFORE_OPENING_MS = 3_000;

/**
 * Returns dates and times for a campaign that is created now. Its window opens or closes at the next full minute that is far enough ahead.
 */
export function windowFrom(window: CampaignPlan['window'], nowMs: number): CampaignDays {
  const today = dayOf(nowMs);
  const open = {
    from_date: today,
    to_date: dayOf(nowMs + 2 * DAY_MS),
    start_time: '00:00',
    end_time: '24:00',
  };
  switch (window) {
    case 'open':
      return open;
    case 'closes': {
      const edgeMs = nextMinute(nowMs + BEFORE_CLOSING_MS);
      return dayOf(edgeMs) === today ? { ...open, to_date: today, end_time: timeOf(edgeMs) } : open;
    }
    case 'opens': {
      const edgeMs = nextMinute(nowMs + BEFORE_OPENING_MS);
      return dayOf(edgeMs) === today ? { ...open, start_time: timeOf(edgeMs) } : open;
    }
  }
}

const nextMinute = (ms: number): number => Math.ceil(ms / MINUTE_MS) * MINUTE_MS;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const timeOf = (ms: number): string => new Date(ms).toISOString().slice(11, 16);

export interface Edit {
  concurrency?: number;
  max_retries?: number;
}

export type Command =
  /** Sends the commands one after another. Each waits for the previous response. */
  | { kind: 'pause_and_resume'; atMs: number; campaign: number; pausedForMs: number }
  | { kind: 'edit'; atMs: number; campaign: number; fields: Edit; pausedForMs: number }
  | { kind: 'cancel'; atMs: number; campaign: number }
  /** Sends this many pauses and resumes without waiting for responses. Some arrive while the campaign's workflow continues as new. */
  | { kind: 'burst'; atMs: number; campaign: number; count: number; everyMs: number };

/**
 * Length of a pause shortly after the start, which outlasts the calls. Lines become free while contacts wait, so a wrong dial would show.
 */
const LONG_PAUSE_MS: [number, number] = [3_500, 4_500];

/** Leaves time between commands to the same campaign. A cancelled campaign gets no more commands. */
export function drawCommands(random: Random, size: PlanSize, campaigns: readonly CampaignPlan[]): Command[] {
  const scale = size === 'full' ? 1 : 0.4;
  const at = (fromMs: number, toMs: number) => Math.round(random.between(fromMs, toMs) * scale);
  const paused = () => random.between(300, 1_500);
  const commands: Command[] = [
    {
      kind: 'pause_and_resume',
      atMs: random.between(1_200, 1_600),
      campaign: 0,
      pausedForMs: random.between(...LONG_PAUSE_MS),
    },
    {
      kind: 'burst',
      atMs: at(4_000, 9_000),
      campaign: 0,
      count: random.between(4, 8),
      everyMs: random.between(40, 160),
    },
    {
      kind: 'edit',
      atMs: at(14_000, 18_000),
      campaign: 0,
      fields: drawEdit(random, campaigns[0]),
      pausedForMs: paused(),
    },
    { kind: 'pause_and_resume', atMs: at(6_000, 20_000), campaign: 1, pausedForMs: paused() },
  ];
  if (campaigns[2] === undefined) return commands;
  const createdAtMs = campaigns[2].createdAtMs;
  const atMs = createdAtMs + random.between(2_000, 8_000);
  commands.push(
    random.chance(0.5)
      ? { kind: 'cancel', atMs, campaign: 2 }
      : { kind: 'burst', atMs, campaign: 2, count: random.between(4, 8), everyMs: random.between(40, 160) },
  );
  return commands.sort((one, other) => one.atMs - other.atMs);
}

function drawEdit(random: Random, campaign: CampaignPlan | undefined): Edit {
  const { concurrency = 2, maxRetries = 2 } = campaign ?? {};
  return random.pick([
    { concurrency: concurrency + 1 },
    { concurrency: Math.max(1, concurrency - 1) },
    { max_retries: Math.min(10, maxRetries + 1) },
    { concurrency: 1, max_retries: Math.max(1, maxRetries - 1) },
  ]);
}

const BURST_MS = 600;
const DISPATCHED = [1, 2, 70, 80, 85, 93, 94] as const;

export function drawBurst(
  random: Random,
  { atMs, count, organizations }: { atMs: number; count: number; organizations: number },
): DispatchPlan[] {
  return Array.from({ length: count }, () => ({
    atMs: atMs - random.between(0, BURST_MS),
    organization: random.between(0, organizations - 1),
    ending: random.pick(DISPATCHED),
  }));
}
