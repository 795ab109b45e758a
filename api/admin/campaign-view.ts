/** Formats campaigns for operators. */
import type { CampaignOverview, CampaignSummary, LiveCall } from '../../db/campaigns/overview';
import { timeOfDay } from '../../domain/calling-window';
import { statsOf } from '../../domain/campaign-status';
import { nextStepOf } from '../campaigns/live/present';
import { fieldList, table, type Cell } from './table';

export function campaignTable(campaigns: readonly CampaignSummary[], isStyled: boolean): string {
  const body = campaigns.map((campaign) => {
    const { total_calls: total, completed, pending, in_progress: live, failed } = statsOf(campaign);
    const { id, organizationName, campaignName, status, createdAt } = campaign;
    return [id, organizationName, campaignName, status, total, completed, pending, live, failed, createdAt];
  });
  const sums = ['contacts', 'completed', 'pending', 'in progress', 'failed'];
  const head = ['id', 'organization', 'name', 'status', ...sums, 'created'];
  return table(head, body, { empty: 'There are no campaigns.', isStyled });
}

export const campaignJson = (campaign: CampaignSummary): object => ({
  id: campaign.id,
  organization_id: campaign.organizationId,
  campaign_name: campaign.campaignName,
  campaign_status: campaign.status,
  stats: statsOf(campaign),
  created_at: campaign.createdAt,
});

export function campaignText(
  campaign: CampaignOverview,
  calls: readonly LiveCall[],
  { now, isStyled }: { now: number; isStyled: boolean },
): string {
  const text = fieldList(campaignFields(campaign, now));
  if (calls.length === 0) return text;
  const body = calls.map((call) => [
    call.callId,
    call.callStatus,
    call.attempt,
    call.grantedAt,
    call.answeredAt,
  ]);
  const head = ['live call', 'status', 'attempt', 'line since', 'answered'];
  const more = campaign.liveCalls - calls.length;
  const rest = more > 0 ? `\n${more} more ${more === 1 ? 'call is' : 'calls are'} live.` : '';
  return `${text}\n\n${table(head, body, { empty: '', isStyled })}${rest}`;
}

function campaignFields(campaign: CampaignOverview, now: number): [string, Cell][] {
  const stats = statsOf(campaign);
  const hours = `${timeOfDay(campaign.startMinute)}-${timeOfDay(campaign.endMinute)} UTC`;
  return [
    ['id', campaign.id],
    ['name', campaign.campaignName],
    ['organization', `${campaign.organizationName} (${campaign.organizationId})`],
    ['agent', campaign.agentName],
    ['status', campaign.status],
    ['reason', campaign.statusReason],
    ['next step', nextStepOf(campaign, now)],
    ['next redial', campaign.nextDueAt],
    ['schedule', `${campaign.fromDate} to ${campaign.toDate}, ${campaign.daysOfWeek}, ${hours}`],
    ['attempts', `at most ${campaign.maxAttempts} per contact, ${campaign.retryDelayMins} min apart`],
    ['concurrency', campaign.concurrency],
    ['contacts', stats.total_calls],
    ['completed', stats.completed],
    ['pending', stats.pending],
    ['in progress', stats.in_progress],
    ['failed', stats.failed],
    ['live calls', campaign.liveCalls],
    ['waiting calls', campaign.waitingCalls],
    ['created', campaign.createdAt],
    ['updated', campaign.updatedAt],
    ['ended', campaign.endedAt],
  ];
}

export const campaignOverviewJson = (
  campaign: CampaignOverview,
  calls: readonly LiveCall[],
  now: number,
): object => ({
  ...campaignJson(campaign),
  agent_name: campaign.agentName,
  status_reason: campaign.statusReason,
  next_step: nextStepOf(campaign, now),
  next_redial_at: campaign.nextDueAt,
  from_date: campaign.fromDate,
  to_date: campaign.toDate,
  days_of_week: campaign.daysOfWeek,
  time_range_from: timeOfDay(campaign.startMinute),
  time_range_to: timeOfDay(campaign.endMinute),
  max_retries: campaign.maxAttempts,
  retry_after_mins: campaign.retryDelayMins,
  call_concurrency: campaign.concurrency,
  live_calls: campaign.liveCalls,
  waiting_calls: campaign.waitingCalls,
  calls: calls.map((call) => ({
    call_id: call.callId,
    call_status: call.callStatus,
    attempt: call.attempt,
    line_since: call.grantedAt,
    answered_at: call.answeredAt,
  })),
  updated_at: campaign.updatedAt,
  ended_at: campaign.endedAt,
});
