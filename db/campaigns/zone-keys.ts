/** Zone keys of a campaign's contacts, by which the engine finds the contacts that may be called now. */
import { zoneKeyOf } from '../../domain/rules/number-zones';
import type { Db } from '../kernel/connection';
import { rows } from '../kernel/query';

interface Keyless {
  id: string;
  toNumber: string;
  timezone: string | null;
}

/** A batch takes about 100 ms, most of it in Postgres. */
const BATCH = 2_000;

/** Fills the keys of pending contacts without one. The order of contacts and the campaign's other columns stay the same. */
export async function fillZoneKeys(db: Db, campaignId: string): Promise<void> {
  for (;;) {
    const keyless = await rows<Keyless>(
      db,
      `select id, phone_number as "toNumber", timezone from contacts
       where campaign_id = :campaignId and zone_key = '' and state = 'pending' and call_id is null limit ${BATCH}`,
      { campaignId },
    );
    if (keyless.length === 0) return;
    const keys = keyless.map(zoneKeyOf);
    await db.transaction(async (trx) => {
      await rows(
        trx,
        `update campaigns set zone_keys = (select array_agg(distinct key) from unnest(zone_keys || :keys::text[]) key) where id = :campaignId`,
        { campaignId, keys: [...new Set(keys)] },
      );
      await rows(
        trx,
        `update contacts c set zone_key = filled.key from unnest(:ids::bigint[], :keys::text[]) filled (id, key)
         where c.id = filled.id and c.zone_key = ''`,
        { ids: keyless.map(({ id }) => id), keys },
      );
    });
  }
}
