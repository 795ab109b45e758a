import { timeOfDay } from '../../workflows/domain/calling-window';
import { ApiError } from '../errors/api-error';
import type { LegalWindow } from '../settings';
import type { CampaignForm } from './campaign-form';

const MAX_EMAILS = 5;
const RETRIES = { least: 1, most: 10 } as const;
const RETRY_DELAY_MINS = { least: 0, most: 1440 } as const;

export interface CampaignLimits {
  legalWindow: LegalWindow;
  /** The organisation's. */
  maxConcurrency: number;
  now: number;
}

type Rule = (form: CampaignForm, limits: CampaignLimits) => ApiError | null;

const refusal = (code: string, message: string): ApiError => new ApiError({ status: 400, code, message });

const timeWindow: Rule = ({ startMinute, endMinute }, { legalWindow }) => {
  if (startMinute < legalWindow.startMinute || endMinute > legalWindow.endMinute) {
    const allowed = `${timeOfDay(legalWindow.startMinute)}-${timeOfDay(legalWindow.endMinute)}`;
    return refusal('INVALID_TIME_WINDOW', `start_time and end_time must lie within ${allowed} UTC`);
  }
  return endMinute > startMinute ? null : refusal('INVALID_TIME_WINDOW', 'end_time must be after start_time');
};

const concurrency: Rule = (form, { maxConcurrency }) =>
  form.concurrency <= maxConcurrency
    ? null
    : refusal(
        'CONCURRENCY_EXCEEDED',
        `concurrency must be at most ${maxConcurrency}, the organization's maximum`,
      );

const dateRange: Rule = ({ fromDate, toDate }, { now }) => {
  if (fromDate > toDate) return refusal('INVALID_DATE_RANGE', 'from_date must not be later than to_date');
  const today = new Date(now).toISOString().slice(0, 10);
  return toDate >= today ? null : refusal('INVALID_DATE_RANGE', 'to_date must not lie in the past');
};

const days: Rule = ({ daysOfWeek }) =>
  daysOfWeek.length > 0 ? null : refusal('NO_DAYS_SELECTED', 'days_of_week must name at least one weekday');

const retries: Rule = ({ maxRetries, retryDelayMins }) => {
  if (maxRetries < RETRIES.least || maxRetries > RETRIES.most) {
    return refusal('INVALID_RETRY_CONFIG', `max_retries must be from ${RETRIES.least} to ${RETRIES.most}`);
  }
  if (retryDelayMins < RETRY_DELAY_MINS.least || retryDelayMins > RETRY_DELAY_MINS.most) {
    const range = `from ${RETRY_DELAY_MINS.least} to ${RETRY_DELAY_MINS.most}`;
    return refusal('INVALID_RETRY_CONFIG', `retry_delay_mins must be ${range}`);
  }
  return null;
};

const emails: Rule = ({ notificationEmails }) =>
  notificationEmails.length <= MAX_EMAILS
    ? null
    : refusal('TOO_MANY_EMAILS', `notification_emails must be at most ${MAX_EMAILS}`);

/** In the order of the interface's table: the first that is broken is answered. */
const RULES: readonly Rule[] = [timeWindow, concurrency, dateRange, days, retries, emails];

export function assertCampaignRules(form: CampaignForm, limits: CampaignLimits): void {
  for (const rule of RULES) {
    const broken = rule(form, limits);
    if (broken !== null) throw broken;
  }
}
