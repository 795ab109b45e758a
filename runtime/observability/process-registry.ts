import { collectDefaultMetrics, Registry } from 'prom-client';

/** Prefix of all metric names. */
export const PREFIX = 'voice_agent_';

/** Creates the registry of a process with Node's default metrics: CPU, memory, event loop lag and garbage collection. */
export function processRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: PREFIX });
  return registry;
}
