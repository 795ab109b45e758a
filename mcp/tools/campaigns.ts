import { z } from 'zod';
import { CAMPAIGN_STATUSES, CONTACT_STATES, type CampaignDetail, type Contact } from '../../sdk/typescript';
import { agentId, campaignId, extent, limit, page, paged, phoneNumber } from './fields';
import { fold, sameNumber, search } from './search';
import { reading, type Tool } from './tool';

/** Maximum size of a contact file, so a search always covers all contacts. */
const MAX_CONTACTS = 10_000;

const campaignSummary = {
  campaign_id: z.string(),
  name: z.string(),
  status: z.enum(CAMPAIGN_STATUSES),
  agent_id: agentId,
  contacts: z.number(),
  reached: z.number(),
  concurrency: z.number(),
  created_at: z.string(),
};

const listCampaigns = reading({
  name: 'list_campaigns',
  title: 'List campaigns',
  description: 'Lists the campaigns of the organization with their progress, newest first.',
  input: { status: z.enum(CAMPAIGN_STATUSES).optional(), page, limit },
  output: { campaigns: z.array(z.object(campaignSummary)), ...paged },
  read: async ({ status, page, limit }, client, signal) => {
    const query = { page, page_size: limit, ...(status !== undefined && { status }) };
    const answer = await client.get('/api/campaigns/', { query, signal });
    return {
      campaigns: answer.campaigns.map((one) => ({
        campaign_id: one.id,
        name: one.campaign_name,
        status: one.campaign_status,
        agent_id: one.agent_id,
        contacts: one.total_leads,
        reached: one.completed_calls,
        concurrency: one.call_concurrency,
        created_at: one.created_at,
      })),
      page,
      pages: answer.pagination.total_pages,
      total: answer.pagination.total,
    };
  },
});

export const campaignTerms = {
  campaign_id: z.string(),
  name: z.string(),
  status: z.enum(CAMPAIGN_STATUSES),
  status_reason: z.string().nullable().describe('Reason of the status'),
  agent_id: agentId,
  days_of_week: z.string(),
  from_date: z.string(),
  to_date: z.string(),
  start_time: z.string().describe('In window_timezone'),
  end_time: z.string().describe('In window_timezone'),
  window_timezone: z.string().describe('utc, contact (the own zone of each contact) or an IANA zone'),
  rule_profile: z.string().nullable(),
  concurrency: z.number(),
  max_retries: z.number().describe('Maximum dials per contact; 1 means no redial'),
  retry_delay_mins: z.number(),
  contacts: z.object({
    total: z.number(),
    reached: z.number(),
    pending: z.number(),
    in_progress: z.number(),
    not_reached: z.number().describe('failed, duplicate, dnd, invalid, cancelled and expired'),
  }),
};

export const termsOf = (one: CampaignDetail) => ({
  campaign_id: one.id,
  name: one.campaign_name,
  status: one.campaign_status,
  status_reason: one.status_reason,
  agent_id: one.agent_id,
  days_of_week: one.days_of_week,
  from_date: one.start_date,
  to_date: one.end_date,
  start_time: one.time_range_from,
  end_time: one.time_range_to,
  window_timezone: one.window_timezone,
  rule_profile: one.rule_profile,
  concurrency: one.call_concurrency,
  max_retries: one.max_retries,
  retry_delay_mins: one.retry_after_mins,
  contacts: {
    total: one.stats.total_calls,
    reached: one.stats.completed,
    pending: one.stats.pending,
    in_progress: one.stats.in_progress,
    not_reached: one.stats.failed,
  },
});

const explainCampaign = reading({
  name: 'explain_campaign',
  title: 'Explain a campaign',
  description:
    'Explains the state of a campaign: its terms, its contact counts, the reason of its status, and how many lines of the organization are in use.',
  input: { campaign_id: campaignId },
  output: {
    campaign: z.object(campaignTerms),
    lines: z.object({
      max: z.number().describe('Maximum number of calls of the organization at once'),
      in_use: z.number(),
      calls_that_wait: z.number(),
    }),
    now: z.string(),
  },
  read: async ({ campaign_id }, client, signal) => {
    const [campaign, limits] = await Promise.all([
      client.get('/api/campaigns/{campaign_id}', { path: { campaign_id }, signal }),
      client.get('/api/limits', { signal }),
    ]);
    return {
      campaign: termsOf(campaign),
      lines: {
        max: limits.max_concurrency,
        in_use: limits.live_calls,
        calls_that_wait: limits.waiting_calls,
      },
      now: new Date().toISOString(),
    };
  },
});

const contactStory = z.object({
  row: z.number().describe('Row of the file; the header is row 1'),
  name: z.string(),
  phone_number: z.string(),
  state: z.enum(CONTACT_STATES),
  reason: z.string().nullable(),
  why: z.string().nullable().describe('Why the contact was not reached, or is not called now'),
  next: z.object({ action: z.string(), at: z.string().nullable(), sentence: z.string() }),
  do_not_call: z.boolean(),
  attempts: z.array(
    z.object({
      attempt: z.number(),
      call_id: z.string(),
      call_status: z.string(),
      end_reason: z.string().nullable(),
      is_callback: z.boolean(),
      dialed_at: z.string().nullable(),
      answered_at: z.string().nullable(),
      ended_at: z.string().nullable(),
      duration_ms: z.number(),
    }),
  ),
});

const storyOf = ({ row, name, phone_number, state, reason, why, next, do_not_call, attempts }: Contact) => ({
  ...{ row, name, phone_number, state, reason, why, do_not_call },
  next: { action: next.action, at: next.at, sentence: next.sentence },
  attempts: attempts.map((one) => ({
    attempt: one.attempt,
    call_id: one.call_id,
    call_status: one.call_status,
    end_reason: one.end_reason,
    is_callback: one.is_callback,
    dialed_at: one.dialed_at,
    answered_at: one.answered_at,
    ended_at: one.ended_at,
    duration_ms: one.duration_ms,
  })),
});

const findContacts = reading({
  name: 'find_contacts',
  title: 'Find contacts of a campaign',
  description:
    'Finds contacts of one campaign by number, name or state. Each comes with every attempt, why it was not called or reached, and what happens next. Use it for "why was this person not called?".',
  input: {
    campaign_id: campaignId,
    phone_number: phoneNumber.optional(),
    name: z.string().min(1).max(200).optional().describe('Part of the name, in any case'),
    state: z.enum(CONTACT_STATES).optional(),
    limit,
  },
  output: { contacts: z.array(contactStory), ...extent },
  read: async ({ campaign_id, phone_number, name, state, limit }, client, signal) => {
    const isNumber = phone_number === undefined ? () => true : sameNumber(phone_number);
    const part = fold(name ?? '');
    const contacts = client.each('/api/campaigns/{campaign_id}/contacts', {
      path: { campaign_id },
      query: { page_size: 200, ...(state !== undefined && { state }) },
      signal,
    });
    const { found, ...rest } = await search(
      contacts,
      (one) => isNumber(one.phone_number) && fold(one.name).includes(part),
      { max: MAX_CONTACTS, limit },
    );
    return { contacts: found.map(storyOf), ...rest };
  },
});

export const campaignTools: readonly Tool[] = [listCampaigns, explainCampaign, findContacts];
