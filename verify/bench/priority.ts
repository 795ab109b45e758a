/** How long a dispatch waits longer for its dial while another client's campaign keeps the workers busy. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readSimulatorLog } from '../../dev/simulator/log';
import { waitUntil } from '../../dev/stack/wait-until';
import type { BenchClient, BenchStack } from './bench-stack';
import { courseOf, placedAtMs } from './campaign-course';
import { answeredNumber } from './contact-file';
import { figure, type Figure } from './figure';
import { onStack, type BenchRun } from './on-stack';
import { percentile } from './percentile';
import { createCampaign, dispatch } from './platform-client';

/** Calls that last a second on as many lines want more than two cores give. */
const BUSY = { contacts: 10_000, lines: 40 };
const TIMES = { ringMs: 100, talkMs: 900 };
const DISPATCHES = 60;
/** A multiple of no period of the platform's. */
const DISPATCH_EVERY_MS = 330;
/** Of the neighbour; those that the campaign has begun by then have warmed the worker up. */
const CALLS_BEFORE = 200;
const BUSY_WITHIN_MS = 120_000;
/** From the contact that the campaign has last. */
const NUMBERS_FROM = 20_000;
const LONGER_GOAL_MS = 50;

/** About two minutes. */
export function measurePriority(run: BenchRun): Promise<Figure[]> {
  return onStack(run, { ...TIMES, lines: BUSY.lines }, async (bench) => {
    const neighbour = await bench.anotherClient('Neighbour');
    run.say('Warm-up: 20 dispatches.');
    await waitsMs(bench, neighbour, { first: 0, count: 20 });
    run.say(`${DISPATCHES} dispatches on the idle platform.`);
    const idle = await waitsMs(bench, neighbour, { first: 100, count: DISPATCHES });
    await startBusyCampaign(bench);
    run.say(
      `${DISPATCHES} dispatches beside a campaign of ${BUSY.contacts} contacts on ${BUSY.lines} lines.`,
    );
    const beside = await waitsMs(bench, neighbour, { first: 200, count: DISPATCHES });
    return figures(idle, beside);
  });
}

async function startBusyCampaign({ client, receiver, stack, statements }: BenchStack): Promise<void> {
  const campaign = { ...BUSY, agentId: client.agentId, webhookUrl: `${receiver.url}/calls` };
  const id = await createCampaign(client.api, campaign);
  const check = async (): Promise<boolean> => {
    const calls = new Set(await statements.callIds(id));
    const { requestedAtMs } = courseOf(readSimulatorLog(stack.simulatorLog), (call) => calls.has(call));
    return requestedAtMs.length >= CALLS_BEFORE;
  };
  await waitUntil({
    what: `the first ${CALLS_BEFORE} calls of the campaign`,
    check,
    timeoutMs: BUSY_WITHIN_MS,
  });
}

/** From each request of the client to the carrier's receipt of the call. Requests come at fixed times, whatever becomes of those before. */
async function waitsMs(
  { stack }: BenchStack,
  client: BenchClient,
  { first, count }: { first: number; count: number },
): Promise<number[]> {
  const asked: { atMs: number; callId: Promise<string> }[] = [];
  for (let nth = 0; nth < count; nth++) {
    const number = `0${answeredNumber(NUMBERS_FROM + first + nth)}`;
    asked.push({ atMs: Date.now(), callId: dispatch(client, number) });
    await sleep(DISPATCH_EVERY_MS);
  }
  const callIds = await Promise.all(asked.map(({ callId }) => callId));
  const placed = (): number[] => {
    const log = readSimulatorLog(stack.simulatorLog);
    return callIds.map((callId) => placedAtMs(log, callId));
  };
  await waitUntil({
    what: 'the dials of all dispatches',
    check: () => Promise.resolve(placed().every((atMs) => !Number.isNaN(atMs))),
    timeoutMs: BUSY_WITHIN_MS,
  });
  return placed().map((atMs, nth) => atMs - (asked[nth]?.atMs ?? NaN));
}

const figures = (idle: readonly number[], beside: readonly number[]): Figure[] =>
  [0.5, 0.95].flatMap((share) => {
    const [alone, busy] = [percentile(idle, share), percentile(beside, share)];
    const name = `p${share * 100}`;
    return [
      figure(`dispatch to carrier, idle platform, ${name}`, alone, 'ms'),
      figure(`dispatch to carrier, beside the campaign, ${name}`, busy, 'ms'),
      figure(`  longer beside it, ${name}`, busy - alone, 'ms', LONGER_GOAL_MS),
    ];
  });
