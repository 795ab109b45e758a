/** Measures how much longer another organization's lines are idle while the webhook receivers of many campaigns hang. */
import { silentReceivers } from '../../dev/receiver/silent';
import { readSimulatorLog } from '../../dev/simulator/log';
import { waitUntil, withinTime } from '../../dev/stack/wait-until';
import { workflowId } from '../../workflows/contract';
import { type BenchClient, type BenchRun, type BenchStack, onStack } from './bench-stack';
import { figure, type Figure, percentile } from './figure';
import { courseOf, idleLineMs, runCampaign } from './measure-campaign';
import { createCampaign } from './platform-client';

/** The busy organization's campaigns, each with a separate receiver. Its calls last as long as the neighbour's. */
const BUSY = { campaigns: 60, contacts: 5, lines: 1 };
const BUSY_LINES = 20;
const NEIGHBOUR = { contacts: 60, lines: 10, timeoutMs: 300_000 };
/** Nearly nine calls of the busy organization end per second, so receivers that hang for five seconds could occupy all forty slots. */
const TIMES = { ringMs: 300, talkMs: 2_000 };
/** This order balances the advantage of a fresh machine. */
const COURSE = ['answer', 'hang', 'hang', 'answer'] as const;
const CAMPAIGNS_WITHIN_MS = 300_000;
/** Idle time with hanging receivers ÷ idle time with responding ones. */
const RATIO_GOAL = 1.2;

/** Alternates between responding and hanging receivers, so that other load affects both. */
export async function measureShares(run: BenchRun): Promise<Figure[]> {
  const silent = await silentReceivers(BUSY.campaigns);
  // Allows receivers on any port of this machine.
  const workerEnvironment = { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' };
  try {
    return await onStack(run, { ...TIMES, lines: BUSY_LINES, workerEnvironment }, async (bench) => {
      const neighbour = await bench.anotherOrganization('Neighbour');
      run.say('Warm-up of the neighbour organization: 60 calls.');
      await runCampaign(bench, NEIGHBOUR, neighbour);
      const urls = {
        answer: Array.from({ length: BUSY.campaigns }, () => `${bench.receiver.url}/calls`),
        hang: silent.urls,
      };
      const beside: Record<'answer' | 'hang', number[]> = { answer: [], hang: [] };
      for (const receivers of COURSE) {
        run.say(`The neighbour beside ${BUSY.campaigns} receivers that ${receivers}.`);
        beside[receivers].push(...(await idleBeside(bench, neighbour, urls[receivers])));
      }
      return ratioFigures(beside.answer, beside.hang);
    });
  } finally {
    await silent.close();
  }
}

async function idleBeside(
  bench: BenchStack,
  neighbour: BenchClient,
  urls: readonly string[],
): Promise<number[]> {
  const { api, agentId } = bench.client;
  const ids = await Promise.all(
    urls.map((webhookUrl) => createCampaign(api, { ...BUSY, agentId, webhookUrl })),
  );
  await firstCallsEnded(bench, ids);
  const campaignId = await runCampaign(bench, NEIGHBOUR, neighbour);
  const ends = ids.map((id) => bench.temporal.workflow.getHandle(workflowId.campaign(id)).result());
  await withinTime(Promise.all(ends), CAMPAIGNS_WITHIN_MS);
  const callIds = new Set(await bench.statements.callIds(campaignId));
  const course = courseOf(readSimulatorLog(bench.stack.simulatorLog), (id) => callIds.has(id));
  const idleMs = idleLineMs(course, NEIGHBOUR.lines);
  bench.say(`  idle line, p95: ${Math.round(percentile(idleMs, 0.95))} ms`);
  return idleMs;
}

/** From this point on, the receivers get requests. */
async function firstCallsEnded({ stack, statements }: BenchStack, ids: readonly string[]): Promise<void> {
  const check = async (): Promise<boolean> => {
    const calls = new Set<string>();
    for (const id of ids) for (const callId of await statements.callIds(id)) calls.add(callId);
    const { endedAtMs } = courseOf(readSimulatorLog(stack.simulatorLog), (id) => calls.has(id));
    return endedAtMs.length >= BUSY_LINES;
  };
  await waitUntil({ what: 'the ends of the first calls', check, timeoutMs: 60_000 });
}

function ratioFigures(answer: readonly number[], hang: readonly number[]): Figure[] {
  const of = (share: number, name: string) => [
    figure(`neighbour's idle line, receivers answer, ${name}`, percentile(answer, share), 'ms'),
    figure(`neighbour's idle line, receivers hang, ${name}`, percentile(hang, share), 'ms'),
    figure(`  hang / answer, ${name}`, percentile(hang, share) / percentile(answer, share), 'x', RATIO_GOAL),
  ];
  return [...of(0.5, 'p50'), ...of(0.95, 'p95')];
}
