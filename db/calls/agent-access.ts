/**
 * What lets an agent's process into the one call whose job it runs. The worker puts a ticket into the job; the first process that shows it,
 * with a claim of its own making, gets a token for the call. Whoever reads the ticket later, at LiveKit, gets nothing for it.
 */
import { createHash } from 'node:crypto';
import { issueToken, tokenExpiry, type Signing } from '../kernel/expiring-signature';
import type { Db } from '../kernel/connection';
import { firstRow } from '../kernel/query';
import type { SecretsKeys } from '../kernel/secrets-keys';

/** A job starts within seconds of its dispatch. */
const TICKET_VALID_FOR_MS = 15 * 60_000;
/** More than five minutes until the dial, the longest talk of an hour, and what is uploaded and repeated after it. */
const TOKEN_VALID_FOR_MS = 3 * 60 * 60_000;

const tickets = (keys: SecretsKeys): Signing => ({ keys, purpose: 'jobs of agents' });
const tokens = (keys: SecretsKeys): Signing => ({ keys, purpose: 'calls of agents' });

/** For the job of an agent. */
export const jobTicket = (keys: SecretsKeys, callId: string, now: number): string =>
  issueToken(tickets(keys), { subject: callId, validForMs: TICKET_VALID_FOR_MS }, now);

/** When it ends, in milliseconds since the epoch; null for a ticket that is not genuine, of another call, or past its time. */
export const ticketExpiry = (
  keys: SecretsKeys,
  { callId, ticket }: { callId: string; ticket: string },
  now: number,
): number | null => tokenExpiry(tickets(keys), callId, ticket, now);

/** For everything that an agent asks and reports of a call. */
export const callToken = (keys: SecretsKeys, callId: string, now: number): string =>
  issueToken(tokens(keys), { subject: callId, validForMs: TOKEN_VALID_FOR_MS }, now);

export const isCallToken = (
  keys: SecretsKeys,
  { callId, token }: { callId: string; token: string },
  now: number,
): boolean => tokenExpiry(tokens(keys), callId, token, now) !== null;

/** `ticket` is when the job's ticket ends; 0 for a caller's job, which has none. */
export interface AgentClaim {
  callId: string;
  ticket: number;
  claim: string;
}

/**
 * The call belongs to the first claim of its newest ticket: another job, with a newer one, is only dispatched where the job before it has
 * failed. Claimed again with the same claim it is claimed still, so a lost answer does no harm.
 */
export async function claimCall(
  db: Db,
  { callId, ticket, claim }: AgentClaim,
): Promise<'claimed' | 'taken' | 'over' | 'unknown'> {
  const found = await firstRow<{ isOver: boolean; isClaimed: boolean }>(
    db,
    `with claimed as (
       update calls set agent_ticket = :ticket, agent_claim = :hash
       where call_id = :callId and stage <> 'over'
         and (agent_ticket is null or agent_ticket < :ticket or (agent_ticket = :ticket and agent_claim = :hash))
       returning 1)
     select stage = 'over' as "isOver", exists (select from claimed) as "isClaimed" from calls where call_id = :callId`,
    { callId, ticket, hash: createHash('sha256').update(claim).digest() },
  );
  if (found === undefined) return 'unknown';
  if (found.isClaimed) return 'claimed';
  return found.isOver ? 'over' : 'taken';
}
