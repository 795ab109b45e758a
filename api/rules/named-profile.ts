import { findRuleProfile, UnknownRuleProfile } from '../../db/organizations/rule-profiles';
import type { Db } from '../../db/kernel/connection';
import { SHIPPED_PROFILES, type RuleProfile } from '../../domain/rules/profile';
import type { ApiError } from '../http/errors/api-error';
import { invalidInput } from '../http/errors/refusals';

/** Field of a request body that contains the name of a profile. */
type NamingField = 'profile' | 'rule_profile';

/**
 * Returns a shipped profile or one of the organization.
 * @throws ApiError 422 if there is none with this name
 */
export async function profileNamed(
  db: Db,
  organizationId: string,
  name: string,
  field: NamingField,
): Promise<RuleProfile> {
  const profile = await findRuleProfile(db, organizationId, name);
  if (profile === undefined) throw unknownProfile(field);
  return profile;
}

/** Converts the error of a transaction that names a profile: it may have been deleted after the first check. */
export async function refusingUnknownProfile<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    throw error instanceof UnknownRuleProfile ? unknownProfile('rule_profile') : error;
  }
}

const unknownProfile = (field: NamingField): ApiError =>
  invalidInput([
    {
      loc: ['body', field],
      msg: `must be one of ${SHIPPED_PROFILES.join(', ')}, or the name of a rule profile of the organization`,
      type: 'rule_profile.unknown',
    },
  ]);
