/** The locks of an agent's transactions. They end with it. */
import type { Db } from '../kernel/connection';
import { firstRow, rows } from '../kernel/query';

/** Two agents of one client wait for each other where they choose a name. */
export const lockAgentNames = (trx: Db, clientId: string): Promise<void> =>
  lockFor(trx, `agent names of ${clientId}`);

/**
 * Whether another agent of anybody's answers the number; of a number that is registered for the client, only the client's own agents count.
 * Two transactions that want one number wait for each other, so that only one finds it free. An archived agent answers none.
 */
export async function isInboundElsewhere(
  trx: Db,
  { number, clientId }: { number: string; clientId: string },
  except: string | null = null,
): Promise<boolean> {
  await lockFor(trx, `inbound number ${number}`);
  const other = await firstRow<{ id: string }>(
    trx,
    `select id from agents where not archived and deployment #>> '{phone,call_type,Inbound}' = :number
       and id is distinct from :except::uuid
       and (client_id = :clientId or not exists (select from registered_numbers where number = :number and client_id = :clientId)) limit 1`,
    { number, clientId, except },
  );
  return other !== undefined;
}

/** False for another client's and an archived agent, which are unknown. Of two changes of an agent the second waits. */
export async function lockAgent(trx: Db, clientId: string, agentId: string): Promise<boolean> {
  const found = await rows(
    trx,
    'select from agents where id = :agentId and client_id = :clientId and not archived for no key update',
    { agentId, clientId },
  );
  return found.length > 0;
}

async function lockFor(trx: Db, subject: string): Promise<void> {
  await rows(trx, 'select pg_advisory_xact_lock(hashtextextended(:subject, 0))', { subject });
}
