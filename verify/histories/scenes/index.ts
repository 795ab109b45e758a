import type { Recording } from '../recording';
import type { Stage } from '../stage';
import {
  recordAnalysis,
  recordCallback,
  recordCancelledCalls,
  recordDeliveries,
  recordDispatches,
  recordEndings,
  recordInbound,
  recordReconciliation,
  recordRetention,
} from './calls';
import {
  recordCancelled,
  recordCancelledByOperator,
  recordCompleted,
  recordExpired,
  recordPaused,
  recordRedial,
  recordRests,
  recordWithMail,
} from './campaigns';

type Scene = (stage: Stage, recording: Recording) => Promise<void>;

export interface Act {
  /** True if the platform analyses finished conversations with a language model. */
  hasModel: boolean;
  /** Scenes that run concurrently, each with a separate organization. */
  scenes: readonly Scene[];
}

const WITHOUT_MODEL: readonly Scene[] = [
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
  recordWithMail,
  recordRests,
  recordReconciliation,
  recordRetention,
];

/** Each act runs on a separate platform. */
export const ACTS: readonly Act[] = [
  { hasModel: false, scenes: WITHOUT_MODEL },
  { hasModel: true, scenes: [recordAnalysis] },
];
