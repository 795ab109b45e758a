/** Tests the agent's Prometheus metrics and the process messages from which they are counted. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { agentMetrics, type WorkerState, collectJobMetrics } from '../../../agent/metrics/agent-metrics';
import { endLabelOf, type ConversationEnd } from '../../../agent/session/state/conversation-end';
import {
  ConversationMetrics,
  toProcessMessage,
  readMetricsMessage,
  type MetricsMessage,
} from '../../../agent/metrics/conversation-metrics';
import { countProviderFailures, providerOf } from '../../../agent/metrics/provider-metrics';
import { serveMetrics } from '../../../agent/worker/http-servers';
import { namesIn, valueOf } from '../../servers/scrape';
import { ask, CustomLlmRig, piecesOf } from '../support/custom-llm-rig';

const STATE: WorkerState = { conversations: 2, isRegistered: true, load: 0.25, isFull: false };

test('counts every kind of message with its labels', async () => {
  let state = STATE;
  const { record, registry } = agentMetrics(() => state);
  const messages: MetricsMessage[] = [
    { kind: 'begun' },
    { kind: 'answered', responseMs: 700 },
    { kind: 'answered', responseMs: 1_300 },
    { kind: 'failed', part: 'llm', provider: 'openai' },
    { kind: 'fell back', part: 'llm' },
    { kind: 'ended', end: 'user' },
    { kind: 'ended', end: 'vanished' },
  ];
  for (const one of messages) record(one);
  const text = await registry.metrics();
  expect(valueOf(text, 'voice_agent_conversations')).toBe(2);
  expect(valueOf(text, 'voice_agent_agent_registered')).toBe(1);
  expect(valueOf(text, 'voice_agent_agent_load')).toBe(0.25);
  expect(valueOf(text, 'voice_agent_response_seconds_count')).toBe(2);
  expect(valueOf(text, 'voice_agent_response_seconds_sum')).toBe(2);
  expect(valueOf(text, 'voice_agent_provider_errors_total', { part: 'llm', provider: 'openai' })).toBe(1);
  expect(valueOf(text, 'voice_agent_fallback_requests_total', { part: 'llm' })).toBe(1);
  expect(valueOf(text, 'voice_agent_conversations_ended_total', { end: 'user' })).toBe(1);
  expect(valueOf(text, 'voice_agent_conversations_ended_total', { end: 'vanished' })).toBe(1);
  expect(namesIn(text)).toContain('voice_agent_nodejs_eventloop_lag_p99_seconds');
  state = { conversations: 0, isRegistered: false, load: 0.9, isFull: true };
  const later = await registry.metrics();
  expect(
    ['conversations', 'agent_registered', 'agent_full'].map((name) => valueOf(later, `voice_agent_${name}`)),
  ).toEqual([0, 0, 1]);
});

test('ignores messages that are not metrics', () => {
  const known: MetricsMessage = { kind: 'failed', part: 'stt', provider: 'deepgram' };
  expect(readMetricsMessage(toProcessMessage(known))).toEqual(known);
  const others: unknown[] = [
    null,
    'text',
    { case: 'pongResponse', value: {} },
    { case: 'platformMetrics' },
    { case: 'platformMetrics', value: { kind: 'ended', end: 'otherwise' } },
    { case: 'platformMetrics', value: { kind: 'failed', part: 'vad', provider: 'x' } },
    { case: 'platformMetrics', value: { kind: 'answered', responseMs: '7' } },
    { case: 'platformMetrics', value: { kind: 'constructor' } },
  ];
  expect(others.map(readMetricsMessage)).toEqual(others.map(() => null));
});

test('counts one end per conversation, and not_held if the conversation never began', () => {
  const endMessages: MetricsMessage[] = [];
  const endedAs = (...ends: (ConversationEnd | null)[]): MetricsMessage[] => {
    endMessages.length = 0;
    const metrics = new ConversationMetrics((message) => void endMessages.push(message));
    for (const end of ends) metrics.ended(endLabelOf(end));
    metrics.over();
    return [...endMessages];
  };
  expect(endedAs()).toEqual([{ kind: 'ended', end: 'not_held' }]);
  expect(endedAs(null)).toEqual([{ kind: 'ended', end: 'failed' }]);
  expect(endedAs({ by: 'agent', reason: 'max_talk' })).toEqual([{ kind: 'ended', end: 'max_talk' }]);
  expect(endedAs({ by: 'user' }, { by: 'room' })).toEqual([{ kind: 'ended', end: 'user' }]);
  expect(endedAs({ by: 'another agent' })).toEqual([{ kind: 'ended', end: 'another_agent' }]);
});

describe('a started process', () => {
  /** Returns the messages recorded from a process that sends `messages` and then exits in the given way. */
  async function recordedFrom(messages: MetricsMessage[], end: string): Promise<MetricsMessage[]> {
    const received: MetricsMessage[] = [];
    const following = collectJobMetrics((one) => void received.push(one));
    const send = `for (const one of ${JSON.stringify(messages.map(toProcessMessage))}) process.send(one);`;
    const child = fork('-e', [`${send} process.send({}, () => { ${end} })`], {
      execArgv: [],
      stdio: 'ignore',
    });
    await once(child, 'exit');
    following.stop();
    return received;
  }
  const begun: MetricsMessage = { kind: 'begun' };
  const ended: MetricsMessage = { kind: 'ended', end: 'agent' };

  test('records the messages of a started process', async () => {
    expect(await recordedFrom([begun, { kind: 'answered', responseMs: 5 }, ended], 'process.exit()')).toEqual(
      [begun, { kind: 'answered', responseMs: 5 }, ended],
    );
  });

  test('counts a process as vanished when it dies during a conversation', async () => {
    expect(await recordedFrom([begun], "process.kill(process.pid, 'SIGKILL')")).toEqual([
      begun,
      { kind: 'ended', end: 'vanished' },
    ]);
  });

  test('counts nothing when a process exits without a conversation', async () => {
    expect(await recordedFrom([], 'process.exit(1)')).toEqual([]);
  });
});

test('serves GET /metrics, and responds with 404 to every other request', async () => {
  const { server, port } = await serveMetrics(
    { host: '127.0.0.1', port: 0 },
    agentMetrics(() => STATE).registry,
  );
  const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method });
  const scraped = await ask('/metrics');
  expect([scraped.status, scraped.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('text/plain'),
  ]);
  expect(valueOf(await scraped.text(), 'voice_agent_conversations')).toBe(2);
  expect([(await ask('/')).status, (await ask('/metrics', 'POST')).status]).toEqual([404, 404]);
  server.closeAllConnections();
  server.close();
});

describe('provider failures', () => {
  test.each([
    ['openai.LLM', 'openai'],
    ['stt.StreamAdapter<openai.STT>', 'openai'],
    ['tts.StreamAdapter<sarvam.TTS>', 'sarvam'],
    ['custom-llm', 'custom'],
    ['', 'unknown'],
  ])('assigns the SDK label %s to the provider %s', (label, provider) =>
    expect(providerOf(label)).toBe(provider),
  );

  test("counts a provider's failures and the fallback's answer", async () => {
    const rig = await CustomLlmRig.open();
    try {
      await rig.server.behave({ kind: 'answer', status: 503 });
      const counted: MetricsMessage[] = [];
      const model = rig.withFallback();
      const metrics = new ConversationMetrics((message) => void counted.push(message));
      countProviderFailures({ stt: null, llm: model, tts: null }, metrics);
      expect(await piecesOf(ask(model))).toEqual(['other 1']);
      expect(counted).toEqual([
        { kind: 'failed', part: 'llm', provider: 'custom' },
        { kind: 'fell back', part: 'llm' },
      ]);
    } finally {
      await rig.close();
    }
  });
});
