/** Runs a plan in real time: starts campaigns, dispatches, commands and faults when they are due, then waits for the end. */
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { query } from '../../dev/stack/postgres';
import type { OpenWorkflow } from './checker/evidence';
import { leftOpen } from './checker/invariants/workflows-close';
import { readRows } from './checker/rows';
import { createCampaign, dispatch, type Organization, type RecordingClient } from './clients';
import type { Evidence } from './evidence';
import type { Injector } from './injector';
import { callerNumber } from './people';
import type { CallerPlan, Command } from './plan/campaigns';
import type { Plan } from './plan/plan';
import type { FaultStack } from './stack/fault-stack';

/** Decides when a run is over: every campaign and call has ended, and every delivery that can finish has finished. */
interface Remaining {
  campaigns: number;
  /** Campaigns paused by a user or by the circuit breaker. */
  paused: string[];
  /** Number of calls that aren't over or whose webhook hasn't been written. */
  calls: number;
  deliveries: number;
  dialled: number;
}

/**
 * Deliveries to a dead receiver are given up only after 13 minutes, which is too long for a run. Two rejected attempts at the right
 * interval are enough to judge.
 */
const REMAINING = `
select
  (select count(*) from campaigns where status not in ('completed', 'cancelled'))::int as campaigns,
  (select coalesce(array_agg(id::text), '{}') from campaigns where status = 'paused') as paused,
  (select count(*) from calls where stage <> 'over' or concluded_at is null)::int as calls,
  (select count(*) from webhook_deliveries d where d.status = 'pending' and not (d.url like '%/dead'
     and (select count(*) from webhook_attempts a where a.delivery_id = d.id) >= 2))::int as deliveries,
  (select count(*) from calls where requested_at is not null)::int as dialled`;

/** Null while Postgres is unreachable. */
async function remaining(databaseUrl: string): Promise<Remaining | null> {
  try {
    const { rows } = await query(databaseUrl, (client) => client.query<Remaining>(REMAINING));
    return rows[0] ?? null;
  } catch {
    return null;
  }
}

const isFinished = ({ campaigns, calls, deliveries }: Remaining): boolean =>
  campaigns + calls + deliveries === 0;

function describeRemaining({ campaigns, calls, deliveries, dialled }: Remaining): string {
  return `${dialled} calls dialled, ${campaigns} campaigns, ${calls} calls and ${deliveries} deliveries not over`;
}

const TABLES = ['campaigns', 'contacts', 'calls', 'lines', 'webhook_deliveries', 'webhook_attempts'];

/** Reads the rows of a failed run, which are kept for debugging after the database is gone. */
export async function tablesOf(databaseUrl: string): Promise<Record<string, unknown[]>> {
  return query(databaseUrl, async (client) => {
    const tables: Record<string, unknown[]> = {};
    for (const table of TABLES) tables[table] = (await client.query(`select * from ${table}`)).rows;
    return tables;
  });
}

export async function openWorkflows(temporalAddress: string): Promise<OpenWorkflow[]> {
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const open: OpenWorkflow[] = [];
    for await (const { workflowId, type } of new Client({ connection }).workflow.list({
      query: 'ExecutionStatus = "Running"',
    })) {
      open.push({ workflow_id: workflowId, type });
    }
    return open;
  } finally {
    await connection.close();
  }
}

interface CreatedCampaign {
  id: string;
  client: RecordingClient;
}

/** Sends a plan's commands to its campaigns through the API. */
async function send(command: Command, { id, client }: CreatedCampaign, evidence: Evidence): Promise<void> {
  const path = `/api/campaigns/${id}`;
  const post = (verb: string) => ({ method: 'POST' as const, path: `${path}/${verb}` });
  switch (command.kind) {
    case 'pause_and_resume':
      await client.insist(post('pause'));
      await delay(command.pausedForMs);
      await client.insist(post('resume'));
      return;
    case 'edit': {
      const fields = { ...command.fields };
      const answer = await client.insist({ method: 'PUT', path, fields });
      if (answer?.status === 200) {
        const record = evidence.campaigns.find((campaign) => campaign.id === id);
        record?.edits.push({ at: new Date().toISOString(), fields });
      }
      await delay(command.pausedForMs);
      await client.insist(post('resume'));
      return;
    }
    case 'cancel':
      await client.insist(post('cancel'));
      return;
    case 'burst': {
      const sent: Promise<unknown>[] = [];
      for (let nth = 0; nth < command.count; nth += 1) {
        sent.push(client.send(post(nth % 2 === 0 ? 'pause' : 'resume')));
        await delay(command.everyMs);
      }
      await Promise.all(sent);
      await client.insist(post('resume'));
    }
  }
}

function describeCommand(command: Command): string {
  const campaign = `campaign ${command.campaign + 1}`;
  switch (command.kind) {
    case 'pause_and_resume':
      return `${campaign}: paused, resumed`;
    case 'edit':
      return `${campaign}: changed (${Object.entries(command.fields).join(', ').replaceAll(',', ' ')}), resumed`;
    case 'cancel':
      return `${campaign}: cancelled`;
    case 'burst':
      return `${campaign}: ${command.count} pauses and resumes at once`;
  }
}

interface CourseOptions {
  plan: Plan;
  stack: FaultStack;
  organizations: readonly Organization[];
  evidence: Evidence;
  injector: Injector;
  say: (line: string) => void;
  /**
   * Longest wait after the last fault or the last progress. The total wait is limited to three times this. The checker reports whatever
   * hasn't ended by then.
   */
  drainedWithinMs: number;
  signal: AbortSignal | undefined;
}

const CHECK_EVERY_MS = 700;
const SAY_EVERY_MS = 6_000;
const LONGEST_SETTLING = 3;
const RING_AGAIN_MS = 1_000;
const RINGS_AT_MOST = 60;

/** Runs a plan in real time: starts campaigns, dispatches, commands and faults when they are due, then waits for the end. */
export class Course {
  private readonly startedAt = performance.now();

  constructor(private readonly options: CourseOptions) {}

  async run(): Promise<void> {
    const { plan, injector, stack, signal } = this.options;
    // All planned steps listen to this signal concurrently.
    if (signal !== undefined) setMaxListeners(0, signal);
    const campaigns = plan.campaigns.map((_campaign, index) => this.campaign(index));
    const work = [
      ...campaigns,
      ...this.commands(campaigns),
      ...plan.dispatches.map(async (planned, index) => {
        await this.until(planned.atMs);
        await dispatch(planned, index, this.organization(planned.organization));
      }),
      ...plan.callers.map(async (planned, index) => {
        await this.until(planned.atMs);
        await this.call(planned, index);
      }),
      ...plan.faults.map(async (fault) => {
        await this.until(fault.atMs);
        await injector.inject(fault);
      }),
    ];
    await Promise.all(work);
    await injector.settle();
    this.options.say('all faults are over; waiting for calls and deliveries to end');
    await this.untilDrained(await Promise.all(campaigns), stack);
  }

  private async campaign(index: number): Promise<CreatedCampaign> {
    const { plan, stack, evidence } = this.options;
    const campaign = plan.campaigns[index];
    if (campaign === undefined) throw new Error(`the plan has no campaign ${index}`);
    await this.until(campaign.createdAtMs);
    const organization = this.organization(campaign.organization);
    const receiverHost = stack.network.host('worker-receiver');
    const id = await createCampaign({ plan: campaign, index, organization, receiverHost, evidence });
    const [size, lines] = [campaign.endings.length, campaign.concurrency];
    this.options.say(`campaign ${index + 1}: ${size} contacts on ${lines} lines, window ${campaign.window}`);
    return { id, client: organization.client };
  }

  /** Retries until the number has its route and the simulated phone network is running. */
  private async call(planned: CallerPlan, index: number): Promise<void> {
    const { stack, say } = this.options;
    const to = this.organization(planned.organization).number;
    if (to === null) throw new Error('the plan has a caller for an organization without a number');
    const from = callerNumber(index, planned.ending);
    for (let attempt = 0; attempt < RINGS_AT_MOST; attempt += 1) {
      if (await stack.callIn(to, from)) return say(`caller ${index + 1} rings`);
      await this.pause(RING_AGAIN_MS);
    }
    say(`caller ${index + 1}: the number has no route`);
  }

  /** Runs the commands to one campaign one after another, so that they don't undo each other. */
  private commands(campaigns: readonly Promise<CreatedCampaign>[]): Promise<void>[] {
    const { plan, evidence, say } = this.options;
    return campaigns.map(async (creating, index) => {
      const campaign = await creating;
      for (const command of plan.commands.filter((each) => each.campaign === index)) {
        await this.until(command.atMs);
        say(describeCommand(command));
        await send(command, campaign, evidence);
      }
    });
  }

  private async untilDrained(
    campaigns: readonly CreatedCampaign[],
    { databaseUrl, temporalAddress }: FaultStack,
  ): Promise<void> {
    const { drainedWithinMs } = this.options;
    const startedAt = performance.now();
    let [saidAt, progressAt, before] = [startedAt, startedAt, ''];
    // A loaded machine takes longer. Only a run without any progress has stalled.
    while (
      performance.now() < progressAt + drainedWithinMs &&
      performance.now() < startedAt + LONGEST_SETTLING * drainedWithinMs
    ) {
      const now = await remaining(databaseUrl);
      if (now !== null && isFinished(now) && (await areClosed(databaseUrl, temporalAddress))) return;
      const progress = now === null ? before : describeRemaining(now);
      if (progress !== before) [progressAt, before] = [performance.now(), progress];
      await this.resume(campaigns.filter(({ id }) => now?.paused.includes(id)));
      if (now !== null && performance.now() - saidAt > SAY_EVERY_MS) {
        saidAt = performance.now();
        this.options.say(describeRemaining(now));
      }
      await this.pause(CHECK_EVERY_MS);
    }
    this.options.say('not everything ended in time');
  }

  /** Needed because the last command of a burst may have been a pause. */
  private async resume(paused: readonly CreatedCampaign[]): Promise<void> {
    for (const { id, client } of paused) {
      await client.send({ method: 'POST', path: `/api/campaigns/${id}/resume` });
    }
  }

  /** Waits until this many milliseconds after the start of the run. */
  private until(atMs: number): Promise<void> {
    return this.pause(Math.max(0, this.startedAt + atMs - performance.now()));
  }

  private async pause(ms: number): Promise<void> {
    await delay(ms, undefined, this.options.signal === undefined ? {} : { signal: this.options.signal });
  }

  private organization(index: number): Organization {
    const organization = this.options.organizations[index];
    if (organization === undefined) throw new Error(`the plan has no organization ${index}`);
    return organization;
  }
}

/** Returns true if every workflow without remaining work has closed. The last workflows close shortly after their rows are final. */
async function areClosed(databaseUrl: string, temporalAddress: string): Promise<boolean> {
  return leftOpen(await openWorkflows(temporalAddress), await readRows(databaseUrl)).length === 0;
}
