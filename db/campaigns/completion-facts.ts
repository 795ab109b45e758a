/** Facts for the e-mail about a campaign's end, counted from its contacts and calls. */
import type { MailFacts } from '../../domain/completion-mail';
import { sinceCampaign } from '../calls/months';
import type { Db } from '../kernel/connection';
import { firstRow, onlyRow, rows } from '../kernel/query';

export interface CompletionFacts extends MailFacts {
  /** `contactColumns` are the columns of the file, in its order. */
  campaign: MailFacts['campaign'] & { contactColumns: string[] };
}

/** The call that the report shows for a contact: the last answered call, or else the last dialled one. */
const DECISIVE_CALL = `left join lateral (
  select call_id, call_status, outcome from all_calls k where contact_id = c.id and ${sinceCampaign('k', ':campaignId')} and asked_at is not null
  order by answered_at is not null desc, asked_at desc limit 1
) k on true`;

/** Returns undefined for an open campaign. `noteworthy` limits the contacts of each kind. */
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

function endedCampaign(db: Db, campaignId: string): Promise<CompletionFacts['campaign'] | undefined> {
  return firstRow<CompletionFacts['campaign']>(
    db,
    `select p.id, p.campaign_name as "campaignName", o.name as "organizationName", a.display_name as "agentName", p.status,
       p.status_reason as "statusReason", p.created_at as "createdAt", p.ended_at as "endedAt",
       p.contact_columns as "contactColumns"
     from campaigns p join organizations o on o.id = p.organization_id join agents a on a.id = p.agent_id
     where p.id = :campaignId and p.ended_at is not null`,
    { campaignId },
  );
}

function contactGroups(db: Db, campaignId: string): Promise<MailFacts['groups'][number][]> {
  return rows<MailFacts['groups'][number]>(
    db,
    `select c.state, c.reason, k.call_id is not null as called, k.call_status as "callStatus", k.outcome, count(*) as contacts
     from contacts c ${DECISIVE_CALL}
     where c.campaign_id = :campaignId group by 1, 2, 3, 4, 5 order by contacts desc, 1, 2, 4, 5`,
    { campaignId },
  );
}

function callSums(db: Db, campaignId: string): Promise<MailFacts['calls']> {
  return onlyRow<MailFacts['calls']>(
    db,
    `select count(*) as placed, count(answered_at) as answered, cast(coalesce(sum(duration_ms), 0) as float8) as "talkMs",
       cast(coalesce(sum(call_cost), 0) as float8) as credits, min(asked_at) as "firstAt"
     from all_calls k where campaign_id = :campaignId and ${sinceCampaign('k', ':campaignId')} and asked_at is not null`,
    { campaignId },
  );
}

function callbackGroups(db: Db, campaignId: string): Promise<MailFacts['callbacks'][number][]> {
  return rows<MailFacts['callbacks'][number]>(
    db,
    `select callback_status as status, count(distinct contact_id) as contacts
     from all_calls k where campaign_id = :campaignId and ${sinceCampaign('k', ':campaignId')} and callback_requested group by 1 order by 2 desc, 1`,
    { campaignId },
  );
}

/** Returns contacts with an outstanding callback, and contacts with an invalid number. */
function noteworthyContacts(
  db: Db,
  campaignId: string,
  limit: number,
): Promise<MailFacts['noteworthy'][number][]> {
  return rows<MailFacts['noteworthy'][number]>(
    db,
    `(select distinct on (c.row_number) 'callback' as kind, c.row_number as "row", c.name, k.summary
      from all_calls k join contacts c on c.id = k.contact_id
      where k.campaign_id = :campaignId and ${sinceCampaign('k', ':campaignId')} and k.callback_requested and k.callback_status is distinct from 'completed'
      order by c.row_number, k.asked_at desc limit :limit)
     union all
     (select 'invalid', row_number, name, null from contacts
      where campaign_id = :campaignId and state = 'invalid' order by row_number limit :limit)`,
    { campaignId, limit },
  );
}
