import { mayUseAny, type NumberRule } from '../../db/agents/numbers';
import type { Db } from '../../db/kernel/connection';
import { outboundNumbers, type AgentConfig } from '../../domain/agent-config';
import { numberNotYours, outboundNumberNotAllowed } from '../http/errors/refusals';

/**
 * `requested` is the number that a dispatch names. The dial checks again, because a number can be registered to another organization at any
 * time.
 * @throws ApiError 422 if the agent isn't allowed to use the number, or has no number that the organization is allowed to use
 */
export async function assertMayDialFrom(
  { db, settings }: { db: Db; settings: NumberRule },
  { organizationId, config }: { organizationId: string; config: AgentConfig },
  requested: string | null = null,
): Promise<void> {
  const allowed = outboundNumbers(config);
  if (requested !== null && allowed.length > 0 && !allowed.includes(requested))
    throw outboundNumberNotAllowed();
  const numbers = requested === null ? allowed : [requested];
  // Without a number the carrier chooses one.
  if (numbers.length === 0 && !settings.registeredOnly) return;
  if (!(await mayUseAny(db, { organizationId, numbers }, settings))) throw numberNotYours();
}
