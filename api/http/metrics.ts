import { Counter, Histogram, type Registry, Gauge } from 'prom-client';
import { callMetrics, type CallMetrics } from '../../runtime/observability/call-metrics';

interface AnsweredRequest {
  method: string;
  /** Pattern of the matched route, or `unknown`. Never the path, which contains ids and names. */
  route: string;
  status: number;
  seconds: number;
}

export interface ApiMetrics extends CallMetrics, CaptionMetrics {
  requestAnswered(request: AnsweredRequest): void;
}

/** Methods that may be label values, because clients can send any method. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Buckets up to the time limit for the largest upload. */
const BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function apiMetrics(registry: Registry): ApiMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: 'voice_agent_api_requests_total',
    help: 'Requests answered by the API, by the pattern of the route.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'voice_agent_api_request_duration_seconds',
    help: "Time from a request's headers to the end of its handling.",
    labelNames: ['method', 'route'],
    buckets: BUCKETS_S,
    registers,
  });
  return {
    ...callMetrics(registry),
    ...captionMetrics(registry),
    requestAnswered({ method: given, route, status, seconds }) {
      const method = METHODS.has(given) ? given : 'other';
      requests.inc({ method, route, status });
      durations.observe({ method, route }, seconds);
    },
  };
}

/** Why the API disconnected a listener. */
export type Drop = 'silent' | 'slow' | 'noisy';

export interface CaptionMetrics {
  captionListenerCame(): void;
  /** Null if the listener left by itself. */
  captionListenerLeft(drop: Drop | null): void;
}

function captionMetrics(registry: Registry): CaptionMetrics {
  const registers = [registry];
  const listeners = new Gauge({
    name: 'voice_agent_caption_listeners',
    help: 'WebSockets that receive live captions from this process.',
    registers,
  });
  const dropped = new Counter({
    name: 'voice_agent_caption_listeners_dropped_total',
    help: 'Listeners that the API disconnected because they answered no pings, read too slowly or sent too much.',
    labelNames: ['reason'],
    registers,
  });
  return {
    captionListenerCame: () => listeners.inc(),
    captionListenerLeft(drop) {
      listeners.dec();
      if (drop !== null) dropped.inc({ reason: drop });
    },
  };
}
