import type { concludingActivities } from '../ending/concluding';
import type { ActivityDependencies } from '../dependencies';
import type { settlingActivities } from '../ending/settling';
import type { PassTime } from './each-of';
import type { Lateness } from './lateness';

/** What a repair may use: the dependencies of activities, the steps that calls take too, and how late something is that was lost. */
export type Repair = ActivityDependencies &
  PassTime & { lateness: Lateness; leftOpen: LeftOpen } & ReturnType<typeof settlingActivities> &
  ReturnType<typeof concludingActivities>;

/** When this worker last asked Temporal for all that is open: a list, so not at every pass. */
interface LeftOpen {
  lookedAt: number;
}
