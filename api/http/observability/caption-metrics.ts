import { Counter, Gauge, type Registry } from 'prom-client';

/** Why the API disconnected a listener. */
export type Drop = 'silent' | 'slow' | 'noisy';

export interface CaptionMetrics {
  captionListenerCame(): void;
  /** Null if the listener left by itself. */
  captionListenerLeft(drop: Drop | null): void;
}

export function captionMetrics(registry: Registry): CaptionMetrics {
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
