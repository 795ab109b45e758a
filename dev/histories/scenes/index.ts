import type { Recording } from '../recording';
import type { Stage } from '../stage';
import {
  recordCancelled,
  recordCancelledByOperator,
  recordCompleted,
  recordExpired,
  recordPaused,
  recordRedial,
  recordRests,
} from './campaigns';
import { recordDeliveries } from './deliveries';
import { recordCallback, recordCancelledCalls, recordDispatches } from './dispatches';
import { recordEndings } from './endings';
import { recordInbound } from './inbound';
import { recordReconciliation } from './reconciliation';

/** Played at once, each by a client of its own. */
export const SCENES: readonly ((stage: Stage, recording: Recording) => Promise<void>)[] = [
  recordExpired,
  recordRedial,
  recordEndings,
  recordInbound,
  recordDeliveries,
  recordDispatches,
  recordCallback,
  recordCancelledCalls,
  recordPaused,
  recordCancelled,
  recordCancelledByOperator,
  recordCompleted,
  recordRests,
  recordReconciliation,
];
