/**
 * What lets an agent's process into the one call whose job it runs. The worker puts a ticket into the job; the first process that shows it,
 * with a claim of its own making, gets a token for the call. Whoever reads the ticket later, at LiveKit, gets nothing for it. The token names
 * its ticket, and opens the call until a newer ticket is claimed.
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

/** `ticket` is when the job's ticket ends; 0 for a caller's job, which has none. */
export interface AgentJob {
  callId: string;
  ticket: number;
}

export interface AgentClaim extends AgentJob {
  claim: string;
}

/** For everything that the agent of this job asks and reports of its call. */
export const callToken = (keys: SecretsKeys, job: AgentJob, now: number): string =>
  `${job.ticket}.${issueToken(tokens(keys), { subject: subjectOf(job), validForMs: TOKEN_VALID_FOR_MS }, now)}`;

/** A call's id holds no blank. */
const subjectOf = ({ callId, ticket }: AgentJob): string => `${callId} ${ticket}`;

/** The job that the token was made for; null for a token that is not genuine, of another call, or past its time. */
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

/** Whether the call still belongs to the job, or to a newer one. */
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
