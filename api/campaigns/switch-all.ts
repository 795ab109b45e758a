/** A client's campaigns, all at once. */
import { campaignsPausedWithAll, campaignsToPause } from '../../db/campaigns/status';
import type { Actor } from '../../db/clients/audit';
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

/** Campaigns that are looked at, or signalled and waited for: one after another, the answer took seconds for each silent one. */
const AT_ONCE = 5;

interface OnBehalf {
  clientId: string;
  actor: Actor;
}

/**
 * Every row is paused before the dials that are on their way are waited for, so that a silent carrier delays the answer and not the pause.
 * What is paused stays so where one fails; asked for again, the rest is paused.
 */
export async function pauseAll(deps: EffectDependencies, by: OnBehalf): Promise<{ paused: number }> {
  const campaignIds = await campaignsToPause(deps.db, by.clientId);
  return { paused: await switchEach(deps, campaignIds, PAUSE_WITH_ALL, by) };
}

/** Leaves paused whose agent may not call from its number any more; they are counted, and a resume of all takes them again. */
export async function resumeAll(
  deps: Dependencies,
  by: OnBehalf,
): Promise<{ resumed: number; leftPaused: number }> {
  const campaignIds = await campaignsPausedWithAll(deps.db, by.clientId);
  const allowed: string[] = [];
  await forEach(campaignIds, async (campaignId) => {
    if (await mayResume(deps, { campaignId, clientId: by.clientId })) allowed.push(campaignId);
  });
  const resumed = await switchEach(deps, allowed, RESUME_WITH_ALL, by);
  return { resumed, leftPaused: campaignIds.length - allowed.length };
}

async function mayResume(
  deps: Dependencies,
  target: { campaignId: string; clientId: string },
): Promise<boolean> {
  try {
    await assertMayResume(deps, target);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return false;
    throw error;
  }
}

/** How many it changed. One that somebody switches meanwhile is left to them. */
async function switchEach(
  deps: EffectDependencies,
  campaignIds: readonly string[],
  wanted: CampaignSwitch,
  { clientId, actor }: OnBehalf,
): Promise<number> {
  const changed: { campaignId: string; deliveryIds: string[] }[] = [];
  for (const campaignId of campaignIds) {
    const result = await switchRow(deps, { campaignId, clientId }, wanted, actor);
    if (result.kind === 'changed') changed.push({ campaignId, deliveryIds: result.deliveryIds });
  }
  const { signal, settles } = wanted;
  await forEach(changed, (each) => takeEffect(deps, { ...each, signal, settles }));
  return changed.length;
}

async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  // One iterator for all of them: each takes the next item as soon as it is free.
  const waiting = items.values();
  const lane = async (): Promise<void> => {
    for (const each of waiting) await work(each);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
