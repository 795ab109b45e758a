/** A campaign's terms over time, from its creation and its edits. */
import type { CampaignRecord } from './evidence';
import { localText } from './local-time';
import type { Asked } from './requests';

export interface Terms {
  concurrency: number;
  maxRetries: number;
  retryDelayMins: number;
  fromDate: string;
  toDate: string;
  /** `HH:MM`, in UTC or the campaign's zone; the start is inclusive, the end exclusive. */
  startTime: string;
  endTime: string;
  daysOfWeek: string;
}

export interface TermsHistory {
  /**
   * Returns terms that may have applied during part of the period. While an edit is in progress, both the old and the new terms are
   * possible. If an edit got no response, both stay possible.
   */
  possible(fromMs: number, untilMs?: number): Terms[];
}

export function termsOf(campaign: CampaignRecord): Terms {
  return {
    concurrency: campaign.concurrency,
    maxRetries: campaign.max_retries,
    retryDelayMins: campaign.retry_delay_mins,
    fromDate: campaign.from_date,
    toDate: campaign.to_date,
    startTime: campaign.start_time,
    endTime: campaign.end_time,
    daysOfWeek: campaign.days_of_week,
  };
}

export function termsHistory(campaign: CampaignRecord, asked: readonly Asked[]): TermsHistory {
  const edits = asked.filter(({ kind, campaignId }) => kind === 'edit' && campaignId === campaign.id);
  return {
    possible(fromMs, untilMs = fromMs) {
      let possible = [termsOf(campaign)];
      for (const edit of edits) {
        if (edit.sentMs > untilMs) continue;
        const edited = possible.map((terms) => withFields(terms, edit.fields));
        const surely = edit.acknowledged && edit.effectByMs <= fromMs;
        possible = surely ? edited : distinct([...possible, ...edited]);
      }
      return possible;
    },
  };
}

function withFields(terms: Terms, fields: Record<string, unknown>): Terms {
  const number = (name: string, before: number): number => {
    const value = Number(fields[name] ?? NaN);
    return Number.isInteger(value) ? value : before;
  };
  const text = (name: string, before: string): string => {
    const value = fields[name];
    return typeof value === 'string' ? value : before;
  };
  return {
    concurrency: number('concurrency', terms.concurrency),
    maxRetries: number('max_retries', terms.maxRetries),
    retryDelayMins: number('retry_delay_mins', terms.retryDelayMins),
    fromDate: text('from_date', terms.fromDate),
    toDate: text('to_date', terms.toDate),
    startTime: text('start_time', terms.startTime),
    endTime: text('end_time', terms.endTime),
    daysOfWeek: text('days_of_week', terms.daysOfWeek),
  };
}

function distinct(terms: Terms[]): Terms[] {
  const seen = new Map(terms.map((each) => [JSON.stringify(each), each]));
  return [...seen.values()];
}

export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** Returns why the terms forbid a dial at this time, or null if they allow it. The times of the terms are in the zone. */
export function forbiddenBy(terms: Terms, atMs: number, zone = 'UTC'): string | null {
  const iso = localText(zone, atMs);
  const day = iso.slice(0, 10);
  const time = iso.slice(11);
  if (day < terms.fromDate) return `the first day is ${terms.fromDate}`;
  if (day > terms.toDate) return `the last day is ${terms.toDate}`;
  const weekday = WEEKDAYS[new Date(iso).getUTCDay()] ?? '';
  const days = terms.daysOfWeek.split(',').map((each) => each.trim().toLowerCase());
  if (!days.includes(weekday)) return `${weekday} is none of ${terms.daysOfWeek}`;
  // Compared as text, `04:30` sorts before every time in that minute, and `24:00` after every time of the day.
  if (time < terms.startTime || time >= terms.endTime) {
    return `the window is ${terms.startTime} to ${terms.endTime} ${zone}`;
  }
  return null;
}

/** Returns the end of the last window. */
export function lastWindowEndsMs({ toDate, endTime }: Terms): number {
  return Date.parse(`${toDate}T00:00:00.000Z`) + minuteOf(endTime) * 60_000;
}

/** Returns the minutes after midnight for `HH:MM`. */
export function minuteOf(time: string): number {
  const [hours = NaN, minutes = NaN] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
