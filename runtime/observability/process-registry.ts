import { collectDefaultMetrics, Registry } from 'prom-client';

/** All names begin with it. */
export const PREFIX = 'voice_agent_';

/** The instruments of one process, with those of Node itself: CPU, memory, event loop lag, garbage collection. */
export function processRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: PREFIX });
  return registry;
}
