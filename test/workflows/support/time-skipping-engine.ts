import type { DialGuards } from '../../../db/calls/engine';
import { MANY_AT_ONCE, patientWaits } from '../../servers/at-once';
import { CALLBACK_SETTINGS, DIAL_SETTINGS } from '../../servers/dial-settings';
import { NO_GUARDS, NO_NUMBERS } from '../../servers/no-guards';
import { campaignDraft } from '../../db/support/campaign-draft';
/** Runs the real workflows, activities and Postgres on a clock that skips time. Only the carrier and the receivers are fakes. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import type { SignalDefinition } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import pino from 'pino';
import { Registry } from 'prom-client';
import { createActivities } from '../../../activities';
import type { LanguageModel } from '../../../activities/analysis/model';
import type { RegistryCheck } from '../../../activities/dialling/do-not-disturb/registry-check';
import { activityMetrics } from '../../../activities/metrics';
import type { CarrierCall } from '../../../activities/telephony/port';
import { hangUp, type HungUpCall } from '../../../api/calls/hang-up';
import { insertAgent } from '../../../db/agents/agents';
import { endCall } from '../../../db/calls/ends';
import { insertCampaign, type NewCampaign, type StoredTerms } from '../../../db/campaigns/campaigns';
import { insertOrganization } from '../../../db/organizations/organizations';
import { openDatabase, type Db } from '../../../db/kernel/connection';
import { addSearchAttributes } from '../../../worker/registration';
import { signalWorkflows, type WorkflowSignals, type SignalSender } from '../../../runtime/signal-workflows';
import {
  workflowId,
  type CallInput,
  type CallResult,
  type CampaignResult,
} from '../../../workflows/contract';
import { callEndOf } from '../../../domain/call-end';
import type { Rates } from '../../../domain/usage-cost';
import type { CarrierEndReason } from '../../../domain/call-outcome';
import { workflowBundle } from '../../servers/bundle';
import { createTestDatabase } from '../../servers/database';
import { timeSkippingEnvironment } from '../../servers/time-skipping';
import { FakeCarrier } from './fake-carrier';
import { FakeMailServer } from './fake-mail-server';
import { FakeReceiver } from './fake-receiver';
import type { PhoneActivities, PhoneCall } from './phone-workflow';
import { installQuietRuntime } from './quiet-runtime';
import { timeSkippingStarter } from './time-skipping-starter';

export interface Owner {
  organizationId: string;
  agentId: string;
}

export interface DispatchedCall {
  callId: string;
  result: () => Promise<CallResult>;
  cancel: () => Promise<void>;
}

export interface StartedCampaign extends Owner {
  id: string;
  /** Waits for the result. The clock may skip in the meantime. */
  finish: () => Promise<CampaignResult>;
  signal: (signal: SignalDefinition) => Promise<void>;
  cancelWorkflow: () => Promise<void>;
}

const silentLog = { info: () => undefined, warn: () => undefined };

export class TimeSkippingEngine {
  readonly carrier: FakeCarrier;
  readonly receiver: FakeReceiver;
  readonly mail: FakeMailServer;
  /** Metrics of the activities. */
  readonly registry = new Registry();
  private readonly metrics = activityMetrics(this.registry);
  /** The test's do-not-disturb registry, if any. Set it before `run`. */
  dndRegistry: RegistryCheck | null = null;
  /** The test's language model, if any. Set it before `run`. */
  model: LanguageModel | null = null;
  rates: Rates = {};
  /** Keys of the files that activities deleted. */
  readonly removedFiles: string[] = [];
  private readonly briefWaits = patientWaits();
  /** Overrides the guards of dials. Set it before `run`. */
  dialGuards: Partial<DialGuards> = {};
  /** Decides which signals are lost. */
  loseSignal: (name: string) => boolean = () => false;

  private constructor(
    readonly env: TestWorkflowEnvironment,
    readonly db: Db,
    private readonly dropDatabase: () => Promise<void>,
    private readonly taskQueue: string,
  ) {
    this.receiver = new FakeReceiver(() => this.now());
    this.mail = new FakeMailServer(() => this.now());
    this.carrier = new FakeCarrier(
      () => this.now(),
      (call) => this.ring(call),
    );
    this.carrier.onHungUp = (call) => this.reportHungUp(call);
  }

  static async start(options: { fresh?: boolean } = {}): Promise<TimeSkippingEngine> {
    installQuietRuntime();
    const env = await timeSkippingEnvironment(options);
    const database = await createTestDatabase();
    const db = openDatabase({ url: database.url, timeoutMs: 10_000, applicationName: 'test' });
    await addSearchAttributes(env.connection, env.namespace ?? 'default');
    return new TimeSkippingEngine(env, db, database.drop, 'voice-agent-platform');
  }

  async stop(): Promise<void> {
    await this.db.destroy();
    await this.dropDatabase();
    await this.env.teardown();
  }

  now(): Promise<number> {
    return this.env.currentTimeMs();
  }

  /** Lets the clock skip. */
  sleep(ms: number): Promise<void> {
    return this.env.sleep(ms);
  }

  /** Runs a worker while `work` runs. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const worker = await Worker.create({
      connection: this.env.nativeConnection,
      namespace: this.env.namespace ?? 'default',
      taskQueue: this.taskQueue,
      // Runs workflows on this thread, because starting one for each worker takes 0.3 s of processor time.
      debugMode: true,
      workflowBundle: workflowBundle(),
      activities: { ...this.activities(), ...this.phoneActivities() },
    });
    return worker.runUntil(work);
  }

  activities(): ReturnType<typeof createActivities> {
    let skippedTo = 0;
    const delivering = this.activitiesBy(() => skippedTo);
    return {
      ...this.activitiesBy(Date.now),
      // The ledger decides when an attempt is due, so its clock must skip together with Temporal's.
      deliverUntilDone: async (input) => {
        skippedTo = await this.now();
        await delivering.deliverUntilDone(input);
      },
    };
  }

  private activitiesBy(clock: () => number): ReturnType<typeof createActivities> {
    return createActivities({
      db: this.db,
      telephony: this.carrier,
      signals: this.signals(),
      workflows: timeSkippingStarter(this.env.client.workflow),
      webhooks: this.receiver,
      briefWaits: this.briefWaits,
      mail: this.mail,
      dndRegistry: this.dndRegistry,
      model: this.model,
      files: { remove: (key) => Promise.resolve(void this.removedFiles.push(key)) },
      log: silentLog,
      metrics: this.metrics,
      clock,
      settings: {
        ...DIAL_SETTINGS,
        dialGuards: { ...NO_GUARDS, ...this.dialGuards },
        callbacks: {
          ...CALLBACK_SETTINGS,
          defaultDelayMs: 3_600_000,
          window: { startMinute: 150, endMinute: 869 },
        },
        analysis: { timeZone: 'Asia/Kolkata', atOnce: 16, rates: this.rates },
        atOnce: MANY_AT_ONCE,
        decryptSecret: (encrypted) => encrypted.toString(),
      },
    });
  }

  /** Creates an organization with an agent. */
  async createClient({ maxConcurrency = 10 }: { maxConcurrency?: number | undefined } = {}): Promise<Owner> {
    const { id: organizationId } = await insertOrganization(this.db, { name: 'A client', maxConcurrency });
    const agent = await insertAgent(this.db, {
      organizationId,
      displayName: 'An agent',
      nthName: (n) => `agent-${n}`,
      status: 'running',
      config: {},
      ...NO_NUMBERS,
      actor: { kind: 'operator', id: 'test', requestId: null },
      now: await this.now(),
    });
    if (agent.kind !== 'inserted') throw new Error('the agent was not inserted');
    return { organizationId, agentId: agent.id };
  }

  /** Does what the API does for a dispatch. */
  async dispatch(
    to: string,
    options: { owner?: Owner; waitLimitMs?: number; start?: false } = {},
  ): Promise<DispatchedCall> {
    const owner = options.owner ?? (await this.createClient());
    const callId = `outbound-0-${randomBytes(16).toString('hex')}`;
    await this.db('calls').insert({
      call_id: callId,
      organization_id: owner.organizationId,
      agent_id: owner.agentId,
      agent_version: 1,
      call_type: 'Outbound',
      direction: 'Outbound',
      name: 'A contact',
      to_number: to,
      accepted_at: new Date(await this.now()),
    });
    const input: CallInput = { callId, ...owner, waitLimitMs: options.waitLimitMs ?? 900_000 };
    if (options.start ?? true) {
      await this.env.client.workflow.start('callWorkflow', {
        workflowId: workflowId.call(callId),
        taskQueue: this.taskQueue,
        args: [input],
      });
    }
    const handle = this.env.client.workflow.getHandle(workflowId.call(callId));
    return {
      callId,
      result: () => handle.result() as Promise<CallResult>,
      cancel: async () => void (await handle.cancel()),
    };
  }

  async createCampaign({
    numbers,
    organizationMaximum,
    fromDay = 0,
    toDay = 30,
    ...terms
  }: CampaignOptions): Promise<StartedCampaign> {
    const now = await this.now();
    const organization = await this.createClient({ maxConcurrency: organizationMaximum });
    const day = (offset: number) => new Date(now + offset * 86_400_000).toISOString().slice(0, 10);
    const draft = campaignDraft({
      ...organization,
      daysOfWeek: 'monday,tuesday,wednesday,thursday,friday,saturday,sunday',
      startMinute: 0,
      endMinute: 1440,
      fromDate: day(fromDay),
      toDate: day(toDay),
      ...terms,
      contacts: numbers.map((phoneNumber, index) => ({
        row: index + 2,
        name: `Contact ${index}`,
        phoneNumber,
        variables: {},
        duplicateOf: null,
      })),
      now,
    });
    const campaign = await insertCampaign(this.db, draft);
    const handle = await this.env.client.workflow.start('campaignWorkflow', {
      workflowId: workflowId.campaign(campaign.id),
      taskQueue: this.taskQueue,
      args: [{ campaignId: campaign.id, ...organization }],
    });
    return {
      id: campaign.id,
      ...organization,
      finish: () => handle.result() as Promise<CampaignResult>,
      signal: (signal) => handle.signal(signal),
      cancelWorkflow: async () => void (await handle.cancel()),
    };
  }

  signalWorkflows(signals: WorkflowSignals): Promise<void> {
    return signalWorkflows(this.signals(), silentLog, signals);
  }

  /** Does what the API does when a person hangs up. */
  hangUp(callId: string, organizationId: string): Promise<HungUpCall> {
    return hangUp(
      {
        db: this.db,
        clock: { now: () => Date.now() },
        log: pino({ enabled: false }),
        temporal: { signalWorkflows: (signals) => this.signalWorkflows(signals) },
      },
      { callId, organizationId, actor: { kind: 'api_key', id: 'test', requestId: null } },
    );
  }

  /** Does what the API does when it receives the end of a call. */
  async ends(callId: string, endReason: CarrierEndReason): Promise<void> {
    const at = await this.now();
    const endedAt = new Date(at).toISOString();
    await this.reportEnd(callId, callEndOf({ endReason, endedAt, answeredBy: 'human' }, 1), at);
  }

  /** Waits until the carrier has answered this many dial requests. */
  async untilDialled(count: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const check = setInterval(() => {
        void this.db('calls')
          .where({ stage: 'placed' })
          .then((placed) => {
            if (placed.length < count) return;
            clearInterval(check);
            resolve();
          });
      }, 20);
    });
  }

  /** Runs reconciliation in one workflow, and returns the workflow's handle. In production, a schedule starts the workflow. */
  async reconcile(runs = 1): Promise<WorkflowHandle> {
    const handle = await this.env.client.workflow.start('reconcileWorkflow', {
      workflowId: `reconcile-${randomUUID()}`,
      taskQueue: this.taskQueue,
      args: [{ afterOutage: false, runs }],
    });
    await handle.result();
    return handle;
  }

  private signals(): SignalSender {
    return {
      getHandle: (id) => ({
        signal: async (name, ...args) => {
          if (!this.loseSignal(name)) await this.env.client.workflow.getHandle(id).signal(name, ...args);
        },
      }),
    };
  }

  private async ring(call: PhoneCall): Promise<void> {
    await this.env.client.workflow.start('phoneWorkflow', {
      workflowId: `phone-${call.carrierId}`,
      taskQueue: this.taskQueue,
      args: [call],
    });
  }

  private async reportHungUp({ reference, answeredBy }: CarrierCall): Promise<void> {
    const endedAt = await this.now();
    const facts = { endReason: 'platform' as const, endedAt: new Date(endedAt).toISOString(), answeredBy };
    await this.reportEnd(reference, callEndOf(facts, 1), endedAt);
  }

  private async reportEnd(
    reference: string,
    end: ReturnType<typeof callEndOf>,
    endedAt: number,
  ): Promise<void> {
    const decision = await endCall(this.db, reference, end, endedAt);
    if (decision === null) return;
    await signalWorkflows(this.signals(), silentLog, {
      ...decision,
      ended: { callId: reference, callStatus: end.callStatus },
    });
  }

  /** Does what the API does when the carrier reports the end of a call. */
  private phoneActivities(): PhoneActivities {
    return {
      reportEnd: async ({ reference, carrierId, endReason, answeredAt, endedAt }) => {
        this.carrier.end(carrierId, { endReason, endedAt, answeredAt });
        const end = callEndOf(
          {
            endReason,
            endedAt: new Date(endedAt).toISOString(),
            answeredAt: new Date(answeredAt).toISOString(),
            answeredBy: 'human',
          },
          1,
        );
        await this.reportEnd(reference, end, endedAt);
      },
    };
  }
}

export interface CampaignOptions extends Partial<StoredTerms & Pick<NewCampaign, 'performDndCheck'>> {
  numbers: string[];
  organizationMaximum?: number;
  /** In days from today. */
  fromDay?: number;
  toDay?: number;
}
