import type { Random } from '../random';
import type { PlanSize } from './plan-size';

/** The receiver accepts all webhooks, rejects some at first, or rejects all. */
export type ReceiverPath = '/ok' | '/flaky' | '/dead';

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
