import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { serveMetrics, processRegistry } from '../../runtime/observability/metrics-server';
import type { PlatformState } from '../../domain/platform-state';
import { stateGauges } from '../../runtime/observability/state-gauges';
import { valueOf } from '../servers/scrape';

const STATE: PlatformState = {
  linesInUse: 3,
  linesLeaked: 0,
  oldestLineS: 12.5,
  oldestUnusedLineS: 0,
  callsByStage: { placed: 3, waiting: 4 },
  unprocessedCalls: 1,
  oldestUnprocessedCallS: 2,
  callsPastRetention: 0,
  stuckWorkflows: 0,
  openCampaignsByStatus: { active: 2 },
  starvedCampaigns: 0,
  pendingWebhooks: 5,
  oldestPendingWebhookS: 30,
  webhookAttemptLateS: 0,
};

describe("the platform's gauges", () => {
  let registry: Registry;
  let reads: number;
  let answer: () => Promise<PlatformState>;
  let now: number;
  beforeEach(() => {
    registry = new Registry();
    [reads, now] = [0, 0];
    answer = () => Promise.resolve(STATE);
    stateGauges(
      registry,
      () => {
        reads += 1;
        return answer();
      },
      () => now,
    );
  });

  test('reads the gauges once per scrape, and reuses them for scrapes within seconds', async () => {
    const [text] = await Promise.all([registry.metrics(), registry.metrics()]);
    now = 3_999;
    await registry.metrics();
    expect(reads).toBe(1);
    expect(valueOf(text, 'voice_agent_lines_in_use')).toBe(3);
    expect(valueOf(text, 'voice_agent_calls', { stage: 'waiting' })).toBe(4);
    now = 4_000;
    await registry.metrics();
    expect(reads).toBe(2);
  });

  test('drops the value of a stage that no longer has calls', async () => {
    await registry.metrics();
    now = 10_000;
    answer = () => Promise.resolve({ ...STATE, callsByStage: { placed: 1 } });
    const text = await registry.metrics();
    expect(valueOf(text, 'voice_agent_calls', { stage: 'placed' })).toBe(1);
    expect(valueOf(text, 'voice_agent_calls', { stage: 'waiting' })).toBeUndefined();
  });

  test('exports only platform_state_up while Postgres is unreachable', async () => {
    expect(valueOf(await registry.metrics(), 'voice_agent_platform_state_up')).toBe(1);
    now = 10_000;
    answer = () => Promise.reject(new Error('unreachable'));
    const text = await registry.metrics();
    expect(valueOf(text, 'voice_agent_platform_state_up')).toBe(0);
    expect(valueOf(text, 'voice_agent_lines_in_use')).toBeUndefined();
    expect(valueOf(text, 'voice_agent_calls')).toBeUndefined();
  });
});

describe('the port for metrics', () => {
  test('responds only to GET /metrics, and appends the metrics of another source', async () => {
    const server = await serveMetrics(
      { host: '127.0.0.1', port: 0, variable: 'METRICS_PORT' },
      processRegistry(),
      () => Promise.resolve('temporal_num_pollers 5\n'),
    );
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const answer = await fetch(`${url}/metrics`);
    const text = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('version=0.0.4'),
    ]);
    expect(valueOf(text, 'voice_agent_process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    expect(valueOf(text, 'temporal_num_pollers')).toBe(5);
    expect((await fetch(`${url}/`)).status).toBe(404);
    expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404);
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
});
