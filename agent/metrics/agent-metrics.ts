/** The agent's Prometheus metrics. API clients can't choose the value of any label. */
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { assertNever } from '../../domain/assert-never';
import { type MetricsMessage, readMetricsMessage } from './conversation-metrics';

/** The worker's state, read at each scrape. */
export interface WorkerState {
  /** Number of conversations. A conversation counts from LiveKit's job assignment until its process exits. */
  conversations: number;
  isRegistered: boolean;
  /** Share of the machine's CPU time that is in use. */
  load: number;
  /** True when the worker is too busy for another conversation. */
  isFull: boolean;
}

interface AgentMetrics {
  registry: Registry;
  record: (message: MetricsMessage) => void;
}

const PREFIX = 'voice_agent_';
/** People notice a delay of half a second, and ask "hello?" after about three. */
const RESPONSE_BUCKETS_S = [0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 5, 10];
/** Node publishes each started process on this channel. The SDK starts the job processes but doesn't expose them. */
const STARTED = 'child_process';

export function agentMetrics(stateNow: () => WorkerState): AgentMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: PREFIX });
  stateGauges(registry, stateNow);
  const registers = [registry];
  const ended = new Counter({
    name: `${PREFIX}conversations_ended_total`,
    help: 'Conversations that the agent left, by who ended them and why.',
    labelNames: ['end'],
    registers,
  });
  const responses = new Histogram({
    name: `${PREFIX}response_seconds`,
    help: "Time from the user's last word to the agent's first sound.",
    buckets: RESPONSE_BUCKETS_S,
    registers,
  });
  const errors = new Counter({
    name: `${PREFIX}provider_errors_total`,
    help: 'Requests that a provider of speech or language did not serve, including retries of the same request.',
    labelNames: ['part', 'provider'],
    registers,
  });
  const fallbacks = new Counter({
    name: `${PREFIX}fallback_requests_total`,
    help: 'Requests that another provider served instead of the first.',
    labelNames: ['part'],
    registers,
  });
  return {
    registry,
    record: (message) => {
      switch (message.kind) {
        case 'begun':
          return;
        case 'ended':
          return ended.inc({ end: message.end });
        case 'answered':
          return responses.observe(message.responseMs / 1000);
        case 'failed':
          return errors.inc({ part: message.part, provider: message.provider });
        case 'fell back':
          return fallbacks.inc({ part: message.part });
        default:
          return assertNever(message);
      }
    },
  };
}

function stateGauges(registry: Registry, stateNow: () => WorkerState): void {
  const gauge = (name: string, help: string, valueNow: (state: WorkerState) => number): void => {
    new Gauge({
      name: `${PREFIX}${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(valueNow(stateNow()));
      },
    });
  };
  gauge('conversations', 'Conversations that this agent holds.', ({ conversations }) => conversations);
  gauge('agent_registered', '1 while LiveKit has this agent in its list.', ({ isRegistered }) =>
    Number(isRegistered),
  );
  gauge('agent_load', "The share of the machine's processors in use, 0 to 1.", ({ load }) => load);
  gauge('agent_full', '1 while the agent is too busy for another conversation.', ({ isFull }) =>
    Number(isFull),
  );
}

/**
 * Records the messages of all processes that start after this call. A process that dies during a conversation is counted as `vanished`.
 */
export function collectJobMetrics(onMessage: (message: MetricsMessage) => void): { stop(): void } {
  const started = (message: unknown): void => {
    if (isStarting(message)) collectFrom(message.process, onMessage);
  };
  subscribe(STARTED, started);
  return { stop: () => unsubscribe(STARTED, started) };
}

function collectFrom(child: ChildProcess, onMessage: (message: MetricsMessage) => void): void {
  let isActive = false;
  child.on('message', (received) => {
    const message = readMetricsMessage(received);
    if (message === null) return;
    if (message.kind === 'begun') isActive = true;
    if (message.kind === 'ended') isActive = false;
    onMessage(message);
  });
  child.once('exit', () => {
    if (isActive) onMessage({ kind: 'ended', end: 'vanished' });
  });
}

const isStarting = (message: unknown): message is { process: ChildProcess } =>
  typeof message === 'object' && message !== null && 'process' in message;
