/** Tests a running platform's metrics, traces and logs. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { agentMetrics } from '../../agent/metrics/agent-metrics';
import { freePort, releasePort } from '../../dev/stack/ports';
import { repositoryRoot } from '../../dev/stack/repository';
import { describeWith } from '../servers/availability';
import { OtlpReceiver } from '../servers/otlp-receiver';
import { namesIn, valueOf } from '../servers/scrape';
import { eventually } from './support/eventually';
import { freshNumbers, talkers } from './support/numbers';
import { Platform, START_WITHIN_MS } from './support/platform';
import type { Organization } from './support/organization';

const execute = promisify(execFile);

const IDLE = { conversations: 0, isRegistered: true, load: 0, isFull: false };

describeWith('temporal', 'an observed platform', () => {
  let platform: Platform;
  let collector: OtlpReceiver;
  let ports: { api: number; worker: number };
  /** The numbers and names of these contacts must not appear in any output. */
  const numbers = talkers(3);
  const [dispatched = ''] = freshNumbers([0]);
  let organization: Organization;
  let callId: string;

  beforeAll(async () => {
    ports = { api: await freePort(0), worker: await freePort(0) };
    collector = await OtlpReceiver.open();
    platform = await Platform.open({
      environment: {
        METRICS_PORT: String(ports.api),
        WORKER_METRICS_PORT: String(ports.worker),
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
        // Exports spans almost immediately.
        OTEL_BSP_SCHEDULE_DELAY: '100',
      },
    });
    organization = await platform.newOrganization(2);
    const campaign = await platform.campaign({ numbers, concurrency: 2 }, organization);
    const { body } = await organization.dispatch(dispatched);
    callId = body.output.call_id;
    await campaign.untilOver('completed', 30_000);
    await eventually(20_000, async () => {
      const { body: history } = await organization.get('/api/call-history');
      const call = history.data.find(({ call_id }: { call_id: string }) => call_id === callId);
      expect(call.call_status).toBe('completed');
    });
  }, START_WITHIN_MS + 60_000);
  afterAll(async () => {
    await platform.close();
    await collector.close();
    releasePort(ports.api);
    releasePort(ports.worker);
  });

  const logOf = (name: 'api' | 'worker'): string => readFileSync(platform.stack[name].logFile, 'utf8');

  const scrape = async (process: 'api' | 'worker'): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${ports[process]}/metrics`);
    expect(response.status).toBe(200);
    return response.text();
  };

  test('exposes each ended call to Prometheus from one process, and the delay of each dial', async () => {
    const [api, worker] = [await scrape('api'), await scrape('worker')];
    const ended = (text: string) => valueOf(text, 'voice_agent_calls_ended_total') ?? 0;
    expect(ended(api) + ended(worker)).toBe(4);
    expect(valueOf(worker, 'voice_agent_line_to_dial_seconds_count')).toBe(4);
    expect(valueOf(worker, 'voice_agent_due_to_dial_seconds_count', { kind: 'dispatch' })).toBe(1);
    const placed = { operation: 'dial', outcome: 'placed' };
    expect(valueOf(worker, 'voice_agent_carrier_requests_total', placed)).toBe(4);
    await eventually(10_000, async () =>
      expect(valueOf(await scrape('worker'), 'voice_agent_post_processing_seconds_count')).toBe(4),
    );
  });

  test("includes the SDK's metrics in the worker's scrape", async () => {
    const worker = await scrape('worker');
    expect(valueOf(worker, 'voice_agent_worker_polling', { kind: 'workflow' })).toBe(1);
    expect(valueOf(worker, 'temporal_num_pollers')).toBeGreaterThan(0);
    expect(namesIn(worker)).toContain('temporal_workflow_task_schedule_to_start_latency_seconds');
  });

  test('reports a polling worker and a carrier that accepts calls as healthy', async () => {
    const isUp = (part: string) => ({ part, status: 'up', reason: null, since: null });
    // A check can time out while the machine stalls. The API repeats it 5 s later.
    await eventually(20_000, async () => {
      const { body } = await organization.get('/api/health');
      expect(body.parts).toEqual(['database', 'temporal', 'workers', 'storage', 'carrier'].map(isUp));
    });
  });

  test('reports the same platform state from both processes', async () => {
    await eventually(10_000, async () => {
      for (const text of [await scrape('api'), await scrape('worker')]) {
        expect(valueOf(text, 'voice_agent_platform_state_up')).toBe(1);
        expect(valueOf(text, 'voice_agent_lines_in_use')).toBe(0);
        expect(valueOf(text, 'voice_agent_lines_leaked')).toBe(0);
        expect(valueOf(text, 'voice_agent_starved_campaigns')).toBe(0);
      }
    });
  });

  test('exposes every metric that the dashboard and the alert rules use', async () => {
    // No agent runs here. livekit-engine.long.test.ts shows that a running one exposes these metrics.
    const ofAgent = namesIn(await agentMetrics(() => IDLE).registry.metrics());
    const declared = new Set([
      ...namesIn(await scrape('api')),
      ...namesIn(await scrape('worker')),
      ...ofAgent,
    ]);
    const known = (name: string) =>
      declared.has(name) || declared.has(name.replace(/_(bucket|sum|count)$/, ''));
    const asked = expressions().flatMap((expr) => expr.match(/\b(voice_agent|temporal)_[a-z0-9_]+/g) ?? []);
    expect(asked.length).toBeGreaterThan(50);
    expect([...new Set(asked)].filter((name) => !known(name))).toEqual([]);
  });

  test('does not expose metrics to API clients', async () => {
    expect((await fetch(`${platform.stack.apiUrl}/metrics`)).status).toBe(404);
  });

  test('exports a dispatch to a collector as one trace, from the request to the end of the call', async () => {
    // Each process exports its spans independently.
    const dial = await eventually(20_000, () => {
      const [found] = collector.named('RunActivity:dial').filter(isDispatched);
      if (found === undefined) throw new Error('no dial of the dispatch was traced');
      expect(collector.pathOf(found)).toEqual([
        'RunActivity:dial',
        'StartActivity:dial',
        'RunWorkflow:callWorkflow',
        'StartWorkflow:callWorkflow',
        'POST /api/trigger-call',
      ]);
      return found;
    });
    const [request] = collector.named('POST /api/trigger-call');
    expect([request?.service, request?.parentId]).toEqual(['voice-agent-api', '']);
    expect(request?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/trigger-call',
      'http.response.status_code': 200,
      request_id: expect.any(String),
      organization_id: expect.any(String),
    });
    expect(dial.service).toBe('voice-agent-worker');
  });

  test('includes the calls of a campaign in the trace of the request that created it', () => {
    const [created] = collector.named('POST /api/campaigns/create');
    const calls = collector.named('RunWorkflow:callWorkflow').filter((span) => !isDispatched(span));
    expect(calls.length).toBeGreaterThan(0);
    expect(new Set(calls.map(({ traceId }) => traceId))).toEqual(new Set([created?.traceId]));
  });

  test('exposes no number or name to Prometheus, the collector or the logs', async () => {
    const spans = collector.spans.map(({ raw }) => raw);
    const metrics = [await scrape('api'), await scrape('worker')];
    const exposed = [...metrics, ...spans, logOf('api'), logOf('worker')].join('\n');
    for (const number of [...numbers, dispatched]) {
      // Excludes digits of a fraction: a sum of seconds such as 0.07611736100000001 is not a phone number.
      expect(exposed).not.toMatch(new RegExp(String.raw`(?<!\.\d*)${number.replace('+91', '')}`));
    }
    expect(exposed).not.toContain(platform.receiver.host);
  });

  test('logs the ids of the request, the organization and the trace', () => {
    const lines = logOf('api')
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    const [request] = collector.named('POST /api/trigger-call');
    const line = lines.find(({ request_id }) => request_id === request?.attributes.request_id);
    expect(line).toMatchObject({
      process: 'api',
      route: '/api/trigger-call',
      organization_id: request?.attributes.organization_id,
      trace_id: request?.traceId,
    });
  });

  const isDispatched = ({ attributes }: { attributes: Record<string, unknown> }) =>
    attributes.temporalWorkflowId === callId;

  test('shuts down in time even if the collector is unreachable', async () => {
    await collector.close();
    const { worker, api } = platform.stack;
    for (const process of [worker, api]) await process.stop();
  }, 90_000);
});

test("loads only OpenTelemetry's API package, which prom-client uses, if there is no collector", async () => {
  const load = `
    for (const file of ['api/app', 'api/http/observability', 'worker/observability/watch', 'worker/bundle', 'activities/index'])
      require('./dist/' + file + '.js');
    const loaded = Object.keys(require.cache).filter((file) => /opentelemetry/.test(file));
    process.stdout.write(JSON.stringify(loaded.filter((file) => !/@opentelemetry.api/.test(file))));`;
  const { stdout } = await execute(process.execPath, ['-e', load], { cwd: repositoryRoot() });
  expect(JSON.parse(stdout)).toEqual([]);
});

/** Returns the expressions of the dashboard and the alert rules. */
function expressions(): string[] {
  const folder = join(repositoryRoot(), 'deploy', 'monitoring');
  const { panels } = JSON.parse(readFileSync(join(folder, 'grafana-dashboard.json'), 'utf8'));
  const { groups } = parse(readFileSync(join(folder, 'alerts.yml'), 'utf8'));
  return [
    ...panels.flatMap(({ targets = [] }: any) => targets.map(({ expr }: any) => expr)),
    ...groups.flatMap(({ rules }: any) => rules.map(({ expr }: any) => expr)),
  ];
}
