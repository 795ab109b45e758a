import type { Actor } from '../../db/audit';
import { archiveAgent, changeAgentConfig, type StoredAgentConfig } from '../../db/agent-changes';
import { sectionSchemas } from '../agent-config';
import type { ApiDependencies } from '../dependencies';
import { agentNotFound, invalidInput, numberInUse } from '../errors/refusals';
import { namedFields } from './named-fields';
import { reviseSection, type SectionChange } from './revise-section';

export interface AgentTarget {
  agentId: string;
  clientId: string;
  actor: Actor;
}

/** One that changes nothing is accepted and makes no version. */
export async function updateSection(
  { db, clock }: Pick<ApiDependencies, 'db' | 'clock'>,
  target: AgentTarget,
  wanted: SectionChange,
): Promise<void> {
  const fields = namedFields(wanted.section, sectionSchemas[wanted.section], wanted.change);
  const revise = (stored: StoredAgentConfig) => reviseSection(stored, wanted);
  const result = await changeAgentConfig(db, { ...target, revise, fields, now: clock.now() });
  switch (result.kind) {
    case 'updated':
      return;
    case 'unknown':
      throw agentNotFound();
    case 'number_in_use':
      throw numberInUse();
    case 'refused':
      throw invalidInput([{ loc: ['body'], ...result.refusal }]);
  }
}

/** An archived agent is not found, neither is one that is archived again. */
export async function removeAgent(
  { db, clock }: Pick<ApiDependencies, 'db' | 'clock'>,
  target: AgentTarget,
): Promise<void> {
  if (!(await archiveAgent(db, { ...target, now: clock.now() }))) throw agentNotFound();
}
