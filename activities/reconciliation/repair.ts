import type { concludingActivities } from '../ending/concluding';
import type { ActivityDependencies } from '../dependencies';
import type { settlingActivities } from '../ending/resolving';
import type { PassTime } from './each-of';
import type { Lateness } from './lateness';

/** Dependencies of a repair, including the activities that calls also use. */
export type Repair = ActivityDependencies &
  PassTime & { lateness: Lateness; leftOpen: LeftOpen } & ReturnType<typeof settlingActivities> &
  ReturnType<typeof concludingActivities> & { deleteRoom: (carrierId: string) => Promise<void> };

/** When this worker last listed all open workflows. The list is too long for every pass. */
interface LeftOpen {
  lookedAt: number;
}
