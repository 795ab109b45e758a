/** An organization of the platform and everything that it creates. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { AGENT_CONFIG } from '../../dev/demo/agent';
import { requestWith } from '../../dev/demo/api-client';

const WITHIN_MS = 120_000;
const READ_EVERY_MS = 100;

/** Waits until `read` returns something other than null. */
export async function eventually<T>(what: string, read: () => Promise<T | null>): Promise<T> {
  const deadline = Date.now() + WITHIN_MS;
  for (;;) {
    const found = await read();
    if (found !== null) return found;
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${WITHIN_MS / 1000} s`);
    await delay(READ_EVERY_MS);
  }
}

/** Well formed but unassigned numbers, as in the demo. The last two digits choose what the simulator does. */
const PREFIX = '+91610';

let used = 0;

/** Returns a number that wasn't used before, because the simulator counts calls per number. */
export function numberEnding(ending: number): string {
  used += 1;
  return `${PREFIX}${String(used).padStart(5, '0')}${String(ending).padStart(2, '0')}`;
}

/** Returns numbers that answer and talk to the end. */
export const talkers = (count: number): string[] => Array.from({ length: count }, () => numberEnding(0));

interface CampaignRequest {
  numbers: readonly string[];
  concurrency: number;
  maxRetries?: number;
  retryDelayMins?: number;
  /** Days from today. By default, the campaign is open today and tomorrow. */
  fromDay?: number;
  toDay?: number;
  /** `HH:MM`, UTC. By default, the campaign is open all day. */
  startTime?: string;
  endTime?: string;
  /** Receiver path for webhooks about calls. */
  callHook?: string;
  /** Receiver path for webhooks about the campaign. */
  campaignHook?: string;
  /** If set, gets an e-mail about the campaign's end. */
  notificationEmail?: string;
}

interface Contact {
  phone_number: string;
  attempts: { call_id: string; call_status: string }[];
}

const DAY_MS = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export class Customer {
  private constructor(
    private readonly access: { apiUrl: string; key: string; receiverUrl: string },
    private readonly agentId: string,
  ) {}

  static async begin(access: { apiUrl: string; key: string; receiverUrl: string }): Promise<Customer> {
    const agent = { agent_display_name: 'An agent', config: AGENT_CONFIG };
    const customer = new Customer(access, '');
    const { agent_id: agentId } = await customer.ask<{ agent_id: string }>(
      'POST',
      '/api/create-agent',
      agent,
    );
    return new Customer(access, agentId);
  }

  /** Creates a campaign and returns its id. */
  async createCampaign(campaign: CampaignRequest): Promise<string> {
    const form = new FormData();
    for (const [name, value] of Object.entries(this.fields(campaign))) form.set(name, String(value));
    const rows = campaign.numbers.map((number, index) => `Contact ${index + 1},${number}`);
    const csv = ['name,phone_number', ...rows, ''].join('\n');
    form.set('csv_file', new Blob([csv], { type: 'text/csv' }), 'contacts.csv');
    return (await this.ask<{ id: string }>('POST', '/api/campaigns/create', form)).id;
  }

  /** Dispatches a call and returns its id. */
  async dispatch(number: string): Promise<string> {
    const call = { agent_id: this.agentId, contact_number: number, name: 'A contact' };
    return (await this.ask<{ output: { call_id: string } }>('POST', '/api/trigger-call/', call)).output
      .call_id;
  }

  /** Makes the agent answer a number, or none if the text is empty. Returns the agent's id. */
  async answer(number: string): Promise<string> {
    const deployment = { phone: { call_type: { Inbound: number } } };
    await this.ask('PATCH', `/api/agent/${this.agentId}/deployment`, { deployment });
    return this.agentId;
  }

  /** Waits for a call from this number and returns its id. */
  callFrom(number: string): Promise<string> {
    return eventually('a call that came in', async () => {
      const { data } = await this.ask<{ data: { call_id: string; from_number: string | null }[] }>(
        'GET',
        '/api/call-history',
      );
      return data.find(({ from_number: from }) => from === number)?.call_id ?? null;
    });
  }

  async command(campaignId: string, verb: 'pause' | 'resume' | 'cancel'): Promise<void> {
    await this.ask('POST', `/api/campaigns/${campaignId}/${verb}`, {});
  }

  async change(campaignId: string, fields: object): Promise<void> {
    await this.ask('PUT', `/api/campaigns/${campaignId}`, fields);
  }

  async hangUp(callId: string): Promise<void> {
    await this.ask('POST', `/api/calls/${callId}/hangup`, {});
  }

  async contacts(campaignId: string): Promise<Contact[]> {
    return (await this.ask<{ data: Contact[] }>('GET', `/api/campaigns/${campaignId}/contacts?page_size=200`))
      .data;
  }

  /** Waits until the nth call of a number has one of these statuses. */
  callTo(campaignId: string, number: string, shows: readonly string[], attempt = 1): Promise<string> {
    return eventually(`a call that is ${shows.join(' or ')}`, async () => {
      const contact = (await this.contacts(campaignId)).find(({ phone_number: to }) => to === number);
      const call = contact?.attempts[attempt - 1];
      return call !== undefined && shows.includes(call.call_status) ? call.call_id : null;
    });
  }

  private fields(campaign: CampaignRequest): Record<string, string | number> {
    const { receiverUrl } = this.access;
    return {
      campaign_name: 'A campaign',
      agent_id: this.agentId,
      concurrency: campaign.concurrency,
      from_date: dayOf(Date.now() + (campaign.fromDay ?? 0) * DAY_MS),
      to_date: dayOf(Date.now() + (campaign.toDay ?? 1) * DAY_MS),
      start_time: campaign.startTime ?? '00:00',
      end_time: campaign.endTime ?? '24:00',
      days_of_week: 'monday,tuesday,wednesday,thursday,friday,saturday,sunday',
      max_retries: campaign.maxRetries ?? 1,
      retry_delay_mins: campaign.retryDelayMins ?? 0,
      ...(campaign.notificationEmail === undefined
        ? {}
        : { notification_emails: campaign.notificationEmail }),
      ...(campaign.callHook === undefined
        ? {}
        : { per_call_webhook_url: `${receiverUrl}${campaign.callHook}` }),
      ...(campaign.campaignHook === undefined
        ? {}
        : { campaign_webhook_url: `${receiverUrl}${campaign.campaignHook}` }),
    };
  }

  private async ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const { apiUrl, key } = this.access;
    const response = await fetch(`${apiUrl}${path}`, requestWith(key, method, body));
    if (!response.ok)
      throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
    return (await response.json()) as Answer;
  }
}

/** `/accepts` accepts everything, `/late` rejects the first attempt of each event, and `/refuses` rejects everything. */
const REFUSED_ATTEMPTS: Readonly<Record<string, number>> = {
  '/accepts': 0,
  '/late': 1,
  '/refuses': Infinity,
};

interface FussyReceiver {
  host: string;
  close: () => Promise<void>;
}

/** A webhook receiver that accepts or rejects deliveries by path. */
export async function startReceiver(): Promise<FussyReceiver> {
  const server = http.createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const attempt = Number(request.headers['x-service-delivery-attempt']);
      const refused = attempt <= (REFUSED_ATTEMPTS[request.url ?? ''] ?? Infinity);
      response.writeHead(refused ? 500 : 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
