/** An organization's API client, which uses only REST. */
import { onlyKey } from '../../../db/kernel/secrets-keys';
import { issueApiKey } from '../../../db/organizations/api-keys';
import { insertOrganization } from '../../../db/organizations/organizations';
import type { Db } from '../../../db/kernel/connection';
import { issueSigningSecret } from '../../../db/webhooks/signing-secrets';
import { contactCsv } from './numbers';
import type { WebhookReceiver } from './receiver';

export interface Answer {
  status: number;
  body: any;
  /** Milliseconds from the request to the complete response. */
  tookMs: number;
  /** Time of the response. */
  at: number;
}

export interface CampaignWish {
  numbers: readonly string[];
  concurrency: number;
  maxRetries?: number;
  notificationEmails?: string;
  /** Default: the test's receiver. */
  perCallWebhookUrl?: string;
  /** Contact file. Default: built from the numbers. */
  csv?: string;
}

const DAY_MS = 86_400_000;
const CONFIG = {
  persona: {
    identity: {
      system_prompt: 'You are Asha of Tulsi Dental Care. Ask "Which day would suit you best?"',
      greeting_message: { agent_message: 'Namaste {{name}}, your check-up in {{city}} is due.' },
    },
  },
};

export class Organization {
  private constructor(
    private readonly apiUrl: string,
    private readonly receiver: WebhookReceiver,
    readonly key: string,
    readonly agentId: string,
  ) {}

  /** Creates an organization with a key and a signing secret, as an operator would, and then an agent through the API. */
  static async create(
    { apiUrl, db, secretsKey }: { apiUrl: string; db: Db; secretsKey: string },
    receiver: WebhookReceiver,
    maxConcurrency: number,
  ): Promise<Organization> {
    const { id } = await insertOrganization(db, { name: 'Tulsi Dental Care', maxConcurrency });
    const { key } = await issueApiKey(db, id);
    const { secret } = await issueSigningSecret(db, id, onlyKey(Buffer.from(secretsKey, 'base64')));
    receiver.secrets.push(secret);
    const made = await ask(apiUrl, key, '/api/create-agent', {
      agent_display_name: 'Asha',
      config: CONFIG,
    });
    return new Organization(apiUrl, receiver, key, made.body.agent_id);
  }

  get(path: string): Promise<Answer> {
    return ask(this.apiUrl, this.key, path);
  }

  post(path: string, json: unknown = {}): Promise<Answer> {
    return ask(this.apiUrl, this.key, path, json);
  }

  patch(path: string, json: unknown): Promise<Answer> {
    return ask(this.apiUrl, this.key, path, json, 'PATCH');
  }

  put(path: string, json: unknown): Promise<Answer> {
    return ask(this.apiUrl, this.key, path, json, 'PUT');
  }

  /** Creates a campaign that is open all day on all days, with both webhooks and no retry delay. */
  createCampaign(wish: CampaignWish): Promise<Answer> {
    return ask(this.apiUrl, this.key, '/api/campaigns/create', this.formOf(wish));
  }

  /** Runs a dry run of the same campaign. */
  simulateCampaign(wish: CampaignWish, assumed: Readonly<Record<string, number>>): Promise<Answer> {
    const form = this.formOf(wish);
    for (const [name, value] of Object.entries(assumed)) form.set(name, String(value));
    return ask(this.apiUrl, this.key, '/api/campaigns/simulate', form);
  }

  private formOf({
    numbers,
    concurrency,
    maxRetries = 3,
    notificationEmails = '',
    perCallWebhookUrl = `http://${this.receiver.host}/calls`,
    csv = contactCsv(numbers),
  }: CampaignWish): FormData {
    const form = new FormData();
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const fields = {
      campaign_name: 'Check-ups',
      agent_id: this.agentId,
      concurrency,
      from_date: day(Date.now()),
      to_date: day(Date.now() + 2 * DAY_MS),
      start_time: '00:00',
      end_time: '24:00',
      days_of_week: 'monday,tuesday,wednesday,thursday,friday,saturday,sunday',
      max_retries: maxRetries,
      notification_emails: notificationEmails,
      retry_delay_mins: 0,
      campaign_webhook_url: `http://${this.receiver.host}/campaign`,
      per_call_webhook_url: perCallWebhookUrl,
    };
    for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
    form.set('csv_file', new Blob([csv], { type: 'text/csv' }), 'contacts.csv');
    return form;
  }

  dispatch(number: string): Promise<Answer> {
    return this.post('/api/trigger-call/', {
      agent_id: this.agentId,
      contact_number: number,
      name: 'Dispatched',
    });
  }
}

async function ask(
  apiUrl: string,
  key: string,
  path: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Answer> {
  const startedAt = performance.now();
  const isForm = body instanceof FormData;
  const response = await fetch(`${apiUrl}${path}`, {
    method,
    headers: {
      'X-API-Key': key,
      ...(isForm || body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  return { status: response.status, body: answer, tookMs: performance.now() - startedAt, at: Date.now() };
}
