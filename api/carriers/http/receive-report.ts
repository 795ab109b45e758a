import { recordCallbackWish, recordUsage } from '../../../db/calls/reports';
import { knownTimes, type OnReplacedTime } from '../../../db/calls/events';
import type { Db } from '../../../db/kernel/connection';
import { timestamp } from '../../../db/kernel/query';
import { believedTime } from '../../../domain/event-time';
import { costOf, type Rates } from '../../../domain/usage-cost';
import type { CarrierEvent } from './event';

type Report = Extract<CarrierEvent, { type: 'usage' | 'callback' }>;

interface ReportDependencies {
  db: Db;
  clock: { now(): number };
  rates: Rates;
  onReplacedTime: OnReplacedTime;
}

/** Stores a report immediately, because each call sends only one of each kind. Model usage is priced at current rates. */
export function reportReceiver({ db, clock, rates, onReplacedTime }: ReportDependencies) {
  return async function receive(report: Report): Promise<void> {
    const { reference: callId, type } = report;
    const known = (await knownTimes(db, [callId])).get(callId);
    if (known === undefined) return;
    const { at, isReplaced } = believedTime(Date.parse(report.at), { ...known, now: clock.now() });
    if (isReplaced) onReplacedTime({ callId, type });
    const reportedAt = timestamp(at);
    if (report.type === 'callback') {
      const { callbackAt } = report;
      const wish = { at: callbackAt === null ? null : Date.parse(callbackAt), reportedAt };
      return recordCallbackWish(db, callId, wish);
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
