import { Counter, Gauge, type Registry } from 'prom-client';

/** Why we let a listener go. */
export type Drop = 'silent' | 'slow' | 'noisy';

export interface CaptionMetrics {
  captionListenerCame(): void;
  /** Null where we did not let it go. */
  captionListenerLeft(drop: Drop | null): void;
}

export function captionMetrics(registry: Registry): CaptionMetrics {
  const registers = [registry];
  const listeners = new Gauge({
    name: 'voice_agent_caption_listeners',
    help: 'Sockets that listen to live captions in this process.',
    registers,
  });
  const dropped = new Counter({
    name: 'voice_agent_caption_listeners_dropped_total',
    help: 'Listeners that were cut: silent ones, those too slow for what was said, and those that sent too much.',
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
