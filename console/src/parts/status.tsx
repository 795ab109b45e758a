import type { CampaignDetail, CampaignOutcome, Contact } from '../../../sdk/typescript/generated';

type Tone = 'good' | 'live' | 'wait' | 'bad' | '';

type Shown = readonly [tone: Tone, words: string];

/** Statuses that must have a label. Some of the others have one too. */
type Labelled = CampaignDetail['campaign_status'] | CampaignOutcome['call_status'] | Contact['state'];

/** Colours and labels of the API's statuses. The console shows an unknown status unchanged and without a colour. */
const SHOWN: Readonly<Record<Labelled, Shown> & Record<string, Shown>> = {
  scheduled: ['wait', 'Scheduled'],
  active: ['live', 'Active'],
  paused: ['wait', 'Paused'],
  paused_out_of_range: ['wait', 'Outside calling hours'],
  completed: ['good', 'Completed'],
  cancelled: ['', 'Cancelled'],
  queued: ['wait', 'Queued'],
  dialing: ['live', 'Dialling'],
  ringing: ['live', 'Ringing'],
  'in progress': ['live', 'In progress'],
  'User disconnected': ['good', 'Caller hung up'],
  voicemail: ['wait', 'Voicemail'],
  'no answer': ['wait', 'No answer'],
  busy: ['wait', 'Busy'],
  rejected: ['bad', 'Rejected'],
  failed: ['bad', 'Failed'],
  error: ['bad', 'Error'],
  DND: ['', 'Do not disturb'],
  dnd: ['', 'Do not disturb'],
  expired: ['', 'Expired'],
  pending: ['', 'Pending'],
  in_progress: ['live', 'In progress'],
  duplicate: ['', 'Duplicate'],
  invalid: ['bad', 'Invalid'],
  delivered: ['good', 'Delivered'],
  initialized: ['wait', 'Not ready'],
  running: ['good', 'Ready'],
  stopped: ['', 'Archived'],
  valid: ['good', 'Valid'],
  revoked: ['', 'Revoked'],
};

export const wordsOf = (status: string): string => SHOWN[status]?.[1] ?? status;

export function Status({ of }: { of: string }) {
  const [tone, words] = SHOWN[of] ?? ['', of];
  return <span className={`badge ${tone}`}>{words}</span>;
}
