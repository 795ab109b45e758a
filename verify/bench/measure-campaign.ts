/** Runs one campaign on the platform and measures its cost. */
import { setTimeout as delay } from 'node:timers/promises';
import { isAccepted } from '../../dev/receiver/log';
import { readSimulatorLog } from '../../dev/simulator/log';
import { waitUntil, withinTime } from '../../dev/stack/wait-until';
import { lineGrantedSignal, workflowId } from '../../workflows/contract';
import type { BenchClient, BenchStack } from './bench-stack';
import { courseOf, type CampaignCourse } from './campaign-course';
import { callRecords, campaignRuns, type RunRecord } from './histories';
import { createCampaign } from './platform-client';
import { measureUsage, type Usage } from './usage';
import { whileReporting } from './while-reporting';
import { stagesOf, wakeUpOf, type WakeUpStages } from './wake-up';

export interface CampaignSize {
  contacts: number;
  lines: number;
  timeoutMs: number;
}

export interface CampaignMeasurement {
  contacts: number;
  lines: number;
  /** Usage from the API request to the last webhook. */
  usage: Usage;
  course: CampaignCourse;
  /** Time from the API request to the first call. */
  firstDialMs: number;
  campaignRuns: RunRecord[];
  calls: RunRecord[];
  /** Parts of a line's idle time. */
  stages: WakeUpStages;
}

/** Time to record that the last webhook was accepted. */
const LAST_RECORDS_MS = 500;

/** Runs a campaign of answered calls to its end, without API requests while it runs. */
export async function runCampaign(
  bench: BenchStack,
  size: CampaignSize,
  client: BenchClient = bench.client,
): Promise<string> {
  const { receiver, temporal } = bench;
  const webhookUrl = `${receiver.url}/calls`;
  const campaignId = await createCampaign(client.api, { ...size, agentId: client.agentId, webhookUrl });
  const accepted = () =>
    receiver.entries.filter((entry) => entry.campaign_id === campaignId && isAccepted(entry)).length;
  const end = temporal.workflow.getHandle(workflowId.campaign(campaignId)).result();
  await whileReporting(bench.say, size.contacts, accepted, () => withinTime(end, size.timeoutMs));
  await waitUntil({
    what: 'the webhook of the last call',
    check: () => Promise.resolve(accepted() >= size.contacts),
    timeoutMs: 20_000,
  });
  await delay(LAST_RECORDS_MS);
  return campaignId;
}

/** Fails unless every contact was dialled exactly once and answered, because the figures are about answered calls. */
export async function measureCampaign(bench: BenchStack, size: CampaignSize): Promise<CampaignMeasurement> {
  const { temporal, stack } = bench;
  const startedAtMs = Date.now();
  const { usage, result: campaignId } = await measureUsage(bench, () => runCampaign(bench, size));
  const runs = await campaignRuns(temporal.workflow, workflowId.campaign(campaignId));
  const callIds = await bench.statements.callIds(campaignId);
  const calls = await callRecords(temporal.workflow, callIds);
  const ours = new Set(callIds);
  const course = courseOf(readSimulatorLog(stack.simulatorLog), (reference) => ours.has(reference));
  const firstDialMs = (course.requestedAtMs[0] ?? NaN) - startedAtMs;
  assertComplete(course, size.contacts);
  const stages = stagesOf(awoken(calls, course), course.endedAtMs, size.lines);
  return { ...size, usage, course, firstDialMs, campaignRuns: runs, calls, stages };
}

function awoken(calls: readonly RunRecord[], { requests }: CampaignCourse) {
  return calls.flatMap(({ workflowId: callId, events }) => {
    const wakeUp = wakeUpOf(events, lineGrantedSignal.name);
    const requestedAtMs = requests.get(callId);
    return wakeUp === null || requestedAtMs === undefined ? [] : [{ wakeUp, requestedAtMs }];
  });
}

export function assertComplete(course: CampaignCourse, contacts: number): void {
  const { requestedAtMs, endedAtMs, durationsMs } = course;
  if ([requestedAtMs, endedAtMs, durationsMs].every(({ length }) => length === contacts)) return;
  throw new Error(
    `${contacts} contacts, but ${requestedAtMs.length} requests to the carrier, ${durationsMs.length} calls, ` +
      `${endedAtMs.length} ends`,
  );
}
