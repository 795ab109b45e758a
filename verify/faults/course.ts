/** Runs a plan in real time: starts campaigns, dispatches, commands and faults when they are due, then waits for the end. */
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { createCampaign, dispatch, type Organization } from './clients';
import { leftOpen } from './checker/invariants/workflows-close';
import { readRows } from './checker/rows';
import type { Evidence } from './evidence';
import type { Injector } from './injector';
import { openWorkflows } from './open-workflows';
import { callerNumber } from './people';
import type { CallerPlan } from './plan/campaigns';
import { describeCommand, send, type CreatedCampaign } from './commands';
import type { Plan } from './plan/plan';
import { describeRemaining, isSettled, remaining } from './drained';
import type { FaultStack } from './stack/fault-stack';

export interface CourseOptions {
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
      if (now !== null && isSettled(now) && (await areClosed(databaseUrl, temporalAddress))) return;
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
