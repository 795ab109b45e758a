import { currentConfig } from '../../db/agents/agents';
import { assertMayDialFrom } from '../agents/number-to-call-from';
import type { ApiDependencies } from '../dependencies';
import { campaignOf } from './campaign-target';

/**
 * Does nothing for a campaign that isn't paused, because the switch refuses that with its own error.
 * @throws ApiError 422 if the agent may no longer call from its number
 */
export async function assertMayResume(
  { db, settings }: Pick<ApiDependencies, 'db' | 'settings'>,
  { campaignId, organizationId }: { campaignId: string; organizationId: string },
): Promise<void> {
  const { status, agentId } = await campaignOf(db, campaignId, organizationId);
  if (status !== 'paused') return;
  await assertMayDialFrom({ db, settings }, { organizationId, config: await currentConfig(db, agentId) });
}
