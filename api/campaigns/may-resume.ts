import { currentConfig } from '../../db/agents/agents';
import { assertMayDialFrom } from '../agents/number-to-call-from';
import type { ApiDependencies } from '../dependencies';
import { campaignOf } from './campaign-target';

/**
 * One that is not paused passes: the switch refuses it as such.
 * @throws ApiError 422 where its agent may not call from its number any more
 */
export async function assertMayResume(
  { db, settings }: Pick<ApiDependencies, 'db' | 'settings'>,
  { campaignId, clientId }: { campaignId: string; clientId: string },
): Promise<void> {
  const { status, agentId } = await campaignOf(db, campaignId, clientId);
  if (status !== 'paused') return;
  await assertMayDialFrom({ db, settings }, { clientId, config: await currentConfig(db, agentId) });
}
