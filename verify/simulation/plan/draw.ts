/** Draws the plan of a run from its seed alone. */
import { Random } from '../../faults/random';
import { withRules } from './rules';
import type { LinkFault, Pace, Peer, ProcessName } from '../world';
import type { CampaignPlan, Crashed, Happening, SimulationPlan, WebhookPath } from './plan';

/** A Monday, shortly after a full hour. */
const START_MS = Date.parse('2026-11-02T05:00:10.000Z');

const MINUTES_10_MS = 600_000;
/** Most events happen within this time. The carrier's calls take a few seconds each. */
const BUSY_MS = 40_000;

/**
 * In order: talks, hangs up, invalid, rings out on every other call, rings out, busy, rejects, machine, drops, fails, loses the reply,
 * shuffles, 503, 429, silent.
 */
const SPECIAL = [70, 74, 75, 80, 85, 88, 89, 90, 91, 92, 93, 93, 94, 95, 96, 97, 98, 99] as const;

export const drawSimulation = (seed: number): SimulationPlan => withRules(drawWithoutRules(seed));

function drawWithoutRules(seed: number): SimulationPlan {
  const random = new Random(Math.imul(seed, 0x27d4eb2f));
  const workers = random.chance(0.5) ? 2 : 1;
  const organizations = [random.between(1, 4), random.between(1, 3)];
  const campaigns = Array.from({ length: random.between(1, 3) }, (_none, index) =>
    drawCampaign(random, index % 2, organizations[index % 2] ?? 1),
  );
  return {
    seed,
    startMs: START_MS,
    workers,
    organizations,
    campaigns,
    happenings: [
      ...drawRequests(random, campaigns),
      ...drawFaults(random, workers),
      // A generator of their own keeps the other draws of a seed as they are.
      ...drawAppends(new Random(Math.imul(seed, 0x1b873593)), campaigns),
    ].sort((one, other) => one.atMs - other.atMs),
    pace: drawPace(random),
    ringMs: random.pick([300, 1_000, 2_000]),
    talkMs: random.pick([500, 2_000, 4_000, 8_000]),
    continueAsNewAfterEvents: random.pick([30, 60, 200]),
  };
}

function drawCampaign(random: Random, organization: number, lines: number): CampaignPlan {
  const count = random.between(2, 7);
  return {
    organization,
    concurrency: random.between(1, lines + 1),
    maxRetries: random.between(1, 3),
    retryDelayMins: random.chance(0.6) ? 0 : 1,
    endings: Array.from({ length: count }, () =>
      random.chance(0.55) ? random.pick(SPECIAL) : random.between(0, 69),
    ),
    createdAtMs: random.between(0, 5_000),
    webhook: random.pick<WebhookPath | null>(['/ok', '/ok', null]),
    callWebhook: random.pick<WebhookPath | null>(['/ok', '/ok', '/flaky', '/hanging', null]),
    window: random.pick<CampaignPlan['window']>(['open', 'open', 'open', 'opens', 'closes']),
  };
}

function drawPace(random: Random): Pace {
  return random.pick<Pace>([
    { usual: [0.3, 3], slowShare: 0.02, slow: [5, 60] },
    { usual: [0.3, 20], slowShare: 0.05, slow: [50, 800] },
    { usual: [1, 100], slowShare: 0.03, slow: [200, 3_500] },
  ]);
}

function drawRequests(random: Random, campaigns: readonly CampaignPlan[]): Happening[] {
  const requests: Happening[] = Array.from({ length: random.between(0, 4) }, () => ({
    kind: 'dispatch',
    atMs: random.between(1_000, BUSY_MS),
    organization: random.between(0, 1),
    ending: random.pick([1, 2, 70, 80, 85, 93, 94, 98]),
  }));
  campaigns.forEach((campaign, index) => {
    const atMs = () => campaign.createdAtMs + random.between(200, BUSY_MS / 2);
    if (random.chance(0.6)) requests.push({ kind: 'pause', atMs: atMs(), campaign: index });
    if (random.chance(0.4)) requests.push({ kind: 'pause', atMs: atMs(), campaign: index });
    if (random.chance(0.5)) requests.push({ kind: 'resume', atMs: atMs(), campaign: index });
    if (random.chance(0.4))
      requests.push({ kind: 'edit', atMs: atMs(), campaign: index, fields: drawEdit(random) });
    if (random.chance(0.15)) requests.push({ kind: 'cancel', atMs: atMs(), campaign: index });
  });
  for (let left = random.between(0, 2); left > 0; left -= 1) {
    requests.push({ kind: 'hang up', atMs: random.between(500, BUSY_MS), nth: random.between(0, 9) });
  }
  return requests;
}

function drawAppends(random: Random, campaigns: readonly CampaignPlan[]): Happening[] {
  return campaigns.flatMap((campaign, index) =>
    Array.from({ length: random.between(0, 2) }, (): Happening => ({
      kind: 'append',
      atMs: campaign.createdAtMs + random.between(500, BUSY_MS),
      campaign: index,
      endings: Array.from({ length: random.between(1, 3) }, () =>
        random.chance(0.3) ? random.pick(SPECIAL) : random.between(0, 69),
      ),
    })),
  );
}

const drawEdit = (random: Random) =>
  random.pick<{ concurrency?: number; max_retries?: number }>([
    { concurrency: random.between(1, 4) },
    { max_retries: random.between(1, 4) },
    { concurrency: 1, max_retries: random.between(1, 2) },
  ]);

/** In a fifth of the runs, only API clients and receivers cause problems, which shows how organizations affect each other. */
function drawFaults(random: Random, workers: 1 | 2): Happening[] {
  if (random.chance(0.2)) {
    return Array.from({ length: random.between(1, 3) }, () =>
      drawReceiver(random, random.between(0, BUSY_MS)),
    );
  }
  const count = random.between(0, 9);
  const second = workers === 2 ? (['worker-2'] as const) : [];
  const processes: [Crashed, ...Crashed[]] = ['worker', ...second, 'worker', 'api', 'carrier'];
  const askers: [ProcessName, ...ProcessName[]] = ['worker', ...second, 'api'];
  const draws: [Draw, ...Draw[]] = [
    (atMs) => ({ kind: 'crash', atMs, process: random.pick(processes), downMs: random.between(0, 3_000) }),
    ...Array.from({ length: 3 }, (): Draw => (atMs) => drawCrashAtStep(random, atMs, random.pick(processes))),
    (atMs) => ({ kind: 'stall', atMs, process: random.pick(processes), forMs: random.between(500, 9_000) }),
    (atMs) => ({ kind: 'shuffle events', atMs, forMs: random.between(2_000, 10_000) }),
    (atMs) => drawClock(random, atMs),
    (atMs) => drawReceiver(random, atMs),
    (atMs) => drawBridge(random, atMs),
    (atMs) => drawServer(random, atMs),
    (atMs) => drawServer(random, atMs),
    (atMs) => drawLostTaskAnswers(random, atMs, random.pick(['worker', ...second])),
    (atMs) => drawLostReplies(random, atMs, random.pick(['worker', ...second])),
    (atMs) => drawLostEvents(random, atMs),
    (atMs) => drawCut(random, atMs, random.pick(askers)),
    (atMs) => drawCut(random, atMs, random.pick(askers)),
  ];
  return Array.from({ length: count }, () => random.pick(draws)(random.between(0, BUSY_MS)));
}

type Draw = (atMs: number) => Happening;

const drawCrashAtStep = (random: Random, atMs: number, process: Crashed): Happening => ({
  kind: 'crash at step',
  atMs,
  process,
  steps: random.between(1, 40),
  downMs: random.between(0, 3_000),
});

/** The carrier places calls but its replies get lost, which is the most common cause of duplicate dials. */
const drawLostReplies = (random: Random, atMs: number, from: ProcessName): Happening => ({
  kind: 'link',
  atMs,
  from,
  to: 'carrier',
  how: 'lost',
  count: random.between(1, 3),
  forMs: 15_000,
});

const drawLostEvents = (random: Random, atMs: number): Happening => ({
  kind: 'link',
  atMs,
  from: 'carrier',
  to: 'api',
  how: random.pick(['lost', 'refused', 'silent'] as const),
  count: random.between(1, 6),
  forMs: random.between(1_000, 12_000),
});

function drawCut(random: Random, atMs: number, from: ProcessName): Happening {
  const to = random.pick<Peer>(
    from === 'api' ? ['postgres', 'temporal'] : ['postgres', 'temporal', 'carrier', 'receiver'],
  );
  const how = random.pick<LinkFault['how']>(['lost', 'refused', 'silent']);
  return {
    kind: 'link',
    atMs,
    from,
    to,
    how,
    count: random.between(1, 5),
    forMs: random.between(500, 8_000),
  };
}

function drawServer(random: Random, atMs: number): Happening {
  const downMs = random.between(200, 12_000);
  if (random.chance(0.4)) return { kind: 'server', atMs, server: 'temporal', how: 'dies', downMs };
  const how = random.pick(['dies', 'dies with a commit'] as const);
  return { kind: 'server', atMs, server: 'postgres', how, downMs };
}

/** A finished task is repeated on the same or another worker, either from its history or as if it had never run. */
const drawLostTaskAnswers = (random: Random, atMs: number, from: ProcessName): Happening => ({
  kind: 'link',
  atMs,
  from,
  to: 'tasks',
  how: random.pick(['lost', 'silent'] as const),
  count: random.between(1, 5),
  forMs: random.between(5_000, 20_000),
});

function drawBridge(random: Random, atMs: number): Happening {
  const after = random.pick(['ended', 'forgotten'] as const);
  return random.chance(0.5)
    ? { kind: 'bridge', atMs, after, max: 1, downMs: 0 }
    : { kind: 'bridge', atMs, after, max: null, downMs: random.between(0, 8_000) };
}

const drawReceiver = (random: Random, atMs: number): Happening => ({
  kind: 'receiver',
  atMs,
  organization: random.between(0, 1),
  how: random.pick(['hangs', 'dies'] as const),
  forMs: random.between(2_000, 30_000),
});

/** Moves the carrier's clock only forward, because the carrier plans calls by its clock and setting it back would extend them. */
function drawClock(random: Random, atMs: number): Happening {
  const process = random.pick(['worker', 'api', 'carrier'] as const);
  const offsetMs =
    process === 'carrier'
      ? random.between(1_000, MINUTES_10_MS)
      : random.between(-MINUTES_10_MS, MINUTES_10_MS);
  return { kind: 'set clock', atMs, process, offsetMs };
}
