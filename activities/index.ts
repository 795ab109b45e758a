/**
 * Every side effect of the workflows. Each activity is idempotent or at most once, keyed by an id of a row; what may go wrong in
 * between is repaired by `reconciling.ts`.
 */
import { campaignRowActivities } from './campaign-rows';
import { concludingActivities } from './concluding';
import { deliveringActivities } from './delivering';
import type { ActivityDependencies } from './dependencies';
import { diallingActivities } from './dialling';
import { lineActivities } from './lines';
import { reconcilingActivities } from './reconciling';
import { settlingActivities } from './settling';

export function createActivities(deps: ActivityDependencies) {
  const settling = settlingActivities(deps);
  const concluding = concludingActivities(deps);
  return {
    ...campaignRowActivities(deps),
    ...lineActivities(deps),
    ...diallingActivities(deps),
    ...settling,
    ...concluding,
    ...deliveringActivities(deps),
    ...reconcilingActivities(deps, { ...settling, ...concluding }),
  };
}

export type Activities = ReturnType<typeof createActivities>;
