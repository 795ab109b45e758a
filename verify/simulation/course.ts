/** Plays a run: organizations, campaigns, API requests, faults, and the wait for the end. */
import { randomUUID } from 'node:crypto';
import { insertAgent } from '../../db/agents/agents';
import { insertOrganization } from '../../db/organizations/organizations';
import { issueSigningSecret } from '../../db/webhooks/signing-secrets';
import type { ApiClient } from '../../api/http/auth/api-key';
import { WEEK } from '../../api/campaigns/terms';
import type { Db } from '../../db/kernel/connection';
import { AGENT_CONFIG, AGENT_NAME } from '../../dev/demo/agent';
import type {
  ApiRequest as RequestLine,
  CampaignRecord,
  OrganizationRecord,
} from '../faults/checker/evidence';
import { appendedOf, contactsOf, dispatchNumber } from '../faults/people';
import { windowFrom } from '../faults/plan/campaigns';
import type { ApiAnswer, ApiRequest } from './platform/api';
import { asAppended, withRows } from './appends';
import { receiverUrl, SECRETS_KEYS } from './platform/settings';
import type { CampaignPlan, Happening } from './plan/plan';
import { contactsWithRules, idWithRules, profilesOf, windowWithRules } from './plan/ruled-campaigns';
import { openSimulated } from './postgres/simulated-postgres';
import { ORGANIZATION_PROFILE, storeProfile, storeRules } from './postgres/stored-rules';
import { isoOf, type Simulation } from './simulation';
import { currentOwner } from './time/scheduler';
import { MessageLost } from './world';

interface Organization {
  caller: ApiClient;
  agentId: string;
}

const ASK_AGAIN_MS = 700;
/**
 * Maximum attempts for a request that must succeed. They outlast two leases of an idempotency key, because the commit that renews a lease
 * may be lost too.
 */
const ATTEMPTS = 120;
const ANSWER_WITHIN_MS = 10_000;
/** Live calls cause commits all the time. A fault that waits for a commit is cancelled if none comes within this time. */
const COMMIT_WITHIN_MS = 10_000;
const CONFIG = {
  ...AGENT_CONFIG,
  experience: { settings: { call_settings: { max_call_duration: 1, max_duration_enabled: true } } },
};

export class Course {
  readonly requests: (RequestLine & { line: number })[] = [];
  readonly campaigns: (CampaignRecord | undefined)[] = [];
  /** Called with each response to an API client. */
  onAnswer: (line: RequestLine) => void = () => undefined;
  /** Ids of requested campaigns, and of acknowledged ones. */
  private readonly created = new Set<string>();
  private readonly acknowledged = new Set<string>();
  /** Contacts that may be stored although their append has no response yet, by campaign. */
  private readonly appending = new Map<string, CampaignRecord['contacts']>();
  readonly organizations: OrganizationRecord[] = [];
  private readonly owners: Organization[] = [];
  /** Number of planned steps that haven't happened and of campaigns that aren't over. */
  private open = 0;
  private readonly db: Db;

  constructor(private readonly run: Simulation) {
    run.processes.set('client', { name: 'client', isAlive: true, stalledUntilMs: 0 });
    this.db = openSimulated(run.postgres, run.process('client'));
  }

  /** Campaigns that the API clients tried to create, with the contacts that they tried to append. */
  knownCampaigns(): CampaignRecord[] {
    return this.requestedCampaigns().map((each) => ({
      ...each,
      contacts: [...each.contacts, ...(this.appending.get(each.id) ?? [])],
    }));
  }

  /** Campaigns whose creation the API acknowledged, with the contacts of appends that it acknowledged. */
  acknowledgedCampaigns(): CampaignRecord[] {
    return this.requestedCampaigns().filter(({ id }) => this.acknowledged.has(id));
  }

  private requestedCampaigns(): CampaignRecord[] {
    return this.campaigns.filter(
      (each) => each !== undefined && this.created.has(each.id),
    ) as CampaignRecord[];
  }

  /** True once every planned step has happened. */
  get isPlayed(): boolean {
    return this.open === 0;
  }

  begin(): void {
    this.do(0, async () => {
      for (const maxConcurrency of this.run.plan.organizations) await this.newOrganization(maxConcurrency);
      for (const [index, { rules, organization }] of this.run.plan.campaigns.entries()) {
        const organizationId = this.owners[organization]?.caller.id ?? '';
        if (rules !== undefined) await storeRules(this.db, { id: idWithRules(index), organizationId, rules });
      }
      this.run.start();
      this.run.plan.campaigns.forEach((plan, index) =>
        this.do(plan.createdAtMs + 500, () => this.create(plan, index)),
      );
      for (const [index, happening] of this.run.plan.happenings.entries()) {
        this.do(happening.atMs + 500, () => this.happen(happening, index));
      }
    });
  }

  /** Resumes a campaign whose last command was a pause. */
  async resume(campaignId: string): Promise<void> {
    const campaign = this.campaigns.find((each) => each?.id === campaignId);
    const caller = this.owners.find((each) => each.caller.id === campaign?.organization_id)?.caller;
    if (caller !== undefined) await this.ask(caller, { kind: 'resume', campaignId });
  }

  /** Schedules work that the API clients do on their own. */
  do(afterMs: number, work: () => Promise<void>): void {
    this.open += 1;
    const client = this.run.process('client');
    this.run.scheduler.after(afterMs, client, () => {
      currentOwner
        .run(client, work)
        .catch((error: unknown) => this.run.scheduler.fail(error))
        .finally(() => (this.open -= 1));
    });
  }

  private async newOrganization(maxConcurrency: number): Promise<void> {
    const created = await insertOrganization(this.db, {
      name: `Organization ${this.owners.length}`,
      maxConcurrency,
    });
    const { secret } = await issueSigningSecret(this.db, created.id, SECRETS_KEYS);
    const actor = { kind: 'operator' as const, id: 'simulation', requestId: null };
    const agent = await insertAgent(this.db, {
      organizationId: created.id,
      displayName: AGENT_NAME,
      nthName: (n: number) => `agent-${n}`,
      status: 'running',
      config: CONFIG,
      inboundNumber: null,
      numbers: [],
      numberRule: { registeredOnly: false },
      actor,
      now: Math.round(this.run.world.nowMs),
    });
    if (agent.kind !== 'inserted') throw new Error('the agent was not inserted');
    this.organizations.push({ id: created.id, max_concurrency: maxConcurrency, secret });
    this.owners.push({ caller: { ...created, actor, scopes: null }, agentId: agent.id });
    const { organizationProfile: profile } = this.run.plan;
    if (!profile) return;
    await storeProfile(this.db, created.id, { name: ORGANIZATION_PROFILE, profile });
    await this.db('organizations').where({ id: created.id }).update({ rule_profile: ORGANIZATION_PROFILE });
  }

  private async create(plan: CampaignPlan, index: number): Promise<void> {
    const organization = this.owners[plan.organization];
    if (organization === undefined) throw new Error(`no organization ${plan.organization}`);
    const { rules } = plan;
    const id = rules === undefined ? randomUUID() : idWithRules(index);
    const contacts = rules === undefined ? contactsOf(index, plan.endings) : contactsWithRules(plan, rules);
    const terms = {
      concurrency: plan.concurrency,
      max_retries: plan.maxRetries,
      retry_delay_mins: plan.retryDelayMins,
      ...(rules === undefined ? windowFrom(plan.window, this.run.world.nowMs) : windowWithRules(rules)),
    };
    const form = {
      campaign_name: `Check-ups ${index + 1}`,
      ...terms,
      start_time: minuteOf(terms.start_time),
      end_time: minuteOf(terms.end_time),
      days_of_week: WEEK,
      notification_emails: [],
      campaign_webhook_url: plan.webhook && receiverUrl(plan.organization, plan.webhook),
      per_call_webhook_url: plan.callWebhook && receiverUrl(plan.organization, plan.callWebhook),
      performDndCheck: false,
      window_timezone: null,
      rule_profile: null,
      source: { file: { bytes: 0, stream: () => [] } },
    };
    const file = {
      format: 'csv',
      columns: ['city'],
      contacts: contacts.map(({ row, name, phone_number: phoneNumber }) => ({
        row,
        name,
        phoneNumber,
        variables: { city: 'Pune' },
        duplicateOf: null,
      })),
    };
    const agent = { id: organization.agentId };
    this.campaigns[index] = {
      id,
      organization_id: organization.caller.id,
      ...terms,
      days_of_week: WEEK.join(','),
      contacts,
      ...(rules && { window_timezone: rules.windowTimezone, profiles: profilesOf(this.run.plan, rules) }),
    };
    const launch = { id, form, agent, file } as unknown as Extract<ApiRequest, { kind: 'create' }>['launch'];
    this.created.add(id);
    if (await this.insist(organization.caller, { kind: 'create', launch })) this.acknowledged.add(id);
    else this.created.delete(id);
  }

  private async happen(happening: Happening, index: number): Promise<void> {
    const { run } = this;
    switch (happening.kind) {
      case 'pause':
      case 'resume':
      case 'cancel':
      case 'edit':
        return this.command(happening);
      case 'append':
        return this.append(happening, index);
      case 'dispatch': {
        const owner = this.owners[happening.organization];
        if (owner === undefined) return;
        const { number = dispatchNumber(index, happening.ending) } = happening;
        return void (await this.ask(owner.caller, { kind: 'dispatch', agentId: owner.agentId, number }));
      }
      case 'hang up':
        return this.hangUp(happening.nth);
      case 'crash':
        return run.crash(happening.process, happening.downMs);
      case 'crash at step':
        return run.crashAtStep(happening.process, happening.steps, happening.downMs);
      case 'stall': {
        const process = run.processes.get(happening.process);
        if (process?.isAlive !== true) return;
        process.stalledUntilMs = run.world.nowMs + happening.forMs;
        run.noteOutage(happening.forMs);
        return run.noteFault('stalled', happening.process, happening.forMs);
      }
      case 'link': {
        const { from, to, how, count, forMs } = happening;
        run.world.linkFaults.push({ from, to, how, untilMs: run.world.nowMs + forMs, left: count });
        run.noteOutage(forMs);
        return run.noteFault(how === 'lost' ? 'lost answers' : `cut (${how})`, `${from}-${to}`, forMs);
      }
      case 'shuffle events':
        run.carrier.shufflesUntilMs = run.world.nowMs + happening.forMs;
        run.noteOutage(happening.forMs);
        return run.noteFault('shuffled events', 'carrier-api', happening.forMs);
      case 'server':
        return this.serverDies(happening);
      case 'bridge': {
        const { after, max, downMs } = happening;
        // Acts like a process that loses one call and continues. Another one takes over the rest at once.
        run.carrier.lose(after, max ?? Infinity);
        run.noteFault('lost calls', 'bridge', downMs);
        return run.crash('carrier', downMs);
      }
      case 'receiver': {
        const { organization, how, forMs } = happening;
        run.receiver.fail(organization, how, run.world.nowMs + forMs);
        return run.noteFault(
          how === 'dies' ? 'crash' : 'stalled',
          `the receiver of client ${organization + 1}`,
          forMs,
        );
      }
      case 'set clock':
        return run.setClock(happening.process, happening.offsetMs);
    }
  }

  private async serverDies({ server, how, downMs }: Extract<Happening, { kind: 'server' }>): Promise<void> {
    const { run } = this;
    // If the commit comes seconds later, the outage ends that much later.
    const outageMs = how === 'dies' ? downMs : downMs + COMMIT_WITHIN_MS;
    run.noteOutage(outageMs);
    run.noteFault('crash', server, outageMs);
    if (server === 'temporal') return run.server.die(downMs);
    if (how === 'dies') return run.postgres.die(downMs);
    run.postgres.dieWithCommit(downMs, COMMIT_WITHIN_MS);
  }

  private async command(
    happening: Extract<Happening, { kind: 'pause' | 'resume' | 'cancel' | 'edit' }>,
  ): Promise<void> {
    const campaign = this.campaigns[happening.campaign];
    const caller = this.owners[this.run.plan.campaigns[happening.campaign]?.organization ?? 0]?.caller;
    if (campaign === undefined || caller === undefined) return;
    const { id: campaignId } = campaign;
    const request: ApiRequest =
      happening.kind === 'edit'
        ? { kind: 'edit', campaignId, fields: happening.fields }
        : { kind: happening.kind, campaignId };
    await this.insist(caller, request);
  }

  /** Repeats an append that was accepted, which must store nothing. */
  private async append(
    { campaign: of, endings }: Extract<Happening, { kind: 'append' }>,
    nth: number,
  ): Promise<void> {
    const campaign = this.campaigns[of];
    const caller = this.owners[this.run.plan.campaigns[of]?.organization ?? 0]?.caller;
    if (campaign === undefined || caller === undefined) return;
    const { id: campaignId } = campaign;
    const contacts = appendedOf(nth, endings);
    const request = { kind: 'append', campaignId, contacts: asAppended(contacts) } as const;
    this.appending.set(campaignId, [...(this.appending.get(campaignId) ?? []), ...contacts]);
    const isAccepted = (await this.insist(caller, request))?.status === 200;
    if (isAccepted) await this.insist(caller, request);
    const stored = await withRows(this.run, this.db, campaignId, contacts);
    const others = (this.appending.get(campaignId) ?? []).filter((each) => !contacts.includes(each));
    this.appending.set(campaignId, others);
    // A refused append may have been stored by an earlier request whose response was lost.
    campaign.contacts.push(...stored.filter(({ row }) => isAccepted || row !== 0));
  }

  private async hangUp(nth: number): Promise<void> {
    const live = this.run.server.open().filter(({ type }) => type === 'callWorkflow');
    const call = live[nth % Math.max(1, live.length)];
    if (call === undefined) return;
    for (const { caller } of this.owners) await this.ask(caller, { kind: 'hangUp', callId: call.workflowId });
  }

  /** Retries the request until the response is neither 503 nor a conflict with an earlier request that has the same idempotency key. */
  private async insist(caller: ApiClient, request: ApiRequest): Promise<ApiAnswer | null> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const answer = await this.ask(caller, request);
      if (answer !== null && answer.status < 500 && !isInProgress(request, answer)) return answer;
      await this.run.scheduler.sleep(ASK_AGAIN_MS, this.run.process('client'));
    }
    return null;
  }

  /** Returns null if no response arrives. */
  private async ask(caller: ApiClient, request: ApiRequest): Promise<ApiAnswer | null> {
    const { run } = this;
    const client = run.process('client');
    const line = this.sent(request);
    let answer: ApiAnswer | null = null;
    try {
      answer = await run.world.exchange(client, 'api', () => {
        const api = run.apiOrNull();
        if (api === null) throw new MessageLost('api', 'refused');
        const asked = currentOwner.run(run.process('api'), () => api.ask(caller, request));
        return run.withinTime(asked, client, ANSWER_WITHIN_MS);
      });
    } catch (error) {
      if (!(error instanceof MessageLost)) throw error;
    }
    run.trace.note('client', `${line.method} ${line.path}: ${answer?.status ?? 'no answer'}`);
    line.answered_at = isoOf(run.world.nowMs);
    line.status = answer?.status ?? null;
    line.body = answer?.body ?? null;
    this.onAnswer(line);
    return answer;
  }

  /** From now on the request may take effect, even if its response is an error or gets lost. */
  private sent(request: ApiRequest): RequestLine & { line: number } {
    const { method, path, fields } = wireOf(request);
    const line = {
      line: this.requests.length + 1,
      sent_at: isoOf(this.run.world.nowMs),
      answered_at: null,
      method,
      path,
      status: null,
      body: null,
      request: fields,
    };
    this.requests.push(line);
    return line;
  }
}

const isInProgress = ({ kind }: ApiRequest, { status }: ApiAnswer): boolean =>
  kind === 'create' && status === 409;

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

function wireOf(request: ApiRequest): { method: string; path: string; fields: unknown } {
  switch (request.kind) {
    case 'create':
      return { method: 'POST', path: '/api/campaigns/create', fields: null };
    case 'dispatch':
      return { method: 'POST', path: '/api/trigger-call/', fields: { contact_number: request.number } };
    case 'hangUp':
      return { method: 'POST', path: `/api/calls/${request.callId}/hangup`, fields: null };
    case 'append':
      return { method: 'POST', path: `/api/campaigns/${request.campaignId}/contacts`, fields: null };
    case 'edit':
      return { method: 'PUT', path: `/api/campaigns/${request.campaignId}`, fields: request.fields };
    case 'pause':
    case 'resume':
    case 'cancel':
      return { method: 'POST', path: `/api/campaigns/${request.campaignId}/${request.kind}`, fields: null };
  }
}
