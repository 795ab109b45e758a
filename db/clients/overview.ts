/** Organizations as operators see them. */
import { CLIENT_COLUMNS, type Client } from './clients';
import type { Db } from '../kernel/connection';
import { firstRow, rows, timestamp } from '../kernel/query';

export interface ClientSummary extends Client {
  createdAt: Date;
  /** Calls that hold a line. */
  liveCalls: number;
  /** Includes calls that are about to queue for a line, as in the organization's limits. */
  waitingCalls: number;
}

export interface ClientOverview extends ClientSummary {
  /** Valid keys; `signingSecrets` counts valid secrets. */
  keys: number;
  signingSecrets: number;
  agents: number;
  campaigns: number;
  openCampaigns: number;
  dndNumbers: number;
}

const SUMMARY = `${CLIENT_COLUMNS}, c.created_at as "createdAt",
  (select count(*) from lines l where l.client_id = c.id) as "liveCalls",
  (select count(*) from calls w where w.client_id = c.id and w.stage = 'waiting')
  + (select count(*) from calls w where w.client_id = c.id and w.stage = 'claimed') as "waitingCalls"`;

export function listClients(db: Db): Promise<ClientSummary[]> {
  return rows<ClientSummary>(db, `select ${SUMMARY} from clients c order by fold(c.name), c.id`);
}

export function findClientOverview(
  db: Db,
  clientId: string,
  now: number,
): Promise<ClientOverview | undefined> {
  return firstRow<ClientOverview>(
    db,
    `select ${SUMMARY},
       (select count(*) from api_keys k where k.client_id = c.id and k.revoked_at is null
         and (k.expires_at is null or k.expires_at > :now)) as keys,
       (select count(*) from signing_secrets s where s.client_id = c.id
         and (s.expires_at is null or s.expires_at > :now)) as "signingSecrets",
       (select count(*) from agents a where a.client_id = c.id and not a.archived) as agents,
       (select count(*) from campaigns p where p.client_id = c.id) as campaigns,
       (select count(*) from campaigns p where p.client_id = c.id and p.ended_at is null) as "openCampaigns",
       (select count(*) from dnd_numbers d where d.client_id = c.id) as "dndNumbers"
     from clients c where c.id = :clientId`,
    { clientId, now: timestamp(now) },
  );
}
