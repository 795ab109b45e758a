import { timeOfDay, type DailyWindow } from '../../domain/calling-window';
import { ApiError } from '../http/errors/api-error';
import type { CampaignTerms } from './campaign-fields';

const MAX_EMAILS = 5;
const RETRIES = { least: 1, most: 10 } as const;
const RETRY_DELAY_MINS = { least: 0, most: 1440 } as const;

export interface CampaignLimits {
  legalWindow: DailyWindow;
  /** The organisation's. */
  maxConcurrency: number;
  now: number;
}

interface Rule {
  /** The fields that it is about. */
  of: readonly (keyof CampaignTerms)[];
  broken: (terms: CampaignTerms, limits: CampaignLimits) => ApiError | null;
}

const refusal = (code: string, message: string): ApiError => new ApiError({ status: 400, code, message });

const timeWindow: Rule = {
  of: ['start_time', 'end_time'],
  broken({ start_time: start, end_time: end }, { legalWindow }) {
    if (start < legalWindow.startMinute || end > legalWindow.endMinute) {
      const allowed = `${timeOfDay(legalWindow.startMinute)}-${timeOfDay(legalWindow.endMinute)}`;
      return refusal('INVALID_TIME_WINDOW', `start_time and end_time must lie within ${allowed} UTC`);
    }
    return end > start ? null : refusal('INVALID_TIME_WINDOW', 'end_time must be after start_time');
  },
};

const concurrency: Rule = {
  of: ['concurrency'],
  broken: (terms, { maxConcurrency }) =>
    terms.concurrency <= maxConcurrency
      ? null
      : refusal(
          'CONCURRENCY_EXCEEDED',
          `concurrency must be at most ${maxConcurrency}, the organization's maximum`,
        ),
};

const dateRange: Rule = {
  of: ['from_date', 'to_date'],
  broken({ from_date: from, to_date: to }, { now }) {
    if (from > to) return refusal('INVALID_DATE_RANGE', 'from_date must not be later than to_date');
    const today = new Date(now).toISOString().slice(0, 10);
    return to >= today ? null : refusal('INVALID_DATE_RANGE', 'to_date must not lie in the past');
  },
};

const days: Rule = {
  of: ['days_of_week'],
  broken: (terms) =>
    terms.days_of_week.length > 0
      ? null
      : refusal('NO_DAYS_SELECTED', 'days_of_week must name at least one weekday'),
};

const retries: Rule = {
  of: ['max_retries', 'retry_delay_mins'],
  broken(terms) {
    if (terms.max_retries < RETRIES.least || terms.max_retries > RETRIES.most) {
      return refusal('INVALID_RETRY_CONFIG', `max_retries must be from ${RETRIES.least} to ${RETRIES.most}`);
    }
    const { least, most } = RETRY_DELAY_MINS;
    return terms.retry_delay_mins >= least && terms.retry_delay_mins <= most
      ? null
      : refusal('INVALID_RETRY_CONFIG', `retry_delay_mins must be from ${least} to ${most}`);
  },
};

const emails: Rule = {
  of: ['notification_emails'],
  broken: (terms) =>
    terms.notification_emails.length <= MAX_EMAILS
      ? null
      : refusal('TOO_MANY_EMAILS', `notification_emails must be at most ${MAX_EMAILS}`),
};

/** In the order of the interface's table: the first that is broken is answered. */
const RULES: readonly Rule[] = [timeWindow, concurrency, dateRange, days, retries, emails];

/**
 * Of an update, only the rules about a field that is `changed` count, over the terms as they would be: what was right when it was set
 * may be wrong by now (a last day goes by, the organisation's maximum is lowered), and must not keep anybody from changing the name.
 */
export function assertCampaignRules(
  terms: CampaignTerms,
  limits: CampaignLimits,
  changed?: readonly string[],
): void {
  for (const { of, broken } of RULES) {
    if (changed !== undefined && !of.some((name) => changed.includes(name))) continue;
    const refused = broken(terms, limits);
    if (refused !== null) throw refused;
  }
}

/** What the document says of them. */
export const CAMPAIGN_REFUSALS: ApiError[] = [
  refusal('INVALID_TIME_WINDOW', 'start_time and end_time must lie within the legal window, in this order'),
  refusal('CONCURRENCY_EXCEEDED', "concurrency is above the organization's maximum"),
  refusal('INVALID_DATE_RANGE', 'from_date is later than to_date, or to_date lies in the past'),
  refusal('NO_DAYS_SELECTED', 'days_of_week names no weekday'),
  refusal('INVALID_RETRY_CONFIG', 'max_retries or retry_delay_mins is out of range'),
  refusal('TOO_MANY_EMAILS', `there are more than ${MAX_EMAILS} notification_emails`),
];
