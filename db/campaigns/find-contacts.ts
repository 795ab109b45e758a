/** Searches for a person in all campaigns of an organization. */
import type { ContactState } from '../../domain/call-outcome';
import { MOST_PEOPLE_COUNTED } from '../../domain/most-counted';
import type { Db } from '../kernel/connection';
import type { Listed, Page } from '../kernel/list-page';
import { rows } from '../kernel/query';
import type { SoughtPerson } from './contacts';

export interface FoundContact {
  campaignId: string;
  campaignName: string;
  row: number;
  name: string;
  phoneNumber: string;
  state: ContactState;
}

/** Finds people by number or by the beginning of the name, newest campaign first. Counts and lists at most 1,000. */
export async function findContacts(
  db: Db,
  { organizationId, person }: { organizationId: string; person: SoughtPerson },
  { limit, offset }: Page,
): Promise<Listed<FoundContact>> {
  const [condition, sought] =
    'phoneNumber' in person
      ? ['c.phone_number = :sought', person.phoneNumber]
      : ['c.folded_name ^@ fold(:sought)', person.name];
  const found = await rows<FoundContact & { total: number }>(
    db,
    `with found as materialized (
       select c.campaign_id, p.campaign_name, p.created_at, c.row_number, c.name, c.phone_number, c.state
       from contacts c join campaigns p on p.id = c.campaign_id
       where c.organization_id = :organizationId and p.organization_id = :organizationId and ${condition} limit ${MOST_PEOPLE_COUNTED}
     )
     select campaign_id as "campaignId", campaign_name as "campaignName", row_number as "row", name, phone_number as "phoneNumber",
       state, (select count(*) from found) as total
     from found order by created_at desc, campaign_id, row_number limit :limit offset :offset`,
    { organizationId, sought, limit, offset },
  );
  return { items: found.map(({ total: _total, ...contact }) => contact), total: found[0]?.total ?? 0 };
}
