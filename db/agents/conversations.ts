/** Test conversations of an agent. They can be replayed after the agent is changed. */
import type { JsonObject } from '../../domain/json';
import type { TurnExpectations } from '../../domain/turn-expectations';
import { recordAudit, type Actor } from '../organizations/audit';
import type { Db } from '../kernel/connection';
import { firstRow, rows, timestamp } from '../kernel/query';
import { lockAgent } from './agents';

export interface KeptConversation {
  title: string;
  /** Same variables as in a dispatch. */
  variables: JsonObject;
  turns: KeptTurn[];
}

export interface KeptTurn {
  /** Absent only in the first turn, if the agent speaks first. */
  user?: string;
  expect: TurnExpectations;
}

/** Check first that the agent belongs to the organization. */
export async function keptConversations(db: Db, agentId: string): Promise<KeptConversation[]> {
  const kept = await firstRow<{ conversations: KeptConversation[] }>(
    db,
    'select conversations from agent_conversations where agent_id = :agentId',
    { agentId },
  );
  return kept?.conversations ?? [];
}

interface Keeping {
  organizationId: string;
  agentId: string;
  conversations: readonly KeptConversation[];
  actor: Actor;
  now: number;
}

/** Replaces all conversations of the agent. Returns false for an archived agent or one of another organization. */
export function keepConversations(
  db: Db,
  { organizationId, agentId, conversations, actor, now }: Keeping,
): Promise<boolean> {
  return db.transaction(async (trx) => {
    if (!(await lockAgent(trx, organizationId, agentId))) return false;
    await rows(
      trx,
      `insert into agent_conversations (agent_id, conversations, changed_at) values (:agentId, :conversations, :now)
       on conflict (agent_id) do update set conversations = excluded.conversations, changed_at = excluded.changed_at`,
      { agentId, conversations: JSON.stringify(conversations), now: timestamp(now) },
    );
    await recordAudit(trx, {
      organizationId,
      actor,
      action: 'agent.conversations',
      subjectId: agentId,
      now,
    });
    return true;
  });
}
