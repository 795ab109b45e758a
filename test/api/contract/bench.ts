/** The running service and the rows that the checks of a document use. */
import { randomUUID } from 'node:crypto';
import { FakeMedia } from '../support/conversation';
import { ANALYSED, campaignForm, newAgent, newCall, record, say, withFile } from '../support/rows';
import { MONDAY, openTestApi, type Answer, type TestApi, type TestOrganization } from '../support/test-api';

export const RTC_URL = 'wss://rtc.example.test';
export const PHONE_CALL = { contact_number: '+919876543210', name: 'Asha' };

export class Bench {
  private openapi?: Promise<any>;

  private constructor(
    readonly api: TestApi,
    readonly media: FakeMedia,
    /** The agent is named "Collections"; its slug is `collections`. */
    readonly agentId: string,
    /** A finished call with every timestamp and every analysis result set. */
    readonly callId: string,
  ) {}

  static async open(): Promise<Bench> {
    const media = await FakeMedia.open();
    const livekit = { ...media.settings, publicUrl: RTC_URL };
    const api = await openTestApi({ settings: { livekit } });
    const agentId = await newAgent(api);
    return new Bench(api, media, agentId, await finishedCall(api, agentId));
  }

  async close(): Promise<void> {
    await this.api.close();
    await this.media.close();
  }

  /** Returns the body of a GET, or throws unless the status is 200. */
  async get(path: string, as: TestOrganization = this.api.organization): Promise<any> {
    const { status, body, text } = await this.api.ask(path, { as });
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return body;
  }

  /** Returns the OpenAPI document, whose rendering takes time. */
  document(): Promise<any> {
    this.openapi ??= this.get('/api/openapi.json');
    return this.openapi;
  }

  patch(section: string, json: unknown, agentId = this.agentId): Promise<Answer> {
    return this.api.ask(`/api/agent/${agentId}/${section}`, { method: 'PATCH', json });
  }

  dispatch(json: object, headers: Record<string, string> = {}): Promise<Answer> {
    return this.api.ask('/api/trigger-call/', { json: { agent_id: this.agentId, ...json }, headers });
  }

  call(json: object = {}, headers?: Record<string, string>): Promise<Answer> {
    return this.dispatch({ ...PHONE_CALL, ...json }, headers);
  }

  session(json: object = {}): Promise<Answer> {
    return this.dispatch({ medium: 'webrtc', ...json });
  }

  /** Fields that are null are omitted from the form. */
  create(
    changes: Record<string, string | string[] | null> = {},
    {
      file,
      filename = 'contacts.csv',
      withoutFile = false,
    }: { file?: string | Buffer; filename?: string; withoutFile?: boolean } = {},
  ): Promise<Answer> {
    const form = campaignForm(this.agentId, changes);
    return this.api.ask('/api/campaigns/create', {
      body: withoutFile ? form : withFile(form, file, filename),
    });
  }

  /** Creates a campaign that is newer than all others. */
  async campaign(changes: Record<string, string> = {}): Promise<any> {
    this.api.clock.time += 1;
    const { status, body, text } = await this.create(changes);
    if (status !== 201) throw new Error(`${status} ${text}`);
    return body;
  }

  update(campaignId: string, json: object): Promise<Answer> {
    return this.api.ask(`/api/campaigns/${campaignId}`, { method: 'PUT', json });
  }

  storedCall(callId: string): Promise<any> {
    return this.api.db('calls').where({ call_id: callId }).first();
  }

  storedCampaign(id: string): Promise<any> {
    return this.api.db('campaigns').where({ id }).first();
  }
}

const at = (ms: number) => new Date(MONDAY + ms);

export async function finishedCall(api: TestApi, agentId: string, row: object = {}): Promise<string> {
  const callId = await newCall(api, {
    call_id: `outbound-${MONDAY / 1000}-${randomUUID()}`,
    agent_id: agentId,
    ...ANALYSED,
    from_number: '+918012345678',
    metadata: { city: 'Pune' },
    dialing_at: at(1000),
    ringing_at: at(2000),
    answered_at: at(3000),
    ended_at: at(63_000),
    duration_ms: 60_000,
    call_cost: '1.5',
    ...row,
  });
  await record(api, callId);
  await say(api, callId, [
    ['agent', 'Namaste'],
    ['user', 'Hello'],
  ]);
  return callId;
}

/** The `loc` paths of the faults in a 422 response. */
export const placesOf = ({ body }: Answer): string[] =>
  Array.isArray(body.detail) ? body.detail.map((fault: any) => fault.loc.join('.')) : [];

export function expectRefused(answer: Answer, place: string): void {
  const isNamed = placesOf(answer).some((loc) => loc === place || loc.startsWith(`${place}.`));
  if (answer.status !== 422 || !isNamed)
    throw new Error(`expected a 422 at ${place}, got ${answer.status} ${answer.text}`);
}

export function expectStatus(answer: Answer, status: number): void {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status} ${answer.text}`);
}

/** Returns status and code of an error response in either error shape. */
export const refusalOf = ({ status, body }: Answer): [number, string | undefined] => [
  status,
  body?.code ?? body?.detail?.code,
];
