/** Pauses and resumes all campaigns of an organization. */
import { campaignsPausedWithAll, campaignsToPause } from '../../db/campaigns/status';
import type { Actor } from '../../db/organizations/audit';
import { forEachAtOnce } from '../../runtime/shares';
import type { ApiDependencies } from '../dependencies';
import { ApiError } from '../http/errors/api-error';
import { PAUSE, RESUME, switchRow, type CampaignSwitch } from './campaign-switch';
import { assertMayResume } from './may-resume';
import { takeEffect, type EffectDependencies } from './take-effect';

const PAUSE_WITH_ALL: CampaignSwitch = {
  ...PAUSE,
  action: 'campaign.pause_all',
  reason: 'paused with all campaigns',
  withAll: true,
};

const RESUME_WITH_ALL: CampaignSwitch = { ...RESUME, action: 'campaign.resume_all', withAll: true };

type Dependencies = EffectDependencies & Pick<ApiDependencies, 'settings'>;

/** Campaigns handled concurrently. One after another, each silent carrier would add seconds. */
const AT_ONCE = 5;

interface OnBehalf {
  organizationId: string;
  actor: Actor;
}

/**
 * Pauses every row before it waits for dials in flight, so that a silent carrier delays only the response. If one campaign fails, the others
 * stay paused, and a repeat pauses the rest.
 */
export async function pauseAll(deps: EffectDependencies, by: OnBehalf): Promise<{ paused: number }> {
  const campaignIds = await campaignsToPause(deps.db, by.organizationId);
  return { paused: await switchEach(deps, campaignIds, PAUSE_WITH_ALL, by) };
}

/** Leaves campaigns paused whose agent may no longer call from its number. They are counted, and the next resume-all tries them again. */
export async function resumeAll(
  deps: Dependencies,
  by: OnBehalf,
): Promise<{ resumed: number; leftPaused: number }> {
  const campaignIds = await campaignsPausedWithAll(deps.db, by.organizationId);
  const allowed: string[] = [];
  await forEachAtOnce(AT_ONCE, campaignIds, async (campaignId) => {
    if (await mayResume(deps, { campaignId, organizationId: by.organizationId })) allowed.push(campaignId);
  });
  const resumed = await switchEach(deps, allowed, RESUME_WITH_ALL, by);
  return { resumed, leftPaused: campaignIds.length - allowed.length };
}

async function mayResume(
  deps: Dependencies,
  target: { campaignId: string; organizationId: string },
): Promise<boolean> {
  try {
    await assertMayResume(deps, target);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return false;
    throw error;
  }
}

/** Returns the number of changed campaigns. Skips those whose status was changed in the meantime. */
async function switchEach(
  deps: EffectDependencies,
  campaignIds: readonly string[],
  wanted: CampaignSwitch,
  { organizationId, actor }: OnBehalf,
): Promise<number> {
  const changed: { campaignId: string; deliveryIds: string[] }[] = [];
  for (const campaignId of campaignIds) {
    const result = await switchRow(deps, { campaignId, organizationId }, wanted, actor);
    if (result.kind === 'changed') changed.push({ campaignId, deliveryIds: result.deliveryIds });
  }
  const { signal, drains } = wanted;
  await forEachAtOnce(AT_ONCE, changed, (each) => takeEffect(deps, { ...each, signal, drains }));
  return changed.length;
}
