/** Conversations that are kept with an agent, to try it by after each change. */
import type { JsonObject } from '../../domain/json';
import type { TurnExpectations } from '../../domain/turn-expectations';
import { recordAudit, type Actor } from '../clients/audit';
import type { Db } from '../kernel/connection';
import { firstRow, rows, timestamp } from '../kernel/query';
import { lockAgent } from './locks';

export interface KeptConversation {
  title: string;
  /** Those of a dispatch. */
  variables: JsonObject;
  turns: KeptTurn[];
}

export interface KeptTurn {
  /** Absent only in a first turn: what the agent says by itself. */
  user?: string;
  expect: TurnExpectations;
}

/** The caller knows whose the agent is. */
export async function keptConversations(db: Db, agentId: string): Promise<KeptConversation[]> {
  const kept = await firstRow<{ conversations: KeptConversation[] }>(
    db,
    'select conversations from agent_conversations where agent_id = :agentId',
    { agentId },
  );
  return kept?.conversations ?? [];
}

export interface Keeping {
  clientId: string;
  agentId: string;
  conversations: readonly KeptConversation[];
  actor: Actor;
  now: number;
}

/** In place of those that were kept: of two at once the later one stays. False for another client's and an archived agent. */
export function keepConversations(
  db: Db,
  { clientId, agentId, conversations, actor, now }: Keeping,
): Promise<boolean> {
  return db.transaction(async (trx) => {
    if (!(await lockAgent(trx, clientId, agentId))) return false;
    await rows(
      trx,
      `insert into agent_conversations (agent_id, conversations, changed_at) values (:agentId, :conversations, :now)
       on conflict (agent_id) do update set conversations = excluded.conversations, changed_at = excluded.changed_at`,
      { agentId, conversations: JSON.stringify(conversations), now: timestamp(now) },
    );
    await recordAudit(trx, {
      clientId,
      actor,
      action: 'agent.conversations',
      subjectId: agentId,
      now,
    });
    return true;
  });
}
