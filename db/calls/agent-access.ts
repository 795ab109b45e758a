/**
 * Gives an agent process access to the call of its job. The first process that presents the job's ticket gets a token for the call, so a
 * leaked ticket is useless afterwards. A newer ticket revokes the token.
 */
import { createHash } from 'node:crypto';
import type { Db } from '../kernel/connection';
import { firstRow } from '../kernel/query';
import { type SecretsKeys, issueToken, tokenExpiry, type Signing } from '../kernel/secrets-keys';

/** Generous, because a job starts within seconds of its dispatch. */
const TICKET_VALID_FOR_MS = 15 * 60_000;
/** Covers the wait for the dial, the longest conversation (1 h), and the uploads and retries after it. */
const TOKEN_VALID_FOR_MS = 3 * 60 * 60_000;

const tickets = (keys: SecretsKeys): Signing => ({ keys, purpose: 'jobs of agents' });
const tokens = (keys: SecretsKeys): Signing => ({ keys, purpose: 'calls of agents' });

/** Issues the ticket for an agent's job. */
export const jobTicket = (keys: SecretsKeys, callId: string, now: number): string =>
  issueToken(tickets(keys), { subject: callId, validForMs: TICKET_VALID_FOR_MS }, now);

/** Returns the ticket's expiry in milliseconds since the epoch, or null if it is forged, expired or for another call. */
export const ticketExpiry = (
  keys: SecretsKeys,
  { callId, ticket }: { callId: string; ticket: string },
  now: number,
): number | null => tokenExpiry(tickets(keys), callId, ticket, now);

/** `ticket` is the expiry of the job's ticket, which identifies the job. It is 0 for an inbound call, which has no ticket. */
interface AgentJob {
  callId: string;
  ticket: number;
}

export interface AgentClaim extends AgentJob {
  claim: string;
}

/** Issues the token that the job's agent sends with every request. */
export const callToken = (keys: SecretsKeys, job: AgentJob, now: number): string =>
  `${job.ticket}.${issueToken(tokens(keys), { subject: subjectOf(job), validForMs: TOKEN_VALID_FOR_MS }, now)}`;

/** Unambiguous, because a call id contains no space. */
const subjectOf = ({ callId, ticket }: AgentJob): string => `${callId} ${ticket}`;

/** Returns the job of the token, or null if the token is forged, expired or for another call. */
export function jobOfToken(
  keys: SecretsKeys,
  { callId, token }: { callId: string; token: string },
  now: number,
): AgentJob | null {
  const [, ticket, signed] = /^(\d{1,15})\.(.+)$/.exec(token) ?? [];
  if (ticket === undefined || signed === undefined) return null;
  const job = { callId, ticket: Number(ticket) };
  return tokenExpiry(tokens(keys), subjectOf(job), signed, now) === null ? null : job;
}

/** Returns whether the call belongs to this job or to a newer one. */
export async function holderOf(
  db: Db,
  { callId, ticket }: AgentJob,
): Promise<'job' | 'newer job' | 'unknown'> {
  const found = await firstRow<{ isItsOwn: boolean | null }>(
    db,
    `select agent_ticket = :ticket as "isItsOwn" from calls where call_id = :callId`,
    { callId, ticket },
  );
  if (found === undefined) return 'unknown';
  return found.isItsOwn === true ? 'job' : 'newer job';
}

/**
 * Assigns the call to the first process that claims it with its newest ticket, because another job is dispatched only after the previous
 * one failed. A repeated claim succeeds, so a lost response does no harm.
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
