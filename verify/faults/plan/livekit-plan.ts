/**
 * A run over LiveKit: every process that takes part in a call is killed, one after the other. Clocks are right and links whole: what goes
 * wrong there is the plan of a run over HTTP, where a call costs a hundredth.
 */
import { Random } from '../random';
import type { CallerPlan, CampaignPlan } from './campaigns';
import type { Fault, ProcessName } from './faults';
import type { Plan } from './plan';

const KILLED = ['worker', 'api', 'agent', 'simulator', 'livekit'] as const satisfies readonly ProcessName[];
/** Begins once calls are live. */
const FIRST_MS = 8_000;
/** A process is back, and calls go on, before the next dies. */
const APART_MS: [number, number] = [9_000, 12_000];
const SHUFFLED_MS = 8_000;

/**
 * Ends that LiveKit's own events report as well as the answer to the worker does. The worker that waits for that answer may die, and of the
 * other ends nothing could show then which it was.
 */
const ENDINGS = [0, 1, 2, 70, 71, 80, 85, 92, 93, 95, 97] as const;
const CONTACTS = 5;
/**
 * What only a phone network does, each once in a run: no packet of sound, no answer at all, 100 and nothing else, two kinds of 200 that meet
 * the CANCEL, a bridge without a processor to spare.
 */
const FAR_ENDS = [60, 61, 62, 63, 64, 65] as const;
/** Most give up before they are answered. */
const CALLERS = [68, 68, 0, 70] as const;
const CALLED_MS: [number, number] = [3_000, 50_000];
/** Of the far ends, which hold a line for as long as a phone may ring. */
const OF_TWO_LINES = 4;

export function drawLivekitPlan(seed: number): Plan {
  const random = new Random(Math.imul(seed, 0x85ebca6b));
  const farEnds = random.shuffled(FAR_ENDS);
  return {
    seed,
    telephony: 'livekit',
    ...{ apis: 1, workers: 1, agents: 1 },
    organisations: [
      // One line more than its campaign has, for callers and the dispatch.
      { name: 'Tulsi Dental Care', maxConcurrency: 3, isCalled: true },
      { name: 'Neem Opticians', maxConcurrency: 1, isCalled: false },
    ],
    campaigns: [
      campaign(random, { organisation: 0, concurrency: 2, farEnds: farEnds.slice(0, OF_TWO_LINES) }),
      campaign(random, { organisation: 1, concurrency: 1, farEnds: farEnds.slice(OF_TWO_LINES) }),
    ],
    dispatches: [{ atMs: random.between(2_000, 30_000), organisation: 0, ending: 70 }],
    callers: drawCallers(random),
    clocks: { simulator: 0, api: 0, worker: 0 },
    faults: drawKills(random),
    commands: [
      { kind: 'pause_and_resume', atMs: random.between(10_000, 30_000), campaign: 0, pausedForMs: 800 },
    ],
    continueAsNewAfterEvents: 100,
  };
}

/** Calls that last come first, so that the first to die meets one. */
function campaign(
  random: Random,
  { farEnds, ...of }: { organisation: number; concurrency: number; farEnds: readonly number[] },
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
  CALLERS.map((ending) => ({ atMs: random.between(...CALLED_MS), organisation: 0, ending }));

function drawKills(random: Random): Fault[] {
  const faults: Fault[] = [{ kind: 'shuffle_events', atMs: 1_000, forMs: SHUFFLED_MS }];
  let atMs = FIRST_MS;
  for (const process of random.shuffled(KILLED)) {
    faults.push({ kind: 'kill', atMs, process, downMs: random.between(0, 1_500) });
    atMs += random.between(...APART_MS);
  }
  return faults;
}
