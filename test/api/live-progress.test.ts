import { issueApiKey, revokeApiKey } from '../../db/organizations/api-keys';
import { openSession } from '../../db/organizations/console-tokens';
import { newEstate, type Estate } from './support/estate';
import { schemaChecker } from './support/openapi-answers';
import { newCall } from './support/rows';
import { openTestApi, type TestApi, type TestOrganization } from './support/test-api';

jest.setTimeout(60_000);

const MAX = 3;
const EVERY_MS = 20;
const PROGRESS = ['components', 'schemas', 'CampaignProgress'];

let api: TestApi;
let estate: Estate;
let faultsOf: (value: unknown) => string[];
const open = new Set<Watcher>();

beforeAll(async () => {
  api = await openTestApi({
    liveProgress: { everyMs: EVERY_MS, heartbeatMs: 100, maxPerOrganization: MAX },
  });
  estate = await newEstate(api, api.organization, { name: 'Zubeida', firstNumber: '9876543200' });
  const check = schemaChecker((await api.ask('/api/openapi.json')).body);
  faultsOf = (value) => check(PROGRESS, value);
});
afterEach(async () => {
  for (const watcher of open) await watcher.close();
  open.clear();
});
afterAll(() => api.close());

/** Reads a response of server-sent events as it arrives. */
class Watcher {
  text = '';
  isOver = false;
  private readonly stopping = new AbortController();
  private readonly looking = new Set<() => void>();
  response: Response | undefined;

  static async of(path: string, headers: Record<string, string>): Promise<Watcher> {
    const watcher = new Watcher();
    open.add(watcher);
    const response = await fetch(`${api.url}${path}`, { headers, signal: watcher.stopping.signal });
    watcher.response = response;
    if (response.status === 200) void watcher.read(response);
    return watcher;
  }

  get events(): any[] {
    return [...this.text.matchAll(/event: progress\ndata: (.*)\n\n/g)].map(([, data = '']) =>
      JSON.parse(data),
    );
  }

  async until(holds: (watcher: Watcher) => boolean): Promise<void> {
    while (!holds(this)) {
      if (this.isOver) throw new Error(`the stream ended with ${this.text}`);
      await new Promise<void>((resolve) => this.looking.add(resolve));
    }
  }

  async end(): Promise<void> {
    while (!this.isOver) await new Promise<void>((resolve) => this.looking.add(resolve));
  }

  close(): Promise<void> {
    this.stopping.abort();
    return this.response?.status === 200 ? this.end() : Promise.resolve();
  }

  private async read(response: Response): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) {
        this.text += decoder.decode(chunk as Uint8Array, { stream: true });
        this.look();
      }
    } catch {
      // The test has closed the stream.
    }
    this.isOver = true;
    this.look();
  }

  private look(): void {
    const looking = [...this.looking];
    this.looking.clear();
    for (const each of looking) each();
  }
}

const watch = (path: string, { key }: TestOrganization = api.organization) =>
  Watcher.of(path, { 'X-API-Key': key });
const ofCampaign = (id: string) => `/api/campaigns/${id}/live`;
const statements = async (during: (soFar: readonly string[]) => Promise<void>): Promise<string[]> => {
  const seen: string[] = [];
  const note = ({ sql }: { sql: string }): void => void seen.push(sql);
  api.db.on('query', note);
  await during(seen);
  api.db.off('query', note);
  return seen;
};

test('sends the current state immediately, in the documented form', async () => {
  const watcher = await watch(ofCampaign(estate.campaigns.active));
  await watcher.until(({ events }) => events.length > 0);
  expect(watcher.response?.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(watcher.response?.headers.get('cache-control')).toBe('no-store');
  expect(watcher.text).toMatch(/^retry: 3000\n\n/);
  expect(faultsOf(watcher.events[0])).toEqual([]);
  expect(watcher.events[0]).toMatchObject({
    campaign_id: estate.campaigns.active,
    campaign_status: 'active',
    ended_at: null,
    stats: { total_calls: expect.any(Number) },
  });
});

test('sends each change once, with lines, pace and outcomes, and nothing in between', async () => {
  const id = estate.campaigns.paused;
  const watcher = await watch(ofCampaign(id));
  await watcher.until(({ events }) => events.length > 0);
  const before = watcher.events[0];
  const call = await newCall(api, {
    agent_id: estate.agents.running,
    campaign_id: id,
    stage: 'placed',
    call_status: 'in progress',
    requested_at: new Date(api.clock.time - 1_000),
  });
  await watcher.until(({ events }) => events.at(-1).lines_in_use === before.lines_in_use + 1);
  expect(watcher.events.at(-1).calls_per_minute).toBe(before.calls_per_minute + 1);
  await api.db('calls').where({ call_id: call }).update({ stage: 'over', call_status: 'completed' });
  await watcher.until(({ events }) =>
    events.at(-1).outcomes.some(({ call_status: status }: any) => status === 'completed'),
  );
  expect(watcher.events.at(-1).lines_in_use).toBe(before.lines_in_use);
  const texts = watcher.events.map((event) => JSON.stringify(event));
  expect(texts.filter((text, at) => text === texts[at - 1])).toEqual([]);
  for (const event of watcher.events) expect(faultsOf(event)).toEqual([]);
});

test('sends all open campaigns to a watcher of the list, and then the end of one of them', async () => {
  const watcher = await watch('/api/live');
  const { active, paused, completed } = estate.campaigns;
  const idsIn = (events: any[]) => new Set(events.map(({ campaign_id: id }) => id));
  await watcher.until(({ events }) => [active, paused].every((id) => idsIn(events).has(id)));
  expect(idsIn(watcher.events).has(completed)).toBe(false);
  const cancelled = { status: 'cancelled', ended_at: new Date(api.clock.time) };
  await api.db('campaigns').where({ id: active }).update(cancelled);
  await watcher.until(({ events }) =>
    events.some(({ campaign_id: id, ended_at: endedAt }: any) => id === active && endedAt !== null),
  );
  await api.db('campaigns').where({ id: active }).update({ status: 'active', ended_at: null });
});

test("returns 404 for another organization's campaign, and doesn't include it in the list", async () => {
  const unknown = await watch(ofCampaign(estate.campaigns.active), api.stranger);
  expect(unknown.response?.status).toBe(404);
  const [theirs, ours] = [await watch('/api/live', api.stranger), await watch('/api/live')];
  await ours.until(({ events }) => events.length > 1);
  await theirs.until(({ text }) => text.includes(': heartbeat'));
  expect(theirs.events).toEqual([]);
});

test('reads the database no more often for many watchers than for one', async () => {
  const id = estate.campaigns.paused;
  const watchers = [await watch(ofCampaign(id)), await watch(ofCampaign(id)), await watch(ofCampaign(id))];
  for (const watcher of watchers) await watcher.until(({ events }) => events.length > 0);
  const isReading = (sql: string): boolean => sql.includes('from campaigns p');
  const [from, startedAt] = [watchers[0]!.text.length, performance.now()];
  const beats = (): number => watchers[0]!.text.slice(from).split(': heartbeat').length - 1;
  const seen = await statements(async (soFar) => {
    await watchers[0]!.until(() => beats() > 0 && soFar.some(isReading));
  });
  const readings = seen.filter(isReading).length;
  const counts = seen.filter((sql) => sql.includes('group by final_status')).length;
  // All share one timer; three timers would read three times as often.
  expect(readings).toBeLessThanOrEqual((performance.now() - startedAt) / EVERY_MS + 2);
  expect(counts).toBeLessThanOrEqual(readings);
  const others = seen.filter((sql) => !isReading(sql) && !sql.includes('final_status'));
  // Each watcher's key is checked with each heartbeat, not with each reading.
  expect(others.length).toBeLessThanOrEqual((beats() + 1) * watchers.length);
});

test('limits the watchers of an organization until one leaves, without affecting others', async () => {
  const path = ofCampaign(estate.campaigns.paused);
  const watchers = await Promise.all(Array.from({ length: MAX }, () => watch(path)));
  const refused = await watch(path);
  expect([refused.response?.status, refused.response?.headers.get('retry-after')]).toEqual([429, '5']);
  expect((await watch('/api/live', api.stranger)).response?.status).toBe(200);
  await watchers[0]?.close();
  let status: number | undefined;
  while (status !== 200) ({ status } = (await watch(path)).response ?? {});
});

test('ends the stream when the key is revoked or the session expires', async () => {
  const path = ofCampaign(estate.campaigns.paused);
  const { id, key } = await issueApiKey(api.db, api.organization.id);
  const byKey = await Watcher.of(path, { 'X-API-Key': key });
  const { token, expiresAt } = await openSession(
    api.db,
    (await issueApiKey(api.db, api.organization.id)).id,
    api.clock.time,
  );
  const bySession = await Watcher.of(path, { Cookie: `console_session=${token}` });
  await byKey.until(({ events }) => events.length > 0);
  await bySession.until(({ events }) => events.length > 0);
  await revokeApiKey(api.db, id, api.clock.time);
  await byKey.end();
  expect(bySession.isOver).toBe(false);
  api.clock.time = expiresAt.getTime();
  await bySession.end();
});

test('ends the stream when the process stops', async () => {
  let isDraining = false;
  const other = await openTestApi({ isDraining: () => isDraining, liveProgress: { everyMs: EVERY_MS } });
  try {
    const response = await fetch(`${other.url}/api/live`, {
      headers: { 'X-API-Key': other.organization.key },
    });
    isDraining = true;
    expect(await response.text()).toContain('retry:');
    const refused = await other.ask('/api/live');
    expect([refused.status, refused.body.detail.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  } finally {
    await other.close();
  }
});
