import type { ModelStandIn } from '../../../dev/model-stand-in/server';
import { eventually } from '../../stack/support/eventually';

const CANCELLED_WITHIN_MS = 5_000;

/** Waits until the models of a scene, whose names end with its id, have no open request. Throws when a request outlives its conversation. */
export const requestsOver = (models: ModelStandIn, sceneId: string): Promise<void> =>
  eventually(CANCELLED_WITHIN_MS, () =>
    expect(models.openRequests().filter((model) => model.endsWith(`-${sceneId}`))).toEqual([]),
  );
