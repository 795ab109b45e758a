import { timeOfDay, type DailyWindow } from '../../domain/calling-window';
import { ApiError } from '../http/errors/api-error';
import type { ErrorCode } from '../http/errors/codes';
import type { CampaignTerms } from './campaign-fields';

const MAX_EMAILS = 5;
const RETRIES = { least: 1, most: 10 } as const;
const RETRY_DELAY_MINS = { least: 0, most: 1440 } as const;

export interface CampaignLimits {
  legalWindow: DailyWindow;
  /** The organization's maximum. */
  maxConcurrency: number;
  now: number;
}

interface Rule {
  /** The fields that the rule checks. */
  of: readonly (keyof CampaignTerms)[];
  broken: (terms: CampaignTerms, limits: CampaignLimits) => ApiError | null;
}

const refusal = (code: ErrorCode, message: string): ApiError => new ApiError({ code, message });

const timeWindow: Rule = {
  of: ['start_time', 'end_time'],
  broken({ start_time: start, end_time: end }, { legalWindow }) {
    if (start < legalWindow.startMinute || end > legalWindow.endMinute) {
      const allowed = `${timeOfDay(legalWindow.startMinute)}-${timeOfDay(legalWindow.endMinute)}`;
      return refusal('INVALID_TIME_WINDOW', `\`start_time\` and \`end_time\` must be within ${allowed} UTC`);
    }
    return end > start ? null : refusal('INVALID_TIME_WINDOW', '`end_time` must be after `start_time`');
  },
};

const concurrency: Rule = {
  of: ['concurrency'],
  broken: (terms, { maxConcurrency }) =>
    terms.concurrency <= maxConcurrency
      ? null
      : refusal(
          'CONCURRENCY_EXCEEDED',
          `\`concurrency\` must be at most ${maxConcurrency}, the organization's maximum`,
        ),
};

const dateRange: Rule = {
  of: ['from_date', 'to_date'],
  broken({ from_date: from, to_date: to }, { now }) {
    if (from > to) return refusal('INVALID_DATE_RANGE', '`from_date` must not be after `to_date`');
    const today = new Date(now).toISOString().slice(0, 10);
    return to >= today ? null : refusal('INVALID_DATE_RANGE', '`to_date` must not be in the past');
  },
};

const days: Rule = {
  of: ['days_of_week'],
  broken: (terms) =>
    terms.days_of_week.length > 0
      ? null
      : refusal('NO_DAYS_SELECTED', '`days_of_week` must contain at least one weekday'),
};

const retries: Rule = {
  of: ['max_retries', 'retry_delay_mins'],
  broken(terms) {
    if (terms.max_retries < RETRIES.least || terms.max_retries > RETRIES.most) {
      return refusal(
        'INVALID_RETRY_CONFIG',
        `\`max_retries\` must be between ${RETRIES.least} and ${RETRIES.most}`,
      );
    }
    const { least, most } = RETRY_DELAY_MINS;
    return terms.retry_delay_mins >= least && terms.retry_delay_mins <= most
      ? null
      : refusal('INVALID_RETRY_CONFIG', `\`retry_delay_mins\` must be between ${least} and ${most}`);
  },
};

const emails: Rule = {
  of: ['notification_emails'],
  broken: (terms) =>
    terms.notification_emails.length <= MAX_EMAILS
      ? null
      : refusal('TOO_MANY_EMAILS', `\`notification_emails\` must contain at most ${MAX_EMAILS} addresses`),
};

/** In the order of the table in `interface.md`. The first broken rule decides the error. */
const RULES: readonly Rule[] = [timeWindow, concurrency, dateRange, days, retries, emails];

/**
 * An update is checked only by rules about its `changed` fields. Stored values may have become invalid, such as a last day that has passed,
 * and that must not prevent other changes.
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

/** The same errors for the OpenAPI document. */
export const CAMPAIGN_REFUSALS: ApiError[] = [
  refusal(
    'INVALID_TIME_WINDOW',
    '`start_time` and `end_time` must be within the legal window, and `end_time` after `start_time`',
  ),
  refusal('CONCURRENCY_EXCEEDED', "`concurrency` must not exceed the organization's maximum"),
  refusal(
    'INVALID_DATE_RANGE',
    '`from_date` must not be after `to_date`, and `to_date` must not be in the past',
  ),
  refusal('NO_DAYS_SELECTED', '`days_of_week` must contain at least one weekday'),
  refusal(
    'INVALID_RETRY_CONFIG',
    '`max_retries` must be between 1 and 10, and `retry_delay_mins` between 0 and 1440',
  ),
  refusal('TOO_MANY_EMAILS', `\`notification_emails\` must contain at most ${MAX_EMAILS} addresses`),
];
