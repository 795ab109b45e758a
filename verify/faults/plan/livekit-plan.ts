/**
 * A run over LiveKit: every process that takes part in a call is killed, one after the other. Clocks are right and links whole: what goes
 * wrong there is the plan of a run over HTTP, where a call costs a hundredth.
 */
import { Random } from '../random';
import type { CampaignPlan } from './campaigns';
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
const CONTACTS = 7;

export function drawLivekitPlan(seed: number): Plan {
  const random = new Random(Math.imul(seed, 0x85ebca6b));
  return {
    seed,
    telephony: 'livekit',
    workers: 1,
    organisations: [
      { name: 'Tulsi Dental Care', maxConcurrency: 2 },
      { name: 'Neem Opticians', maxConcurrency: 1 },
    ],
    campaigns: [campaign(random, 0, 2), campaign(random, 1, 1)],
    dispatches: [{ atMs: random.between(2_000, 30_000), organisation: 0, ending: 70 }],
    clocks: { simulator: 0, api: 0, worker: 0 },
    faults: drawKills(random),
    commands: [
      { kind: 'pause_and_resume', atMs: random.between(10_000, 30_000), campaign: 0, pausedForMs: 800 },
    ],
    continueAsNewAfterEvents: 100,
  };
}

/** Calls that last come first, so that the first to die meets one. */
function campaign(random: Random, organisation: number, concurrency: number): CampaignPlan {
  const endings = Array.from({ length: CONTACTS - 1 }, () => random.pick(ENDINGS));
  return {
    organisation,
    concurrency,
    maxRetries: 2,
    retryDelayMins: 0,
    endings: [0, ...endings],
    createdAtMs: 0,
    campaignWebhook: '/ok',
    callWebhook: '/ok',
    window: 'open',
  };
}

function drawKills(random: Random): Fault[] {
  const faults: Fault[] = [{ kind: 'shuffle_events', atMs: 1_000, forMs: SHUFFLED_MS }];
  let atMs = FIRST_MS;
  for (const process of random.shuffled(KILLED)) {
    faults.push({ kind: 'kill', atMs, process, downMs: random.between(0, 1_500) });
    atMs += random.between(...APART_MS);
  }
  return faults;
}
