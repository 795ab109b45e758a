/**
 * The real workflows, activities and Postgres on a clock that skips: only the carrier and the webhook receivers are fakes, small ones
 * that work.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createActivities } from '../../../activities';
import type { CarrierCall, DialRequest, Telephony } from '../../../activities/telephony/port';
import type { WebhookAnswer } from '../../../activities/webhooks/sender';
import { insertAgent } from '../../../db/agents';
import { endCall } from '../../../db/call-engine';
import { insertCampaign } from '../../../db/campaigns';
import { insertClient } from '../../../db/clients';
import { openDatabase, type Db } from '../../../db/connection';
import { addSearchAttributes } from '../../../worker/registration';
import { workflowStarter } from '../../../worker/workflow-starter';
import { announce } from '../../../workflows/announce';
import { workflowId, type CampaignResult } from '../../../workflows/contract';
import { callEndOf } from '../../../workflows/domain/call-end';
import type { CarrierEndReason } from '../../../workflows/domain/call-outcome';
import { workflowBundle } from '../../servers/bundle';
import { createTestDatabase } from '../../servers/database';
import { timeSkippingEnvironment } from '../../servers/time-skipping';
import type { PhoneActivities, PhoneCall } from './phone-workflow';

/** What a number does, call by call; the last entry repeats. */
export type PhoneScript = readonly { endReason: CarrierEndReason; talkMs: number }[];

export interface Dial {
  to: string;
  reference: string;
  /** Workflow time. */
  at: number;
}

export interface PostedWebhook {
  url: string;
  body: Record<string, unknown>;
  headers: Record<string, string>;
  /** Workflow time. */
  at: number;
}

const silentLog = { info: () => undefined, warn: () => undefined };

export class TimeSkippingEngine {
  readonly dials: Dial[] = [];
  readonly webhooks: PostedWebhook[] = [];
  /** Answers the n-th post to a URL; accepts unless a test says otherwise. */
  receiver: (url: string, nth: number) => number = () => 200;
  /** Called while the carrier takes a call up, before its answer: the place for a signal in mid-dial. */
  onDial: (dial: Dial) => Promise<void> = () => Promise.resolve();
  private readonly scripts = new Map<string, PhoneScript>();
  private readonly calls = new Map<string, CarrierCall>();

  private constructor(
    readonly env: TestWorkflowEnvironment,
    readonly db: Db,
    private readonly dropDatabase: () => Promise<void>,
    private readonly taskQueue: string,
  ) {}

  static async start(): Promise<TimeSkippingEngine> {
    const env = await timeSkippingEnvironment();
    const database = await createTestDatabase();
    const db = openDatabase({ url: database.url, timeoutMs: 10_000, applicationName: 'test' });
    await addSearchAttributes(env.connection, 'default');
    return new TimeSkippingEngine(env, db, database.drop, 'voice-agent-platform');
  }

  async stop(): Promise<void> {
    await this.db.destroy();
    await this.dropDatabase();
    await this.env.teardown();
  }

  /** Workflow time now. */
  now(): Promise<number> {
    return this.env.currentTimeMs();
  }

  /** Runs a worker for as long as `work` takes. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const worker = await Worker.create({
      connection: this.env.nativeConnection,
      taskQueue: this.taskQueue,
      workflowBundle: workflowBundle(),
      activities: { ...this.activities(), ...this.phoneActivities() },
    });
    return worker.runUntil(work);
  }

  script(to: string, script: PhoneScript): void {
    this.scripts.set(to, script);
  }

  activities(): ReturnType<typeof createActivities> {
    return createActivities({
      db: this.db,
      telephony: this.telephony(),
      signals: this.env.client.workflow,
      workflows: workflowStarter(this.env.client.workflow),
      webhooks: { post: (url, body, headers) => this.post(url, body, headers) },
      log: silentLog,
      clock: Date.now,
      settings: {
        ringTimeoutS: 30,
        creditsPerMinute: 1,
        dispatchWaitLimitMs: 900_000,
        decryptSecret: (encrypted) => encrypted.toString(),
      },
    });
  }

  async createCampaign(options: CampaignOptions): Promise<{ id: string; clientId: string; finish: () => Promise<CampaignResult> }> {
    const now = await this.now();
    const client = await insertClient(this.db, { name: 'A client', maxConcurrency: options.clientMaximum ?? 10 });
    const agent = await insertAgent(this.db, {
      clientId: client.id,
      displayName: 'An agent',
      nthName: (n) => `agent-${n}`,
      status: 'running',
      config: {},
      inboundNumber: null,
      now,
    });
    if (agent.kind !== 'inserted') throw new Error('the agent was not inserted');
    const day = (offset: number) => new Date(now + offset * 86_400_000).toISOString().slice(0, 10);
    const campaign = await insertCampaign(this.db, {
      id: randomUUID(),
      clientId: client.id,
      agentId: agent.id,
      campaignName: 'A campaign',
      contactSourceType: 'csv',
      contactFileKey: 'unused',
      daysOfWeek: options.daysOfWeek ?? 'monday,tuesday,wednesday,thursday,friday,saturday,sunday',
      startMinute: options.startMinute ?? 0,
      endMinute: options.endMinute ?? 1440,
      fromDate: day(options.fromDay ?? 0),
      toDate: day(options.toDay ?? 30),
      maxRetries: options.maxRetries ?? 3,
      retryAfterMins: options.retryAfterMins ?? 30,
      callConcurrency: options.concurrency ?? 2,
      notificationEmails: [],
      webhookUrl: options.webhookUrl ?? null,
      perCallWebhookUrl: options.perCallWebhookUrl ?? null,
      performDndCheck: false,
      contacts: options.numbers.map((phoneE164, index) => ({
        row: index + 2,
        name: `Contact ${index}`,
        phoneE164,
        variables: {},
        duplicateOf: null,
      })),
      now,
    });
    const handle = await this.env.client.workflow.start('campaignWorkflow', {
      workflowId: workflowId.campaign(campaign.id),
      taskQueue: this.taskQueue,
      args: [{ campaignId: campaign.id, clientId: client.id, agentId: agent.id }],
    });
    return { id: campaign.id, clientId: client.id, finish: () => handle.result() as Promise<CampaignResult> };
  }

  private telephony(): Telephony {
    return {
      dial: async (request) => this.placeCall(request),
      find: (reference) => Promise.resolve([...this.calls.values()].filter((call) => call.reference === reference)),
      hangUp: () => Promise.resolve('over'),
    };
  }

  private async placeCall({ to, reference }: DialRequest): Promise<{ kind: 'placed'; carrierId: string }> {
    const before = this.dials.filter((dial) => dial.to === to).length;
    const script = this.scripts.get(to) ?? [{ endReason: 'agent', talkMs: 60_000 }];
    const course = script[Math.min(before, script.length - 1)] ?? { endReason: 'agent' as const, talkMs: 60_000 };
    const dial = { to, reference, at: await this.now() };
    this.dials.push(dial);
    await this.onDial(dial);
    const carrierId = randomBytes(6).toString('hex');
    this.calls.set(carrierId, liveCall(carrierId, reference));
    await this.env.client.workflow.start('phoneWorkflow', {
      workflowId: `phone-${carrierId}`,
      taskQueue: this.taskQueue,
      args: [{ reference, carrierId, ...course } satisfies PhoneCall],
    });
    return { kind: 'placed', carrierId };
  }

  /** What the API does when the carrier tells the end of a call. */
  private phoneActivities(): PhoneActivities {
    return {
      tellEnd: async ({ reference, carrierId, endReason, answeredAt, endedAt }) => {
        const iso = (ms: number) => new Date(ms).toISOString();
        const facts = { endReason, endedAt: iso(endedAt), answeredAt: iso(answeredAt), answeredBy: 'human' as const };
        this.calls.set(carrierId, { ...liveCall(carrierId, reference), ...facts, state: 'ended' });
        const end = callEndOf(facts, 1);
        const decision = await endCall(this.db, reference, end, endedAt);
        if (decision === null) return;
        await announce(this.env.client.workflow, silentLog, {
          ...decision,
          ended: { callId: reference, callStatus: end.callStatus },
        });
      },
    };
  }

  private async post(url: string, body: string, headers: Record<string, string>): Promise<WebhookAnswer> {
    const nth = this.webhooks.filter((posted) => posted.url === url).length + 1;
    this.webhooks.push({ url, body: JSON.parse(body) as Record<string, unknown>, headers, at: await this.now() });
    const statusCode = this.receiver(url, nth);
    return { statusCode, durationMs: 1, error: statusCode < 300 ? null : `status ${statusCode}` };
  }
}

export interface CampaignOptions {
  numbers: string[];
  concurrency?: number;
  clientMaximum?: number;
  maxRetries?: number;
  retryAfterMins?: number;
  /** Days from today. */
  fromDay?: number;
  toDay?: number;
  daysOfWeek?: string;
  startMinute?: number;
  endMinute?: number;
  webhookUrl?: string;
  perCallWebhookUrl?: string;
}

function liveCall(carrierId: string, reference: string): CarrierCall {
  return {
    carrierId,
    reference,
    state: 'answered',
    endReason: null,
    answeredBy: 'human',
    dialingAt: null,
    ringingAt: null,
    answeredAt: null,
    endedAt: null,
    transcript: [],
  };
}
