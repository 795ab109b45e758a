/** What the e-mail about a campaign's end tells, counted from its contacts and calls. */
import type { Db } from './connection';
import { firstRow, onlyRow, rows } from './query';

export interface EndedCampaign {
  id: string;
  campaignName: string;
  clientName: string;
  agentName: string;
  status: string;
  statusReason: string | null;
  createdAt: Date;
  endedAt: Date;
  /** The file's own columns, in its order. */
  contactColumns: string[];
}

/** Contacts that came to the same end. */
export interface ContactGroup {
  state: string;
  reason: string | null;
  /** The carrier was asked for at least one call. */
  called: boolean;
  /** Of the call that says most; null where there was none. */
  callStatus: string | null;
  outcome: string | null;
  contacts: number;
}

export interface CallSums {
  placed: number;
  answered: number;
  talkMs: number;
  credits: number;
  /** The first dial; null where nothing was dialled. */
  firstAt: Date | null;
}

export interface CallbackGroup {
  /** Null where the wish is only recorded. */
  status: string | null;
  contacts: number;
}

/** A contact that a person should look at. */
export interface NoteworthyContact {
  kind: 'callback' | 'invalid';
  row: number;
  name: string;
  summary: string | null;
}

export interface CompletionFacts {
  campaign: EndedCampaign;
  groups: ContactGroup[];
  calls: CallSums;
  callbacks: CallbackGroup[];
  /** The first of each kind, in the order of the file. */
  noteworthy: NoteworthyContact[];
}

/** The call that says most of a contact: the last that was answered, else the last that the carrier was asked for. */
const TELLING_CALL = `left join lateral (
  select call_id, call_status, outcome from calls where contact_id = c.id and asked_at is not null
  order by answered_at is not null desc, asked_at desc limit 1
) k on true`;

/** Undefined for a campaign that has not ended. `noteworthy`: at most so many contacts of each kind. */
export async function completionFacts(
  db: Db,
  campaignId: string,
  { noteworthy }: { noteworthy: number },
): Promise<CompletionFacts | undefined> {
  const campaign = await endedCampaign(db, campaignId);
  if (campaign === undefined) return undefined;
  return {
    campaign,
    groups: await contactGroups(db, campaignId),
    calls: await callSums(db, campaignId),
    callbacks: await callbackGroups(db, campaignId),
    noteworthy: await noteworthyContacts(db, campaignId, noteworthy),
  };
}

function endedCampaign(db: Db, campaignId: string): Promise<EndedCampaign | undefined> {
  return firstRow<EndedCampaign>(
    db,
    `select p.id, p.campaign_name as "campaignName", o.name as "clientName", a.display_name as "agentName", p.status,
       p.status_reason as "statusReason", p.created_at as "createdAt", p.ended_at as "endedAt",
       p.contact_columns as "contactColumns"
     from campaigns p join clients o on o.id = p.client_id join agents a on a.id = p.agent_id
     where p.id = :campaignId and p.ended_at is not null`,
    { campaignId },
  );
}

function contactGroups(db: Db, campaignId: string): Promise<ContactGroup[]> {
  return rows<ContactGroup>(
    db,
    `select c.state, c.reason, k.call_id is not null as called, k.call_status as "callStatus", k.outcome, count(*) as contacts
     from contacts c ${TELLING_CALL}
     where c.campaign_id = :campaignId group by 1, 2, 3, 4, 5 order by contacts desc, 1, 2, 4, 5`,
    { campaignId },
  );
}

function callSums(db: Db, campaignId: string): Promise<CallSums> {
  return onlyRow<CallSums>(
    db,
    `select count(*) as placed, count(answered_at) as answered, cast(coalesce(sum(duration_ms), 0) as float8) as "talkMs",
       cast(coalesce(sum(call_cost), 0) as float8) as credits, min(asked_at) as "firstAt"
     from calls where campaign_id = :campaignId and asked_at is not null`,
    { campaignId },
  );
}

function callbackGroups(db: Db, campaignId: string): Promise<CallbackGroup[]> {
  return rows<CallbackGroup>(
    db,
    `select callback_status as status, count(distinct contact_id) as contacts
     from calls where campaign_id = :campaignId and callback_requested group by 1 order by 2 desc, 1`,
    { campaignId },
  );
}

/** Wishes that were not fulfilled yet, and numbers to correct. */
function noteworthyContacts(db: Db, campaignId: string, limit: number): Promise<NoteworthyContact[]> {
  return rows<NoteworthyContact>(
    db,
    `(select distinct on (c.row_number) 'callback' as kind, c.row_number as "row", c.name, k.summary
      from calls k join contacts c on c.id = k.contact_id
      where k.campaign_id = :campaignId and k.callback_requested and k.callback_status is distinct from 'completed'
      order by c.row_number, k.asked_at desc limit :limit)
     union all
     (select 'invalid', row_number, name, null from contacts
      where campaign_id = :campaignId and state = 'invalid' order by row_number limit :limit)`,
    { campaignId, limit },
  );
}
