/**
 * Plans a run over LiveKit that kills every process involved in a call, one after another. Clocks and links work normally here, because
 * runs over HTTP test them at a hundredth of the cost per call.
 */
import { Random } from '../random';
import type { CallerPlan, CampaignPlan } from './campaigns';
import type { Fault, ProcessName } from './faults';
import type { Plan } from './plan';

const KILLED = ['worker', 'api', 'agent', 'simulator', 'livekit'] as const satisfies readonly ProcessName[];
/** By then, calls are live. */
const FIRST_MS = 8_000;
/** Time for a process to recover before the next kill. */
const APART_MS: [number, number] = [9_000, 12_000];
const SHUFFLED_MS = 8_000;

/**
 * For calls to these numbers, LiveKit reports the end in an event as well as in its response to the worker. The outcome of any other call is
 * lost if the worker dies.
 */
const ENDINGS = [0, 1, 2, 70, 71, 80, 85, 92, 93, 95, 97] as const;
const CONTACTS = 5;
/**
 * Numbers with the behaviour of a real phone network, each called once per run: no audio, no response, only 100, two kinds of 200 that
 * cross the CANCEL, and a bridge without free CPU.
 */
const FAR_ENDS = [60, 61, 62, 63, 64, 65] as const;
/** Most callers hang up before the call is answered. */
const CALLERS = [68, 68, 0, 70] as const;
const CALLED_MS: [number, number] = [3_000, 50_000];
/** How many of `FAR_ENDS` go to the campaign with two lines. Each holds a line for the whole ring timeout. */
const OF_TWO_LINES = 4;

export function drawLivekitPlan(seed: number): Plan {
  const random = new Random(Math.imul(seed, 0x85ebca6b));
  const farEnds = random.shuffled(FAR_ENDS);
  return {
    seed,
    telephony: 'livekit',
    ...{ apis: 1, workers: 1, agents: 1 },
    organizations: [
      // Its campaign leaves one line free for callers and the dispatch.
      { name: 'Tulsi Dental Care', maxConcurrency: 3, isCalled: true },
      { name: 'Neem Opticians', maxConcurrency: 1, isCalled: false },
    ],
    campaigns: [
      campaign(random, { organization: 0, concurrency: 2, farEnds: farEnds.slice(0, OF_TWO_LINES) }),
      campaign(random, { organization: 1, concurrency: 1, farEnds: farEnds.slice(OF_TWO_LINES) }),
    ],
    dispatches: [{ atMs: random.between(2_000, 30_000), organization: 0, ending: 70 }],
    callers: drawCallers(random),
    clocks: { simulator: 0, api: 0, worker: 0 },
    faults: drawKills(random),
    commands: [
      { kind: 'pause_and_resume', atMs: random.between(10_000, 30_000), campaign: 0, pausedForMs: 800 },
    ],
    continueAsNewAfterEvents: 100,
  };
}

/** Long calls come first, so that the first kill hits a live one. */
function campaign(
  random: Random,
  { farEnds, ...of }: { organization: number; concurrency: number; farEnds: readonly number[] },
): CampaignPlan {
  const usual = Array.from({ length: CONTACTS - 1 }, () => random.pick(ENDINGS));
  return {
    ...of,
    maxRetries: 2,
    retryDelayMins: 0,
    endings: [0, ...random.shuffled([...usual, ...farEnds])],
    createdAtMs: 0,
    campaignWebhook: '/ok',
    callWebhook: '/ok',
    window: 'open',
  };
}

const drawCallers = (random: Random): CallerPlan[] =>
  CALLERS.map((ending) => ({ atMs: random.between(...CALLED_MS), organization: 0, ending }));

function drawKills(random: Random): Fault[] {
  const faults: Fault[] = [{ kind: 'shuffle_events', atMs: 1_000, forMs: SHUFFLED_MS }];
  let atMs = FIRST_MS;
  for (const process of random.shuffled(KILLED)) {
    faults.push({ kind: 'kill', atMs, process, downMs: random.between(0, 1_500) });
    atMs += random.between(...APART_MS);
  }
  return faults;
}
