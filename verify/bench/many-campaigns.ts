/** Many campaigns at once: do they share the lines, and does a large client leave a small one its own? */
import { isAccepted } from '../../dev/receiver/log';
import { readSimulatorLog } from '../../dev/simulator/log';
import { waitUntil, withinTime } from '../../dev/stack/wait-until';
import { workflowId } from '../../workflows/contract';
import type { BenchClient, BenchStack } from './bench-stack';
import { courseOf, idealMakespanMs, makespanMs, type CampaignCourse } from './campaign-course';
import { figure, type Figure } from './figure';
import { faultsOf } from './growth';
import { runCampaign, type CampaignSize } from './measure-campaign';
import { createCampaign } from './platform-client';
import { measureUsage, type Usage } from './usage';
import { whileReporting } from './while-reporting';

export interface ManyCampaigns {
  /** Of the organisation. */
  lines: number;
  contacts: number;
  usage: Usage;
  /** Of all campaigns together. */
  together: CampaignCourse;
  /** Of each. */
  courses: CampaignCourse[];
}

/** Creates them all at once for one organisation and waits for the last. */
export async function measureMany(
  bench: BenchStack,
  size: CampaignSize & { campaigns: number; organisationLines: number },
): Promise<ManyCampaigns> {
  const { receiver, temporal, stack, client } = bench;
  const webhookUrl = `${receiver.url}/calls`;
  const total = size.campaigns * size.contacts;
  const run = async () => {
    const campaign = { ...size, agentId: client.agentId, webhookUrl };
    const ids = await Promise.all(
      Array.from({ length: size.campaigns }, () => createCampaign(client.api, campaign)),
    );
    const ours = new Set(ids);
    const accepted = () =>
      receiver.entries.filter((entry) => ours.has(entry.campaign_id ?? '') && isAccepted(entry)).length;
    const ends = Promise.all(ids.map((id) => temporal.workflow.getHandle(workflowId.campaign(id)).result()));
    await whileReporting(bench.say, total, accepted, () => withinTime(ends, size.timeoutMs));
    const check = () => Promise.resolve(accepted() >= total);
    await waitUntil({ what: 'the webhook of the last call', check, timeoutMs: 20_000 });
    return ids;
  };
  const { usage, result: ids } = await measureUsage(bench, run);
  const log = readSimulatorLog(stack.simulatorLog);
  const courses: CampaignCourse[] = [];
  const all = new Set<string>();
  for (const id of ids) {
    const callIds = new Set(await bench.statements.callIds(id));
    callIds.forEach((callId) => all.add(callId));
    courses.push(courseOf(log, (reference) => callIds.has(reference)));
  }
  const together = courseOf(log, (reference) => all.has(reference));
  return { lines: size.organisationLines, contacts: total, usage, together, courses };
}

export function manyFigures({ courses, together, contacts, lines, usage }: ManyCampaigns): Figure[] {
  const begin = together.requestedAtMs[0] ?? NaN;
  const ends = courses.map(({ endedAtMs }) => (endedAtMs.at(-1) ?? NaN) - begin).sort((a, b) => a - b);
  const begins = courses.map(({ requestedAtMs }) => (requestedAtMs[0] ?? NaN) - begin);
  const [firstEnd, lastEnd] = [ends[0] ?? NaN, ends.at(-1) ?? NaN];
  const { duplicates, lost } = faultsOf(contacts, together);
  const { cpuMs } = usage;
  const figures = [
    figure('dials', together.requestedAtMs.length, ''),
    figure('duplicates', duplicates, '', 0),
    figure('contacts lost', lost, '', 0),
    figure('makespan', makespanMs(together) / 1000, 's'),
    figure('makespan / ideal', makespanMs(together) / idealMakespanMs(together, lines), 'x'),
    figure('first call of the last campaign to begin', Math.max(...begins) / 1000, 's'),
    figure('first campaign is over', firstEnd / 1000, 's'),
    figure('last campaign is over', lastEnd / 1000, 's'),
    figure('spread of the ends / makespan', (lastEnd - firstEnd) / lastEnd, 'x'),
    figure('CPU per call, worker', cpuMs.worker / contacts, 'ms'),
    figure('CPU per call, temporal', cpuMs.temporal / contacts, 'ms'),
    figure('load', usage.load, ''),
  ];
  return figures.map((each) => ({ ...each, name: `${courses.length} campaigns: ${each.name}` }));
}

/** The course of a small client's campaign. */
export async function measureNeighbour(
  bench: BenchStack,
  client: BenchClient,
  size: CampaignSize,
): Promise<{ firstDialMs: number; makespanMs: number }> {
  const startedAtMs = Date.now();
  const campaignId = await runCampaign(bench, size, client);
  const callIds = new Set(await bench.statements.callIds(campaignId));
  const course = courseOf(readSimulatorLog(bench.stack.simulatorLog), (id) => callIds.has(id));
  return { firstDialMs: (course.requestedAtMs[0] ?? NaN) - startedAtMs, makespanMs: makespanMs(course) };
}
