/** How long a dispatch waits longer for its dial while another client's campaign keeps the workers busy, and where it waits. */
import { setTimeout as sleep } from 'node:timers/promises';
import Joi from 'joi';
import { readSimulatorLog } from '../../dev/simulator/log';
import { waitUntil } from '../../dev/stack/wait-until';
import type { BenchClient, BenchStack } from './bench-stack';
import { courseOf, placedAtMs } from './campaign-course';
import { answeredNumber } from './contact-file';
import { figure, type Figure } from './figure';
import { callRecords } from './histories';
import { instantOf } from './history-event';
import { onStack, type BenchRun } from './on-stack';
import { median, percentile } from './percentile';
import { createCampaign, dispatch } from './platform-client';

const CONTACTS = 10_000;
/** Calls that last a second: with the dispatches, lines that leave a third of two cores free, as machines are sized (docs/scaling.md). */
const LINES_WITHIN = 6;
/** These want three times what two cores give. */
const LINES_BEYOND = 40;
const TIMES = { ringMs: 100, talkMs: 900 };
const DISPATCHES = 60;
/** A multiple of no period of the platform's. */
const DISPATCH_EVERY_MS = 330;
/** Of the neighbour; those that the campaign has begun by then have warmed the worker up. */
const CALLS_BEFORE = 100;
const BUSY_WITHIN_MS = 120_000;
/** From the contact that the campaign has last. */
const NUMBERS_FROM = 20_000;
const LONGER_GOAL_MS = 50;

/** About three minutes. */
export function measurePriority(run: BenchRun): Promise<Figure[]> {
  return onStack(run, { ...TIMES, lines: LINES_BEYOND }, async (bench) => {
    const neighbour = await bench.anotherClient('Neighbour');
    run.say('Warm-up: 20 dispatches.');
    await waitsOf(bench, neighbour, { first: 0, count: 20 });
    run.say(`${DISPATCHES} dispatches on the idle platform.`);
    const idle = await waitsOf(bench, neighbour, { first: 100, count: DISPATCHES });
    const beside = async (lines: number, first: number): Promise<DispatchWaits> => {
      const campaignId = await startBusyCampaign(bench, lines);
      run.say(`${DISPATCHES} dispatches beside a campaign of ${CONTACTS} contacts on ${lines} lines.`);
      const waits = await waitsOf(bench, neighbour, { first, count: DISPATCHES });
      await bench.client.api.post(`/api/campaigns/${campaignId}/cancel`, {}, ANY_ANSWER);
      return waits;
    };
    const within = await beside(LINES_WITHIN, 200);
    const beyond = await beside(LINES_BEYOND, 300);
    return [
      ...figures('idle platform', idle),
      ...figures(`beside ${LINES_WITHIN} lines`, within, { idle, goalMs: LONGER_GOAL_MS }),
      ...figures(`beside ${LINES_BEYOND} lines`, beyond, { idle, goalMs: null }),
    ];
  });
}

const ANY_ANSWER = Joi.object().unknown();

async function startBusyCampaign(
  { client, receiver, stack, statements }: BenchStack,
  lines: number,
): Promise<string> {
  const campaign = {
    ...{ contacts: CONTACTS, lines, agentId: client.agentId },
    webhookUrl: `${receiver.url}/calls`,
  };
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
  return id;
}

/** Of each dispatch: the whole, and its parts one after the other. */
interface DispatchWaits {
  /** From the request of the client to the carrier's receipt of the call. */
  totalMs: number[];
  /** Until Temporal has its workflow. */
  toWorkflowMs: number[];
  /** Until a worker has its first task. */
  toWorkerMs: number[];
  /** Until the carrier has the call. */
  toCarrierMs: number[];
}

/** Requests come at fixed times, whatever becomes of those before. */
async function waitsOf(
  { stack, temporal }: BenchStack,
  client: BenchClient,
  { first, count }: { first: number; count: number },
): Promise<DispatchWaits> {
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
  const records = await callRecords(temporal.workflow, callIds);
  const times = placed().map((placedMs, nth) => {
    const events = records[nth]?.events ?? [];
    const taken = events.find((event) => event.workflowTaskStartedEventAttributes);
    const [startedMs, takenMs] = [events[0], taken].map((event) => (event ? instantOf(event) : NaN));
    return {
      askedMs: asked[nth]?.atMs ?? NaN,
      startedMs: startedMs ?? NaN,
      takenMs: takenMs ?? NaN,
      placedMs,
    };
  });
  return {
    totalMs: times.map(({ askedMs, placedMs }) => placedMs - askedMs),
    toWorkflowMs: times.map(({ askedMs, startedMs }) => startedMs - askedMs),
    toWorkerMs: times.map(({ startedMs, takenMs }) => takenMs - startedMs),
    toCarrierMs: times.map(({ takenMs, placedMs }) => placedMs - takenMs),
  };
}

function figures(
  where: string,
  waits: DispatchWaits,
  compared?: { idle: DispatchWaits; goalMs: number | null },
): Figure[] {
  const totals = [0.5, 0.95].flatMap((share) => {
    const totalMs = percentile(waits.totalMs, share);
    const name = `p${share * 100}`;
    const total = figure(`dispatch to carrier, ${where}, ${name}`, totalMs, 'ms');
    if (compared === undefined) return [total];
    const longerMs = totalMs - percentile(compared.idle.totalMs, share);
    return [total, figure(`  longer than idle, ${name}`, longerMs, 'ms', compared.goalMs)];
  });
  return [
    ...totals,
    figure('  until Temporal has it, median', median(waits.toWorkflowMs), 'ms'),
    figure('  then until a worker has it, median', median(waits.toWorkerMs), 'ms'),
    figure('  then until the carrier has it, median', median(waits.toCarrierMs), 'ms'),
  ];
}
