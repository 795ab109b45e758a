import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelStandIn } from '../../../dev/model-stand-in/server';

const CANCELLED_WITHIN_MS = 5_000;

/** Waits until the models of a scene, whose names end with its id, have no open request. Throws when a request outlives its conversation. */
export async function requestsOver(models: ModelStandIn, sceneId: string): Promise<void> {
  const open = (): string[] => models.openRequests().filter((model) => model.endsWith(`-${sceneId}`));
  for (const until = performance.now() + CANCELLED_WITHIN_MS; open().length > 0; await sleep(10))
    if (performance.now() > until)
      throw new Error(`requests are still open after the conversation: ${open().join(', ')}`);
}
