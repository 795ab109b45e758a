/** Runs one campaign on the platform and reads what it cost. */
import { setTimeout as delay } from 'node:timers/promises';
import { isAccepted } from '../receiver/log';
import { readSimulatorLog } from '../simulator/log';
import { waitUntil, withinTime } from '../stack/wait-until';
import { lineGrantedSignal, workflowId } from '../../workflows/contract';
import type { BenchStack } from './bench-stack';
import { courseOf, type CampaignCourse } from './campaign-course';
import { cpuTimes, difference } from './cpu-time';
import { callRecords, campaignRuns, childIds, type RunRecord } from './histories';
import { orderCampaign } from './platform-client';
import { statementsBetween } from './statements';
import { stagesOf, wakeUpOf, type WakeUpStages } from './wake-up';

export type PlatformCpuMs = Record<'worker' | 'temporal' | 'api' | 'postgres', number>;

/** What the platform used over a time. */
export interface Usage {
  elapsedMs: number;
  cpuMs: PlatformCpuMs;
  statements: [string, number][];
}

export interface CampaignMeasurement {
  contacts: number;
  lines: number;
  /** From the client's request until all is done, with the last webhook. */
  usage: Usage;
  course: CampaignCourse;
  /** From the client's request to the first call. */
  firstDialMs: number;
  campaignRuns: RunRecord[];
  calls: RunRecord[];
  stages: WakeUpStages;
}

/** What is left to do after the last webhook is to write down that it was accepted. */
const LAST_RECORDS_MS = 500;

export async function measureUsage<T>(
  bench: BenchStack,
  work: () => Promise<T>,
): Promise<{ usage: Usage; result: T }> {
  const { worker, api, temporal, postgres } = bench.stack;
  if (temporal === null || postgres === null) throw new Error('the bench measures servers of its own');
  const pids = {
    worker: worker.pid,
    temporal: temporal.process.pid,
    api: api.pid,
    postgres: postgres.process.pid,
  };
  const statementsBefore = await bench.statements.read();
  const cpuBefore = await cpuTimes(pids);
  const startedAtMs = performance.now();
  const result = await work();
  const elapsedMs = performance.now() - startedAtMs;
  const cpuMs = difference(await cpuTimes(pids), cpuBefore);
  const statements = statementsBetween(statementsBefore, await bench.statements.read());
  return { usage: { elapsedMs, cpuMs, statements }, result };
}

/** Runs a campaign of answered calls to its end, and nothing else: nobody looks on by the API meanwhile. */
export async function runCampaign(
  bench: BenchStack,
  size: { contacts: number; lines: number; timeoutMs: number },
): Promise<string> {
  const { api, agentId, receiver, temporal } = bench;
  const webhookUrl = `${receiver.url}/calls`;
  const campaignId = await orderCampaign(api, { ...size, agentId, webhookUrl });
  const accepted = () =>
    receiver.entries.filter((entry) => entry.campaign_id === campaignId && isAccepted(entry)).length;
  await withinTime(temporal.workflow.getHandle(workflowId.campaign(campaignId)).result(), size.timeoutMs);
  await waitUntil({
    what: 'the webhook of the last call',
    check: () => Promise.resolve(accepted() >= size.contacts),
    timeoutMs: 20_000,
  });
  await delay(LAST_RECORDS_MS);
  return campaignId;
}

export async function measureCampaign(
  bench: BenchStack,
  size: { contacts: number; lines: number; timeoutMs: number },
): Promise<CampaignMeasurement> {
  const { temporal, stack } = bench;
  const orderedAtMs = Date.now();
  const { usage, result: campaignId } = await measureUsage(bench, () => runCampaign(bench, size));
  const runs = await campaignRuns(temporal.workflow, workflowId.campaign(campaignId));
  const callIds = childIds(runs);
  const calls = await callRecords(temporal.workflow, callIds);
  const ours = new Set(callIds);
  const log = readSimulatorLog(stack.simulatorLog);
  const course = courseOf(log, (reference) => ours.has(reference));
  assertComplete(course, size.contacts);
  return {
    ...size,
    usage,
    course,
    firstDialMs: (course.requestedAtMs[0] ?? NaN) - orderedAtMs,
    campaignRuns: runs,
    calls,
    stages: stagesOf(awoken(calls, course), course.endedAtMs, size.lines),
  };
}

function awoken(calls: readonly RunRecord[], { requests }: CampaignCourse) {
  return calls.flatMap(({ workflowId: callId, events }) => {
    const wakeUp = wakeUpOf(events, lineGrantedSignal.name);
    const requestedAtMs = requests.get(callId);
    return wakeUp === null || requestedAtMs === undefined ? [] : [{ wakeUp, requestedAtMs }];
  });
}

/** A campaign with failed or repeated calls is no measurement of answered ones. */
export function assertComplete(course: CampaignCourse, contacts: number): void {
  const { requestedAtMs, endedAtMs, durationsMs } = course;
  if ([requestedAtMs, endedAtMs, durationsMs].every(({ length }) => length === contacts)) return;
  throw new Error(
    `${contacts} contacts, but ${requestedAtMs.length} requests to the carrier, ${durationsMs.length} calls, ` +
      `${endedAtMs.length} ends`,
  );
}
