/** Contacts that a run appends to its campaigns. */
import type { AppendedContact } from '../../db/campaigns/append';
import type { Db } from '../../db/kernel/connection';
import { rows } from '../../db/kernel/query';
import type { CampaignRecord } from '../faults/checker/evidence';
import type { Simulation } from './simulation';

type Contacts = CampaignRecord['contacts'];

/** Uses the name as the external id. */
export const asAppended = (contacts: Contacts): AppendedContact[] =>
  contacts.map(({ name, phone_number: phoneNumber }) => ({
    ...{ externalId: name, name, phoneNumber, variables: {} },
    ...{ timezone: null, language: null, consentAt: null },
  }));

const RETRY_MS = 700;

/** Returns the contacts with the rows that they are stored in, or 0. Retries while Postgres is unreachable. */
export async function withRows(
  run: Simulation,
  db: Db,
  campaignId: string,
  contacts: Contacts,
): Promise<Contacts> {
  for (;;) {
    try {
      const found = await rows<{ id: string; row: number }>(
        db,
        'select external_id as id, row_number as "row" from contacts where campaign_id = :campaignId and external_id is not null',
        { campaignId },
      );
      const known = new Map(found.map(({ id, row }) => [id, row]));
      return contacts.map((each) => ({ ...each, row: known.get(each.name) ?? 0 }));
    } catch {
      await run.scheduler.sleep(RETRY_MS, run.process('client'));
    }
  }
}
