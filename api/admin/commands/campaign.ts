import type { Command } from 'commander';
import {
  findCampaignOverview,
  listCampaignSummaries,
  listLiveCalls,
  type CampaignOverview,
  type CampaignSummary,
  type LiveCall,
} from '../../../db/campaigns/overview';
import { CAMPAIGN_STATUSES, isFinal, type CampaignStatus, statsOf } from '../../../domain/campaign-status';
import { CANCEL, PAUSE, RESUME, switchCampaign, type CampaignSwitch } from '../../campaigns/change';
import { TemporalUnavailable } from '../../http/errors/api-error';
import type { TemporalPort } from '../../dependencies/temporal-client';
import { confirm, requireOrganization, type Session, UsageError } from '../session';
import { oneOf, wholeNumber } from '../option-values';
import { isUuid } from '../../../domain/uuid';
import { plain, fieldList, table, type Cell } from '../table';
import { noun, runs, verb, type Admin } from '../verb';
import { timeOfDay } from '../../../domain/calling-window';
import { nextStepOf } from '../../campaigns/live/live-progress';

const LIMIT = 50;
const SHOWN_CALLS = 20;
const ID_ARGUMENT = 'id from "campaign list"';
const EXAMPLE_ID = '0d1f7c1e-6a57-4c52-8f0b-3d1c7e0f9a11';

export function campaignCommands(program: Command, admin: Admin): void {
  const campaign = noun(program, 'campaign', 'campaigns of all organizations');
  list(campaign, admin);
  show(campaign, admin);
  change(campaign, admin, {
    name: 'pause',
    summary: 'stop dialling until the campaign is resumed; live calls finish',
    wanted: PAUSE,
  });
  change(campaign, admin, {
    name: 'resume',
    summary: 'continue a paused campaign',
    wanted: RESUME,
  });
  change(campaign, admin, {
    name: 'cancel',
    summary: 'end a campaign permanently; live calls finish',
    wanted: CANCEL,
    consequence: (name, left) =>
      `${left.toLocaleString('en')} contacts of "${name}" will no longer be called. A cancelled campaign cannot be resumed.`,
  });
}

function list(campaign: Command, admin: Admin): void {
  const command = verb(campaign, 'list', 'list campaigns, newest first', [
    'list',
    'list --org Acme --status paused',
  ])
    .option('--org <org>', 'id or name; default: all organizations')
    .option('--status <status>', CAMPAIGN_STATUSES.join(', '), oneOf(CAMPAIGN_STATUSES))
    .option('--limit <n>', `maximum number to show; default ${LIMIT}`, wholeNumber(1, 10_000));
  runs<{ org?: string; status?: CampaignStatus; limit?: number }>(
    command,
    admin,
    async ({ db, terminal }, options) => {
      const organization = options.org === undefined ? null : await requireOrganization(db, options.org);
      const filter = { organizationId: organization?.id ?? null, status: options.status ?? null };
      const campaigns = await listCampaignSummaries(db, filter, options.limit ?? LIMIT);
      return { text: campaignTable(campaigns, terminal.isStyled), json: campaigns.map(campaignJson) };
    },
  );
}

function show(campaign: Command, admin: Admin): void {
  const command = verb(campaign, 'show', 'show schedule, statistics, next step and live calls', [
    `show ${EXAMPLE_ID}`,
  ]).argument('<id>', ID_ARGUMENT);
  runs(command, admin, async (session, _options, id = '') => {
    const found = await campaignOf(session, id);
    const calls = await listLiveCalls(session.db, found.id, SHOWN_CALLS);
    const now = session.clock.now();
    const nextStep = await nextStepOf(session.db, found, { now, ofOperator: session.ofOperator });
    const text = campaignText(found, calls, { nextStep, isStyled: session.terminal.isStyled });
    return { text, json: campaignOverviewJson(found, calls, nextStep) };
  });
}

interface Change {
  name: string;
  summary: string;
  wanted: CampaignSwitch;
  /** If set, the operator must confirm this sentence first. It says what happens to the remaining contacts. */
  consequence?: (campaignName: string, contactsLeft: number) => string;
}

function change(campaign: Command, admin: Admin, { name, summary, wanted, consequence }: Change): void {
  const command = verb(campaign, name, summary, [`${name} ${EXAMPLE_ID}`]).argument('<id>', ID_ARGUMENT);
  runs(command, admin, async (session, _options, id = '') => {
    const found = await campaignOf(session, id);
    if (consequence !== undefined && !isOver(found.status)) {
      const left = found.total - found.completed - found.failed;
      await confirm(session.terminal, consequence(plain(found.campaignName), left), session.isConfirmed);
    }
    const watched = watching(session.temporal());
    const changed = await switchCampaign(
      { ...session, temporal: watched.temporal },
      { campaignId: found.id, organizationId: found.organizationId },
      wanted,
      session.actor,
    );
    if (watched.wasUnreachable()) {
      session.terminal.note(
        "Temporal isn't responding at TEMPORAL_ADDRESS. The change is saved and takes effect once Temporal is back",
      );
    }
    const json = { id: found.id, campaign_name: found.campaignName, campaign_status: changed.status };
    return { text: `${plain(found.campaignName)} is ${changed.status}.`, json };
  });
}

const isOver = (status: string): boolean =>
  CAMPAIGN_STATUSES.some((known) => known === status && isFinal(known));

async function campaignOf({ db, clock }: Session, id: string): Promise<CampaignOverview> {
  const found = isUuid(id) ? await findCampaignOverview(db, id, clock.now()) : undefined;
  if (found === undefined) throw new UsageError('There is no such campaign. See "campaign list"');
  return found;
}

/** Records whether Temporal was unreachable, so that the command can warn the operator. The change itself succeeds without Temporal. */
function watching(temporal: TemporalPort): { temporal: TemporalPort; wasUnreachable: () => boolean } {
  let unreachable = false;
  const noting = async <T>(request: Promise<T>): Promise<T> => {
    try {
      return await request;
    } catch (error) {
      if (error instanceof TemporalUnavailable) unreachable = true;
      throw error;
    }
  };
  return {
    temporal: {
      startCampaign: (input, about) => noting(temporal.startCampaign(input, about)),
      startCall: (input) => noting(temporal.startCall(input)),
      startDelivery: (input, owner) => noting(temporal.startDelivery(input, owner)),
      signalRoute: (change, owner) => noting(temporal.signalRoute(change, owner)),
      signalCampaign: (campaignId, signal) => noting(temporal.signalCampaign(campaignId, signal)),
      // Never throws, so there is nothing to record.
      signalWorkflows: (signals, log) => temporal.signalWorkflows(signals, log),
      check: () => noting(temporal.check()),
      workersSeenAt: () => noting(temporal.workersSeenAt()),
    },
    wasUnreachable: () => unreachable,
  };
}

/** Formats campaigns for operators. */

function campaignTable(campaigns: readonly CampaignSummary[], isStyled: boolean): string {
  const body = campaigns.map((campaign) => {
    const { total_calls: total, completed, pending, in_progress: live, failed } = statsOf(campaign);
    const { id, organizationName, campaignName, status, createdAt } = campaign;
    return [id, organizationName, campaignName, status, total, completed, pending, live, failed, createdAt];
  });
  const sums = ['contacts', 'completed', 'pending', 'in progress', 'failed'];
  const head = ['id', 'organization', 'name', 'status', ...sums, 'created'];
  return table(head, body, { empty: 'There are no campaigns.', isStyled });
}

const campaignJson = (campaign: CampaignSummary): object => ({
  id: campaign.id,
  organization_id: campaign.organizationId,
  campaign_name: campaign.campaignName,
  campaign_status: campaign.status,
  stats: statsOf(campaign),
  created_at: campaign.createdAt,
});

function campaignText(
  campaign: CampaignOverview,
  calls: readonly LiveCall[],
  { nextStep, isStyled }: { nextStep: string; isStyled: boolean },
): string {
  const text = fieldList(campaignFields(campaign, nextStep));
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

function campaignFields(campaign: CampaignOverview, nextStep: string): [string, Cell][] {
  const stats = statsOf(campaign);
  const hours = `${timeOfDay(campaign.startMinute)}-${timeOfDay(campaign.endMinute)} ${zoneText(campaign)}`;
  return [
    ['id', campaign.id],
    ['name', campaign.campaignName],
    ['organization', `${campaign.organizationName} (${campaign.organizationId})`],
    ['agent', campaign.agentName],
    ['status', campaign.status],
    ['reason', campaign.statusReason],
    ['next step', nextStep],
    ['next redial', campaign.nextDueAt],
    ['schedule', `${campaign.fromDate} to ${campaign.toDate}, ${campaign.daysOfWeek}, ${hours}`],
    ['rule profile', campaign.ruleProfile],
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

function zoneText({ windowTimezone }: CampaignOverview): string {
  if (windowTimezone === null) return 'UTC';
  return windowTimezone === 'contact' ? "in each contact's time zone" : windowTimezone;
}

const campaignOverviewJson = (
  campaign: CampaignOverview,
  calls: readonly LiveCall[],
  nextStep: string,
): object => ({
  ...campaignJson(campaign),
  agent_name: campaign.agentName,
  status_reason: campaign.statusReason,
  next_step: nextStep,
  next_redial_at: campaign.nextDueAt,
  from_date: campaign.fromDate,
  to_date: campaign.toDate,
  days_of_week: campaign.daysOfWeek,
  time_range_from: timeOfDay(campaign.startMinute),
  time_range_to: timeOfDay(campaign.endMinute),
  window_timezone: campaign.windowTimezone ?? 'utc',
  rule_profile: campaign.ruleProfile,
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
