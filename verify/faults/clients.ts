/** Creates the users of the platform in a run: organizations as an operator would, and their agents and campaigns over REST. */
import { openDatabase } from '../../db/kernel/connection';
import { onlyKey } from '../../db/kernel/secrets-keys';
import { issueApiKey } from '../../db/organizations/api-keys';
import { insertOrganization } from '../../db/organizations/organizations';
import { issueSigningSecret } from '../../db/webhooks/signing-secrets';
import { AGENT_CONFIG, AGENT_NAME } from '../../dev/demo/agent';
import type { Evidence } from './evidence';
import { contactCsv, contactsOf, dispatchNumber, ownNumber } from './people';
import { type CampaignPlan, type DispatchPlan, type OrganizationPlan, windowFrom } from './plan/campaigns';
import type { FaultStack } from './stack/fault-stack';

interface Answer {
  status: number;
  body: unknown;
}

interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  /** Fields to record. They are also the JSON body unless there is a form. */
  fields?: Record<string, unknown>;
  form?: FormData;
  idempotencyKey?: string;
}

/** Longer than the API's slowest response. */
const ANSWERED_WITHIN_MS = 10_000;
const ASKED_AGAIN_AFTER_MS = 400;

/** API client that records every request as evidence, including those that get no response. */
export class RecordingClient {
  constructor(
    private readonly apiUrl: string,
    private readonly key: string,
    private readonly evidence: Evidence,
  ) {}

  /** Returns null if no response arrived. */
  async send(request: ApiRequest): Promise<Answer | null> {
    const sentAt = new Date();
    const answer = await this.fetch(request);
    this.evidence.request({
      sent_at: sentAt.toISOString(),
      answered_at: new Date().toISOString(),
      method: request.method,
      path: request.path,
      status: answer?.status ?? null,
      body: answer?.body ?? null,
      request: request.fields ?? null,
    });
    return answer;
  }

  /**
   * Retries the request while the API responds "try later". Returns null when the time is up. Use it only for requests that are safe to
   * repeat.
   */
  async insist(request: ApiRequest, withinMs = 45_000): Promise<Answer | null> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const answer = await this.send(request);
      if (answer !== null && answer.status !== 503 && !isInProgress(answer)) return answer;
      if (performance.now() > deadline) return null;
      await new Promise((resolve) => setTimeout(resolve, ASKED_AGAIN_AFTER_MS));
    }
  }

  private async fetch({ method, path, fields, form, idempotencyKey }: ApiRequest): Promise<Answer | null> {
    const body = form ?? (fields === undefined ? undefined : JSON.stringify(fields));
    try {
      const response = await fetch(`${this.apiUrl}${path}`, {
        method,
        headers: {
          'X-API-Key': this.key,
          ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
          ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        },
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
      });
      const text = await response.text();
      return { status: response.status, body: JSON.parse(text) };
    } catch {
      // The connection was refused or cut, or the response took too long. The checker decides what this means.
      return null;
    }
  }
}

const isInProgress = ({ status, body }: Answer): boolean =>
  status === 409 && JSON.stringify(body).includes('IDEMPOTENCY_IN_PROGRESS');

export interface Organization {
  id: string;
  secret: string;
  agentId: string;
  /** The number that an agent of this organization answers, or null. */
  number: string | null;
  client: RecordingClient;
}

/** The platform allows no limit shorter than a minute. The number that talks until the end uses all of it. */
const LONGEST_TALK = { max_call_duration: 1, max_duration_enabled: true };
const EVERY_DAY = 'monday,tuesday,wednesday,thursday,friday,saturday,sunday';

export async function createOrganizations(
  stack: FaultStack,
  plans: readonly OrganizationPlan[],
  evidence: Evidence,
): Promise<Organization[]> {
  const db = openDatabase({ url: stack.databaseUrl, poolSize: 1, applicationName: 'faults' });
  const secretsKeys = onlyKey(Buffer.from(stack.secrets.secretsKey, 'base64'));
  try {
    const made: Organization[] = [];
    for (const [index, { name, maxConcurrency, isCalled }] of plans.entries()) {
      const { id } = await insertOrganization(db, { name, maxConcurrency });
      const { key } = await issueApiKey(db, id);
      const { secret } = await issueSigningSecret(db, id, secretsKeys);
      const client = new RecordingClient(stack.apiUrl, key, evidence);
      evidence.organizations.push({ id, max_concurrency: maxConcurrency, secret });
      const number = isCalled ? ownNumber(index) : null;
      made.push({ id, secret, client, number, agentId: await createAgent(client, number) });
    }
    return made;
  } finally {
    await db.destroy();
  }
}

async function createAgent(client: RecordingClient, number: string | null): Promise<string> {
  const { experience, ...config } = AGENT_CONFIG;
  const deployment = number === null ? {} : { deployment: { phone: { call_type: { Inbound: number } } } };
  const fields = {
    agent_display_name: AGENT_NAME,
    config: {
      ...config,
      ...deployment,
      experience: { ...experience, settings: { call_settings: LONGEST_TALK } },
    },
  };
  const answer = await client.insist({ method: 'POST', path: '/api/create-agent', fields });
  return textOf(answer, 'agent_id');
}

/** Creates the campaign and returns its id. Retries a request without a response, with the same idempotency key. */
export async function createCampaign(options: {
  plan: CampaignPlan;
  index: number;
  organization: Organization;
  receiverHost: string;
  evidence: Evidence;
}): Promise<string> {
  const { plan, index, organization, evidence } = options;
  const contacts = contactsOf(index, plan.endings);
  const terms = {
    concurrency: plan.concurrency,
    max_retries: plan.maxRetries,
    retry_delay_mins: plan.retryDelayMins,
    ...windowFrom(plan.window, Date.now()),
    days_of_week: EVERY_DAY,
  };
  const at = (path: string) => `http://${options.receiverHost}${path}`;
  const fields = {
    campaign_name: `Check-ups ${index + 1}`,
    agent_id: organization.agentId,
    ...terms,
    ...(plan.campaignWebhook === null ? {} : { campaign_webhook_url: at(plan.campaignWebhook) }),
    ...(plan.callWebhook === null ? {} : { per_call_webhook_url: at(plan.callWebhook) }),
  };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  form.set('csv_file', new Blob([contactCsv(contacts)], { type: 'text/csv' }), 'contacts.csv');
  const answer = await organization.client.insist({
    method: 'POST',
    path: '/api/campaigns/create',
    fields,
    form,
    idempotencyKey: `campaign-${index}`,
  });
  const id = textOf(answer, 'id');
  evidence.campaigns.push({ id, organization_id: organization.id, ...terms, contacts, edits: [] });
  return id;
}

/** Dispatches one call outside any campaign. Sends the request only once, so a call without an acknowledgement may never happen. */
export async function dispatch(plan: DispatchPlan, index: number, organization: Organization): Promise<void> {
  await organization.client.send({
    method: 'POST',
    path: '/api/trigger-call/',
    fields: {
      agent_id: organization.agentId,
      contact_number: dispatchNumber(index, plan.ending),
      name: `Dispatched ${index + 1}`,
    },
  });
}

function textOf(answer: Answer | null, field: string): string {
  const body = answer?.body;
  if (typeof body === 'object' && body !== null) {
    const value = new Map<string, unknown>(Object.entries(body)).get(field);
    if (typeof value === 'string') return value;
  }
  throw new Error(`the answer has no ${field}: status ${answer?.status ?? 'none'}, ${JSON.stringify(body)}`);
}
