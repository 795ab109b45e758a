/** Tests the bundle with Temporal's OpenTelemetry interceptors. Running workflows must be able to switch to it and back. */
import { trace } from '@opentelemetry/api';
import { Client } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, Worker, type WorkflowBundle } from '@temporalio/worker';
import { tracingModules } from '../../worker/bundle';
import { openWorkerTracing, type WorkerTracing } from '../../worker/observability/tracing';
import { workflowId } from '../../workflows/contract';
import { describeWith } from '../servers/availability';
import { workflowBundle } from '../servers/bundle';
import { keeping, SpanTree } from '../servers/span-tree';
import { replay } from './support/replay';
import { HISTORY_FILES, storedHistory } from './support/stored-histories';
import { TimeSkippingEngine } from './support/time-skipping-engine';

const BUNDLED_WITHIN_MS = 180_000;

let traced: WorkflowBundle;
beforeAll(async () => {
  traced = await bundleWorkflowCode({
    workflowsPath: require.resolve('./support/workflows'),
    workflowInterceptorModules: tracingModules({ traced: true }),
    logger: new DefaultLogger('WARN'),
  });
}, BUNDLED_WITHIN_MS);

test('bundles no tracing module for a worker without tracing', () => {
  expect(tracingModules({ traced: false })).toEqual([]);
});

test(
  'replays histories of workers without tracing',
  async () => {
    const faults = await replay(traced, HISTORY_FILES.map(storedHistory));
    expect(Object.keys(faults).filter((name) => faults[name] !== null)).toEqual([]);
    expect(Object.keys(faults)).toEqual(HISTORY_FILES);
  },
  BUNDLED_WITHIN_MS,
);

describeWith('time-skipping', 'a traced call', () => {
  let engine: TimeSkippingEngine;
  const tree = new SpanTree();
  let tracing: WorkerTracing;
  let callId: string;
  beforeAll(async () => {
    engine = await TimeSkippingEngine.start();
    tracing = openWorkerTracing({ exporter: keeping(tree), log: { warn: () => undefined } });
    callId = await tracedCall();
    await tracing.close();
  }, BUNDLED_WITHIN_MS);
  afterAll(() => engine.stop());

  /** Starts a call within a span, as the API does, and returns its id. */
  async function tracedCall(): Promise<string> {
    const worker = await Worker.create({
      connection: engine.env.nativeConnection,
      namespace: engine.env.namespace ?? 'default',
      taskQueue: 'voice-agent-platform',
      workflowBundle: traced,
      activities: { ...engine.activities(), ...(engine as any).phoneActivities() },
      interceptors: { activity: tracing.activityInterceptors },
      sinks: tracing.sinks,
    });
    const client = new Client({
      connection: engine.env.connection,
      namespace: engine.env.namespace ?? 'default',
      interceptors: { workflow: tracing.clientInterceptors },
    });
    const owner = await engine.createClient();
    const call = await engine.dispatch('+919876543210', { owner, start: false });
    await worker.runUntil(async () => {
      await trace.getTracer('test').startActiveSpan('the request', async (span) => {
        await client.workflow.start('callWorkflow', {
          workflowId: workflowId.call(call.callId),
          taskQueue: 'voice-agent-platform',
          args: [{ callId: call.callId, ...owner, waitLimitMs: 900_000 }],
        });
        span.end();
      });
      await call.result();
    });
    return call.callId;
  }

  test('connects everything from the request to each activity in one trace', () => {
    const [dial] = tree.named('RunActivity:dial');
    if (dial === undefined) throw new Error(`no dial among ${tree.spans.map(({ name }) => name).join()}`);
    expect(tree.pathOf(dial)).toEqual([
      'RunActivity:dial',
      'StartActivity:dial',
      'RunWorkflow:callWorkflow',
      'StartWorkflow:callWorkflow',
      'the request',
    ]);
    expect(tree.named('RunActivity:attendCall').map(({ traceId }) => traceId)).toEqual([dial.traceId]);
  });

  test('exports only ids of the call', () => {
    const [run] = tree.named('RunWorkflow:callWorkflow');
    expect(run?.attributes).toEqual({ temporalWorkflowId: callId, run_id: expect.any(String) });
    const all = tree.spans.map(({ raw }) => raw).join();
    for (const word of ['9876543210', 'A contact', 'An agent', 'exception']) expect(all).not.toContain(word);
  });

  test('replays the history of a traced call without tracing', async () => {
    const history = await engine.env.client.workflow.getHandle(workflowId.call(callId)).fetchHistory();
    const headers = JSON.stringify(history.events?.[0]?.workflowExecutionStartedEventAttributes?.header);
    expect(headers).toContain('_tracer-data');
    const faults = await replay(workflowBundle(), [{ name: callId, history: history as any }]);
    expect(faults).toEqual({ [callId]: null });
  });
});
