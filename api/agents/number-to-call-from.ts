import { mayUseAny, type NumberRule } from '../../db/agents/numbers';
import type { Db } from '../../db/kernel/connection';
import { outboundNumbers, type AgentConfig } from '../../domain/agent-config';
import { numberNotYours, outboundNumberNotAllowed } from '../http/errors/refusals';

/**
 * Of what is to dial with the agent: `asked` is the number that a dispatch asks for. The dial looks again, as a number may be registered for
 * another client at any time.
 * @throws ApiError 422 where the agent may not show the number, or has none that the client may use
 */
export async function assertMayDialFrom(
  { db, settings }: { db: Db; settings: NumberRule },
  { clientId, config }: { clientId: string; config: AgentConfig },
  asked: string | null = null,
): Promise<void> {
  const allowed = outboundNumbers(config);
  if (asked !== null && allowed.length > 0 && !allowed.includes(asked)) throw outboundNumberNotAllowed();
  const numbers = asked === null ? allowed : [asked];
  // The carrier chooses.
  if (numbers.length === 0 && !settings.registeredOnly) return;
  if (!(await mayUseAny(db, { clientId, numbers }, settings))) throw numberNotYours();
}
