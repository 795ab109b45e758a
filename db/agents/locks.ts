/** Locks of the transactions on agents. They end with the transaction. */
import type { Db } from '../kernel/connection';
import { firstRow, rows } from '../kernel/query';

/** Serializes the choice of names within an organization. */
export const lockAgentNames = (trx: Db, organizationId: string): Promise<void> =>
  lockFor(trx, `agent names of ${organizationId}`);

/**
 * Returns whether another agent answers the number; for a number registered to the organization, only its own agents count. Locks the number, so
 * that only one of two simultaneous transactions finds it free.
 */
export async function isInboundElsewhere(
  trx: Db,
  { number, organizationId }: { number: string; organizationId: string },
  except: string | null = null,
): Promise<boolean> {
  await lockFor(trx, `inbound number ${number}`);
  const other = await firstRow<{ id: string }>(
    trx,
    `select id from agents where not archived and deployment #>> '{phone,call_type,Inbound}' = :number
       and id is distinct from :except::uuid
       and (organization_id = :organizationId or not exists (select from registered_numbers where number = :number and organization_id = :organizationId)) limit 1`,
    { number, organizationId, except },
  );
  return other !== undefined;
}

/** Locks an agent against other changes. Returns false for an archived agent or one of another organization. */
export async function lockAgent(trx: Db, organizationId: string, agentId: string): Promise<boolean> {
  const found = await rows(
    trx,
    'select from agents where id = :agentId and organization_id = :organizationId and not archived for no key update',
    { agentId, organizationId },
  );
  return found.length > 0;
}

async function lockFor(trx: Db, subject: string): Promise<void> {
  await rows(trx, 'select pg_advisory_xact_lock(hashtextextended(:subject, 0))', { subject });
}
