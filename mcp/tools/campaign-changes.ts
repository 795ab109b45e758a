import { z } from 'zod';
import {
  CAMPAIGN_STATUSES,
  type CampaignDetail,
  type CreateCampaign,
  type SimulatedCampaign,
  type VoiceAgentClient,
} from '../../sdk/typescript';
import { InvalidToolCall } from '../failure-text';
import { campaignTerms, termsOf } from './campaigns';
import { agentId, campaignId } from './fields';
import { changing, type Tool } from './tool';

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date such as 2026-11-02');
const time = z.string().regex(/^\d{2}:\d{2}$/, 'must be a time such as 04:00');
const cell = z.union([z.string(), z.number()]);

const campaignInput = {
  name: z.string().min(1).max(255),
  agent_id: agentId,
  rows: z
    .array(z.looseObject({ name: z.string(), phone_number: z.string() }).catchall(cell))
    .min(1)
    .max(10_000)
    .optional()
    .describe(
      'The contacts; further columns become variables of the conversation. Give either rows or file_text',
    ),
  file_text: z
    .string()
    .min(1)
    .max(10 * 1024 * 1024)
    .optional()
    .describe('Text of a CSV file with the columns name and phone_number'),
  concurrency: z.number().int().min(1).describe('Maximum number of calls at once'),
  from_date: date.describe('First day'),
  to_date: date.describe('Last day'),
  start_time: time.describe('Inclusive'),
  end_time: time.describe('Exclusive'),
  window_timezone: z
    .string()
    .max(64)
    .optional()
    .describe(
      'Zone of dates and times: utc (default), contact (the own zone of each contact) or an IANA zone',
    ),
  rule_profile: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/)
    .optional()
    .describe('Name of a rule profile that every call must obey, such as us-tcpa'),
  days_of_week: z.array(z.enum(WEEKDAYS)).min(1),
  max_retries: z.number().int().min(1).max(10).optional().describe('Maximum dials per contact; default 3'),
  retry_delay_mins: z
    .number()
    .int()
    .min(0)
    .max(1440)
    .optional()
    .describe('Minutes between two dials of a contact; default 30'),
  notification_emails: z.array(z.email()).max(5).optional(),
  campaign_webhook_url: z.url().optional(),
  per_call_webhook_url: z.url().optional(),
  perform_dnd_check: z.boolean().optional().describe('Whether to check do-not-disturb lists; default false'),
  assumed_answer_rate: z.number().min(0).max(1).optional().describe('For the dry run; default 0.6'),
  assumed_talk_seconds: z.number().min(0).max(3600).optional().describe('For the dry run; default 60'),
};
type CampaignInput = z.output<z.ZodObject<typeof campaignInput>>;

const dryRun = {
  status: z.enum(['completed', 'paused']).describe('paused if the daily spend limit would stop it'),
  finishes_at: z.string().nullable(),
  paused_at: z.string().nullable(),
  total_calls: z.number(),
  answered_calls: z.number(),
  peak_lines: z.number(),
  cost: z.number().describe('Credits'),
  contacts: z.record(z.string(), z.number()).describe('Number of contacts by final state'),
  rows_that_do_not_fit: z.array(z.number()).describe('Rows of the file, at most the first hundred'),
  calls_per_day: z.array(z.object({ from: z.string(), calls: z.number(), answered: z.number() })),
  assumed_answer_rate: z.number(),
  assumed_talk_seconds: z.number(),
};

const MAX_DAYS = 31;

const dryRunOf = (one: SimulatedCampaign): z.output<z.ZodObject<typeof dryRun>> => ({
  status: one.status,
  finishes_at: one.finishes_at,
  paused_at: one.paused_at,
  total_calls: one.total_calls,
  answered_calls: one.answered_calls,
  peak_lines: one.peak_lines,
  cost: one.cost,
  contacts: one.contacts,
  rows_that_do_not_fit: one.expired.rows,
  calls_per_day: one.calls_per_day
    .slice(0, MAX_DAYS)
    .map(({ from, calls, answered }) => ({ from, calls, answered })),
  assumed_answer_rate: one.assumptions.assumed_answer_rate,
  assumed_talk_seconds: one.assumptions.assumed_talk_seconds,
});

function formOf({
  name,
  rows,
  file_text,
  days_of_week,
  notification_emails,
  ...others
}: CampaignInput): CreateCampaign & { csv_file: Blob } {
  if ((rows === undefined) === (file_text === undefined))
    throw new InvalidToolCall('Give the contacts either as rows or as file_text, not both.');
  const { assumed_answer_rate: _rate, assumed_talk_seconds: _talk, ...terms } = others;
  return {
    ...terms,
    campaign_name: name,
    csv_file: new File([file_text ?? contactFile(rows ?? [])], 'contacts.csv', { type: 'text/csv' }),
    days_of_week: days_of_week.join(','),
    ...(notification_emails !== undefined && { notification_emails: notification_emails.join(',') }),
  };
}

const createCampaign = changing({
  name: 'create_campaign',
  title: 'Create a campaign',
  description:
    'Creates a campaign that dials the given contacts within its daily window. The first call dials no one: it validates everything and returns a dry run (end, calls by day, cost, contacts that do not fit). Times are UTC unless window_timezone says otherwise.',
  scope: 'operate',
  annotations: { destructiveHint: true, openWorldHint: true },
  input: campaignInput,
  preview: { dry_run: z.object(dryRun) },
  result: { campaign_id: z.string(), status: z.enum(CAMPAIGN_STATUSES) },
  predict: async (args, client, signal) => {
    const { assumed_answer_rate, assumed_talk_seconds } = args;
    const body = { ...formOf(args), assumed_answer_rate, assumed_talk_seconds };
    return { dry_run: dryRunOf(await client.post('/api/campaigns/simulate', { body, signal })) };
  },
  carryOut: async (args, client, idempotencyKey) => {
    const { id, campaign_status } = await client.post('/api/campaigns/create', {
      body: formOf(args),
      idempotencyKey,
    });
    return { campaign_id: id, status: campaign_status };
  },
});

/** The API would accept a second cancel without effect, so the tool rejects it here. */
const ENDED: readonly string[] = ['completed', 'cancelled'];

interface Switch {
  action: 'pause' | 'resume' | 'cancel';
  title: string;
  description: string;
  isDestructive: boolean;
  /** Describes the effect of the action on the campaign in its current state. */
  meaning: (campaign: CampaignDetail) => string;
}

const SWITCHES: readonly Switch[] = [
  {
    action: 'pause',
    title: 'Pause a campaign',
    description: 'Stops dialling until the campaign is resumed. Live calls finish.',
    isDestructive: false,
    meaning: ({ stats }) =>
      `${stats.pending} pending contacts are not dialled until the campaign is resumed; ${stats.in_progress} live calls finish.`,
  },
  {
    action: 'resume',
    title: 'Resume a paused campaign',
    description: 'Dials again as soon as the window is open.',
    isDestructive: true,
    meaning: ({ stats, call_concurrency }) =>
      `The ${stats.pending} pending contacts are dialled, up to ${call_concurrency} at once, as soon as the window is open.`,
  },
  {
    action: 'cancel',
    title: 'Cancel a campaign permanently',
    description: 'Stops dialling permanently; a cancelled campaign cannot be resumed. Live calls finish.',
    isDestructive: true,
    meaning: ({ stats }) =>
      `${stats.pending} pending contacts are never dialled; ${stats.in_progress} live calls finish. This cannot be undone.`,
  },
];

const switching = ({ action, title, description, isDestructive, meaning }: Switch): Tool =>
  changing({
    name: `${action}_campaign`,
    title,
    description,
    scope: 'operate',
    annotations: { destructiveHint: isDestructive, idempotentHint: true, openWorldHint: action === 'resume' },
    input: { campaign_id: campaignId },
    preview: { campaign: z.object(campaignTerms), meaning: z.string() },
    result: { campaign_id: z.string(), status: z.enum(CAMPAIGN_STATUSES) },
    predict: async ({ campaign_id }, client, signal) => {
      const campaign = await client.get('/api/campaigns/{campaign_id}', { path: { campaign_id }, signal });
      if (ENDED.includes(campaign.campaign_status))
        throw new InvalidToolCall(
          `The campaign has already ended: its status is ${campaign.campaign_status}.`,
        );
      return { campaign: termsOf(campaign), meaning: meaning(campaign) };
    },
    carryOut: ({ campaign_id }, client) => switched(client, action, campaign_id),
  });

async function switched(client: VoiceAgentClient, action: Switch['action'], campaign_id: string) {
  const answer = await client.post(`/api/campaigns/{campaign_id}/${action}`, { path: { campaign_id } });
  return { campaign_id: answer.id, status: answer.campaign_status };
}

const NO_INPUT = {};
const count = z.number().int().min(0);

const pauseAll = changing({
  name: 'pause_all_campaigns',
  title: 'Pause every campaign',
  description:
    'Stops every campaign of the organization from dialling until it is resumed. Live calls finish.',
  scope: 'operate',
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: NO_INPUT,
  preview: { campaigns: count.describe('Campaigns that dial now or would dial later') },
  result: { paused: count },
  predict: async (_args, client, signal) => {
    const pages = DIALLING.map((status) =>
      client.get('/api/campaigns/', { query: { status, page_size: 1 }, signal }),
    );
    const sums = (await Promise.all(pages)).map(({ pagination }) => pagination.total);
    return { campaigns: sums.reduce((sum, each) => sum + each, 0) };
  },
  carryOut: (_args, client) => client.post('/api/campaigns/pause-all'),
});

const DIALLING = ['active', 'scheduled', 'paused_out_of_range'] as const;

const resumeAll = changing({
  name: 'resume_all_campaigns',
  title: 'Resume the campaigns paused by pause_all_campaigns',
  description:
    'Resumes the campaigns that pause_all_campaigns paused, except those that were paused, resumed or changed individually since then.',
  scope: 'operate',
  annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: NO_INPUT,
  preview: { meaning: z.string() },
  result: { resumed: count, left_paused: count },
  predict: () =>
    Promise.resolve({
      meaning: 'The campaigns dial their pending contacts again as soon as their windows are open.',
    }),
  carryOut: (_args, client) => client.post('/api/campaigns/resume-all'),
});

export const campaignChanges: readonly Tool[] = [
  createCampaign,
  ...SWITCHES.map(switching),
  pauseAll,
  resumeAll,
];

/** Returns the rows as a CSV contact file. It has every column that occurs in any row, with name and phone_number first. */
export function contactFile(rows: readonly Readonly<Record<string, string | number>>[]): string {
  const columns = [...new Set(['name', 'phone_number', ...rows.flatMap((row) => Object.keys(row))])];
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
  return lines.map((cells) => `${cells.map(quoted).join(',')}\n`).join('');
}

const quoted = (cell: string | number): string => `"${String(cell).replaceAll('"', '""')}"`;
