import type { CampaignPlan } from './campaigns';

export interface CampaignDays {
  from_date: string;
  to_date: string;
  start_time: string;
  end_time: string;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** A campaign starts dialling this long before its last minute ends. */
const BEFORE_CLOSING_MS = 12_000;
const BEFORE_OPENING_MS = 3_000;

/**
 * Returns dates and times for a campaign that is created now. Its window opens or closes at the next full minute that is far enough ahead.
 */
export function windowFrom(window: CampaignPlan['window'], nowMs: number): CampaignDays {
  const today = dayOf(nowMs);
  const open = {
    from_date: today,
    to_date: dayOf(nowMs + 2 * DAY_MS),
    start_time: '00:00',
    end_time: '24:00',
  };
  switch (window) {
    case 'open':
      return open;
    case 'closes': {
      const edgeMs = nextMinute(nowMs + BEFORE_CLOSING_MS);
      return dayOf(edgeMs) === today ? { ...open, to_date: today, end_time: timeOf(edgeMs) } : open;
    }
    case 'opens': {
      const edgeMs = nextMinute(nowMs + BEFORE_OPENING_MS);
      return dayOf(edgeMs) === today ? { ...open, start_time: timeOf(edgeMs) } : open;
    }
  }
}

const nextMinute = (ms: number): number => Math.ceil(ms / MINUTE_MS) * MINUTE_MS;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const timeOf = (ms: number): string => new Date(ms).toISOString().slice(11, 16);
