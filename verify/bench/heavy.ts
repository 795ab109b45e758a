/** A campaign of ten thousand contacts to its end, what grows on the way there, and many campaigns at once. */
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchStack } from './bench-stack';
import { figure, type Figure } from './figure';
import { growthFigures, type Growth } from './growth';
import { manyFigures, measureMany, measureNeighbour } from './many-campaigns';
import { measureCampaign, runCampaign } from './measure-campaign';
import { onStack, type BenchRun } from './on-stack';
import { measureUsage, type Usage } from './usage';

/** Some 17 calls a second if no instant is lost: more than two cores do beside the bench itself, so that it shows what they do. */
export const HEAVY_LINES = 40;
const TIMES = { ringMs: 300, talkMs: 2000 };
const SIZES = [100, 1000, 10_000];
const TIMEOUT_MS = 3_600_000;
/** Of a campaign, for the median of their events. */
const HISTORIES = 100;
const IDLE_MS = 10_000;
const MANY = { campaigns: 50, contacts: 24, lines: 5 };
const NEIGHBOUR = { contacts: 10, lines: 5, timeoutMs: 300_000 };
/** Into the campaign of ten thousand. */
const NEIGHBOUR_AFTER_MS = 60_000;

export interface HeavyResult {
  growth: Growth[];
  figures: Figure[];
}

/** The neighbour calls beside the campaign of ten thousand. */
export async function measureHeavy(run: BenchRun, sizes: readonly number[] = SIZES): Promise<HeavyResult> {
  return onStack(run, { ...TIMES, lines: HEAVY_LINES }, async (bench) => {
    run.say('Warm-up of the large campaigns: 100 calls.');
    await runCampaign(bench, { contacts: 100, lines: HEAVY_LINES, timeoutMs: TIMEOUT_MS });
    const { usage: idle } = await measureUsage(bench, () =>
      delay(IDLE_MS, undefined, { signal: run.signal }),
    );
    const neighbour = await bench.anotherClient('Neighbour');
    const alone = await measureNeighbour(bench, neighbour, NEIGHBOUR);
    run.say(`${MANY.campaigns} campaigns of ${MANY.contacts} contacts at once.`);
    const many = await measureMany(bench, { ...MANY, organisationLines: HEAVY_LINES, timeoutMs: TIMEOUT_MS });
    const growth: Growth[] = [];
    const beside: Figure[] = [];
    for (const contacts of sizes) {
      run.say(`A campaign of ${contacts.toLocaleString('en')} contacts on ${HEAVY_LINES} lines.`);
      const withNeighbour = contacts >= 10_000;
      const [measured, besideIt] = await Promise.all([
        measureOne(bench, contacts, idle),
        withNeighbour ? afterAWhile(run.signal, () => measureNeighbour(bench, neighbour, NEIGHBOUR)) : null,
      ]);
      growth.push(measured);
      if (besideIt !== null) beside.push(...neighbourFigures(alone, besideIt));
    }
    return { growth, figures: [...manyFigures(many), ...beside] };
  });
}

async function measureOne(bench: BenchStack, contacts: number, idle: Usage): Promise<Growth> {
  const size = { contacts, lines: HEAVY_LINES, timeoutMs: TIMEOUT_MS };
  const measured = await measureCampaign(bench, size, { histories: HISTORIES });
  return { contacts, figures: growthFigures(measured, idle) };
}

async function afterAWhile<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  await delay(NEIGHBOUR_AFTER_MS, undefined, { signal });
  return work();
}

type Neighbour = Awaited<ReturnType<typeof measureNeighbour>>;

function neighbourFigures(alone: Neighbour, beside: Neighbour): Figure[] {
  const name = `${NEIGHBOUR.contacts} contacts of another client`;
  return [
    figure(`${name}, alone: makespan`, alone.makespanMs / 1000, 's'),
    figure(`${name}, beside 10,000: makespan`, beside.makespanMs / 1000, 's'),
    figure(`${name}, alone: creation to first request`, alone.firstDialMs, 'ms'),
    figure(`${name}, beside 10,000: creation to first request`, beside.firstDialMs, 'ms'),
  ];
}
