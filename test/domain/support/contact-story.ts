import { contactStory, type StoryCampaign, type StoryContact } from '../../../domain/contact-story';

/** A campaign from Monday to Wednesday. */
const CAMPAIGN: StoryCampaign = {
  status: 'active',
  statusReason: null,
  maxAttempts: 3,
  retryDelayMins: 30,
  schedule: {
    fromDate: '2026-11-02',
    toDate: '2026-11-04',
    startMinute: 4 * 60,
    endMinute: 10 * 60,
    daysOfWeek: ['monday', 'tuesday', 'wednesday'],
  },
  rules: null,
};
const CONTACT: StoryContact = {
  state: 'pending',
  reason: null,
  attempts: 0,
  nextAttemptAt: null,
  isCallback: false,
  lastEndReason: null,
  openStage: null,
  isNumberBusy: false,
  lineKeptUntil: null,
  callee: { toNumber: '+13035550100', timezone: null, consent: false, attempts: [] },
};
export const at = (text: string): number => Date.parse(`2026-11-${text}:00.000Z`);
export const IN_WINDOW = at('02T05:00');

export interface ShownStory {
  why: string | null;
  action: string;
  at: string | null;
  sentence: string;
}

export function storyOf(
  contact: Partial<StoryContact>,
  campaign: Partial<StoryCampaign> = {},
  now = IN_WINDOW,
): ShownStory {
  const { why, next } = contactStory({ ...CONTACT, ...contact }, { ...CAMPAIGN, ...campaign }, now);
  const instant = next.at === null ? null : new Date(next.at).toISOString();
  return { why, action: next.action, at: instant, sentence: next.sentence };
}

export const REDIAL = { attempts: 1, lastEndReason: 'no_answer', nextAttemptAt: at('02T05:30') } as const;
export const CALLBACK = {
  attempts: 2,
  isCallback: true,
  lastEndReason: 'callee',
  nextAttemptAt: at('03T06:15'),
} as const;
