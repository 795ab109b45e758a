/** Organizations as operators see them. */
import { ORGANIZATION_COLUMNS, type Organization } from './organizations';
import type { Db } from '../kernel/connection';
import { firstRow, rows, timestamp } from '../kernel/query';

export interface OrganizationSummary extends Organization {
  createdAt: Date;
  /** Calls that hold a line. */
  liveCalls: number;
  /** Includes calls that are about to queue for a line, as in the organization's limits. */
  waitingCalls: number;
}

export interface OrganizationOverview extends OrganizationSummary {
  /** Valid keys; `signingSecrets` counts valid secrets. */
  keys: number;
  signingSecrets: number;
  agents: number;
  campaigns: number;
  openCampaigns: number;
  dndNumbers: number;
}

const SUMMARY = `${ORGANIZATION_COLUMNS}, c.created_at as "createdAt",
  (select count(*) from lines l where l.organization_id = c.id) as "liveCalls",
  (select count(*) from calls w where w.organization_id = c.id and w.stage = 'waiting')
  + (select count(*) from calls w where w.organization_id = c.id and w.stage = 'claimed') as "waitingCalls"`;

export function listOrganizations(db: Db): Promise<OrganizationSummary[]> {
  return rows<OrganizationSummary>(db, `select ${SUMMARY} from organizations c order by fold(c.name), c.id`);
}

export function findOrganizationOverview(
  db: Db,
  organizationId: string,
  now: number,
): Promise<OrganizationOverview | undefined> {
  return firstRow<OrganizationOverview>(
    db,
    `select ${SUMMARY},
       (select count(*) from api_keys k where k.organization_id = c.id and k.revoked_at is null
         and (k.expires_at is null or k.expires_at > :now)) as keys,
       (select count(*) from signing_secrets s where s.organization_id = c.id
         and (s.expires_at is null or s.expires_at > :now)) as "signingSecrets",
       (select count(*) from agents a where a.organization_id = c.id and not a.archived) as agents,
       (select count(*) from campaigns p where p.organization_id = c.id) as campaigns,
       (select count(*) from campaigns p where p.organization_id = c.id and p.ended_at is null) as "openCampaigns",
       (select count(*) from dnd_numbers d where d.organization_id = c.id) as "dndNumbers"
     from organizations c where c.id = :organizationId`,
    { organizationId, now: timestamp(now) },
  );
}
