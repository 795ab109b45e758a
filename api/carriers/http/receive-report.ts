import { recordCallbackWish, recordUsage } from '../../../db/calls/reports';
import type { Db } from '../../../db/kernel/connection';
import { costOf, type Rates } from '../../../workflows/domain/usage-cost';
import type { CarrierEvent } from './event';

type Report = Extract<CarrierEvent, { type: 'usage' | 'callback' }>;

/** Writes a report down, at once: there is one of each for a call. What a model cost is reckoned at the rates of the moment. */
export function reportReceiver(db: Db, rates: Rates) {
  return async function receive(report: Report): Promise<void> {
    const { reference: callId, at: reportedAt } = report;
    if (report.type === 'callback') {
      const { callbackAt } = report;
      const at = callbackAt === null ? null : Date.parse(callbackAt);
      return recordCallbackWish(db, callId, { at, reportedAt });
    }
    const { responseMs, interruptions } = report;
    const models = report.models.map((model) => ({
      ...model,
      purpose: 'conversation' as const,
      cost: costOf(model, rates),
    }));
    await recordUsage(db, callId, { models, responseMs, interruptions }, reportedAt);
  };
}
