/** Rule profiles: those that an organization has defined, and the name of the one that applies to all its calls. */
import { isShipped, shippedProfile, type RuleProfile } from '../../domain/rules/profile';
import type { Db } from '../kernel/connection';
import { firstRow, onlyRow, rows, timestamp } from '../kernel/query';
import { recordAudit, type Actor } from './audit';
import { lockOrganization } from './organizations';

export const MAX_RULE_PROFILES = 100;

export interface OwnProfile {
  name: string;
  profile: RuleProfile;
  createdAt: Date;
  updatedAt: Date;
}

const OWN_PROFILE = `select name, profile, created_at as "createdAt", updated_at as "updatedAt" from rule_profiles
  where organization_id = :organizationId`;

/** Returns them by name. */
export const ownProfiles = (db: Db, organizationId: string): Promise<OwnProfile[]> =>
  rows<OwnProfile>(db, `${OWN_PROFILE} order by name`, { organizationId });

export const findOwnProfile = (
  db: Db,
  organizationId: string,
  name: string,
): Promise<OwnProfile | undefined> =>
  firstRow<OwnProfile>(db, `${OWN_PROFILE} and name = :name`, { organizationId, name });

/** Returns a shipped profile or one of the organization. */
export async function findRuleProfile(
  db: Db,
  organizationId: string,
  name: string,
): Promise<RuleProfile | undefined> {
  if (isShipped(name)) return shippedProfile(name);
  return (await findOwnProfile(db, organizationId, name))?.profile;
}

/** The organization has no rule profile with this name. */
export class UnknownRuleProfile extends Error {
  constructor() {
    super('the organization has no rule profile with this name');
  }
}

/**
 * Keeps a profile from being deleted until the transaction ends, so that a campaign never names a profile that is gone.
 * @throws UnknownRuleProfile
 */
export async function holdRuleProfile(trx: Db, organizationId: string, name: string | null): Promise<void> {
  if (name === null || isShipped(name)) return;
  const held = await rows(
    trx,
    'select 1 from rule_profiles where organization_id = :organizationId and name = :name for key share',
    { organizationId, name },
  );
  if (held.length === 0) throw new UnknownRuleProfile();
}

interface ProfileChange {
  organizationId: string;
  name: string;
  actor: Actor;
  now: number;
}

/** Creates or replaces a profile. Returns undefined if the organization already has the maximum number of profiles. */
export function putRuleProfile(
  db: Db,
  { organizationId, name, profile, actor, now }: ProfileChange & { profile: RuleProfile },
): Promise<OwnProfile | undefined> {
  return db.transaction(async (trx) => {
    // Without this lock, two requests could both create the last profile that the limit allows.
    await lockOrganization(trx, organizationId);
    const before = await findOwnProfile(trx, organizationId, name);
    if (before === undefined && (await countOwnProfiles(trx, organizationId)) >= MAX_RULE_PROFILES)
      return undefined;
    const stored = await onlyRow<OwnProfile>(
      trx,
      `insert into rule_profiles (organization_id, name, profile, created_at, updated_at)
       values (:organizationId, :name, :profile::jsonb, :now, :now)
       on conflict (organization_id, name) do update set profile = excluded.profile, updated_at = excluded.updated_at
       returning name, profile, created_at as "createdAt", updated_at as "updatedAt"`,
      { organizationId, name, profile: JSON.stringify(profile), now: timestamp(now) },
    );
    await wakeCampaigns(trx, organizationId, now);
    await recordAudit(trx, {
      organizationId,
      actor,
      action: before === undefined ? 'rule_profile.create' : 'rule_profile.update',
      subjectId: name,
      fields: before === undefined ? [] : differences(before.profile, stored.profile),
      now,
    });
    return stored;
  });
}

/** Lets reconciliation wake the open campaigns, because they may dial earlier under the changed rules. */
async function wakeCampaigns(trx: Db, organizationId: string, now: number): Promise<void> {
  await rows(
    trx,
    `update campaigns set refill_requested_at = coalesce(refill_requested_at, :now) where id in (
       select id from campaigns where organization_id = :organizationId and ended_at is null order by id for no key update)`,
    { organizationId, now: timestamp(now) },
  );
}

async function countOwnProfiles(trx: Db, organizationId: string): Promise<number> {
  const { count } = await onlyRow<{ count: number }>(
    trx,
    'select count(*) from rule_profiles where organization_id = :organizationId',
    { organizationId },
  );
  return count;
}

/** Returns the names of the fields that differ. Both profiles come from Postgres, which sorts the keys of an object. */
const differences = (before: RuleProfile, after: RuleProfile): string[] =>
  (Object.keys(after) as (keyof RuleProfile)[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );

/** A profile is in use while an open campaign or the organization names it. */
export function deleteRuleProfile(
  db: Db,
  { organizationId, name, actor, now }: ProfileChange,
): Promise<'deleted' | 'unknown' | 'in use'> {
  return db.transaction(async (trx) => {
    const bindings = { organizationId, name };
    // Waits for transactions that hold the profile. Their campaigns are then visible to the next statement.
    const locked = await rows(
      trx,
      'select 1 from rule_profiles where organization_id = :organizationId and name = :name for update',
      bindings,
    );
    if (locked.length === 0) return 'unknown';
    const { isUsed } = await onlyRow<{ isUsed: boolean }>(
      trx,
      `select exists (select 1 from campaigns where organization_id = :organizationId and ended_at is null and rule_profile = :name)
         or exists (select 1 from organizations where id = :organizationId and rule_profile = :name) as "isUsed"`,
      bindings,
    );
    if (isUsed) return 'in use';
    await rows(
      trx,
      'delete from rule_profiles where organization_id = :organizationId and name = :name',
      bindings,
    );
    await recordAudit(trx, { organizationId, actor, action: 'rule_profile.delete', subjectId: name, now });
    return 'deleted';
  });
}

/** Returns the name of the profile that applies to all campaigns and callbacks of the organization. Null for none. */
export async function organizationProfile(db: Db, organizationId: string): Promise<string | null> {
  const { name } = await onlyRow<{ name: string | null }>(
    db,
    'select rule_profile as name from organizations where id = :organizationId',
    { organizationId },
  );
  return name;
}

/**
 * Null removes the organization's profile. Record the change in the audit log.
 * @throws UnknownRuleProfile
 */
export async function setOrganizationProfile(
  trx: Db,
  organizationId: string,
  { name, now }: { name: string | null; now: number },
): Promise<void> {
  await holdRuleProfile(trx, organizationId, name);
  await rows(trx, 'update organizations set rule_profile = :name where id = :organizationId', {
    organizationId,
    name,
  });
  await wakeCampaigns(trx, organizationId, now);
}
