/** The locks of an agent's transactions. They end with it. */
import type { Db } from '../kernel/connection';
import { firstRow, rows } from '../kernel/query';

/** Two agents of one client wait for each other where they choose a name. */
export const lockAgentNames = (trx: Db, clientId: string): Promise<void> =>
  lockFor(trx, `agent names of ${clientId}`);

/**
 * Whether another agent of anybody's answers the number. Two transactions that want one number wait for each other, so that only one
 * finds it free. An archived agent answers none.
 */
export async function isInboundElsewhere(
  trx: Db,
  number: string,
  except: string | null = null,
): Promise<boolean> {
  await lockFor(trx, `inbound number ${number}`);
  const other = await firstRow<{ id: string }>(
    trx,
    `select id from agents where not archived and deployment #>> '{phone,call_type,Inbound}' = :number
       and id is distinct from :except::uuid limit 1`,
    { number, except },
  );
  return other !== undefined;
}

async function lockFor(trx: Db, subject: string): Promise<void> {
  await rows(trx, 'select pg_advisory_xact_lock(hashtextextended(:subject, 0))', { subject });
}
