/** The shipped rule profiles and the organization's own. */
import {
  deleteRuleProfile,
  findOwnProfile,
  MAX_RULE_PROFILES,
  ownProfiles,
  putRuleProfile,
  type OwnProfile,
} from '../../db/organizations/rule-profiles';
import {
  isShippedProfile,
  SHIPPED_PROFILES,
  shippedProfile,
  sourcesOf,
  type RuleProfile,
} from '../../domain/rules/profile';
import type { ApiDependencies, RouteTools } from '../dependencies';
import type { ApiClient } from '../http/auth/api-key';
import { answers, byKey, endpoint, json, type Endpoint } from '../http/endpoint';
import {
  ruleProfileInUse,
  ruleProfileNotFound,
  ruleProfileReserved,
  tooManyRuleProfiles,
} from '../http/errors/refusals';
import { done, iso } from '../http/responses';
import { flag, nonEmptyText, text, timestamp } from '../http/schema/kinds';
import { about, list, nullable, object, type ValueOf } from '../http/schema/field';
import { completeProfile, PROFILE_NAME, profileName, storedProfile } from './schema';

const PATH = '/api/rule-profiles';
const ONE = `${PATH}/:name`;
/** More than a profile with the maximum number of holidays contains. */
const MAX_VALUES = 5_000;

const source = object(
  {
    source: about(text(), 'Public page that states the value, or docs/rules.md for our own choices'),
    verified: about(flag(), 'Whether a lawyer has checked the value'),
    note: about(text(), 'What the page says'),
  },
  { name: 'RuleSource' },
);

const namedProfile = object(
  {
    name: text(),
    shipped: about(
      flag(),
      'Whether the profile is shipped with the platform. Such profiles cannot be changed',
    ),
    title: about(nullable(text()), 'What the profile is for. Null for your own profiles'),
    profile: completeProfile,
    sources: about(
      nullable(
        object(
          {
            hours: source,
            holiday_dates: source,
            ambiguous_zone: source,
            max_per_day: source,
            max_per_7_days: source,
            min_gap_minutes: source,
            consent: source,
            disclosure: source,
            caller_id_prefixes: source,
          },
          { name: 'RuleSources' },
        ),
      ),
      'Where each value comes from. Null for your own profiles',
    ),
    created_at: about(nullable(timestamp()), 'Null for shipped profiles'),
    updated_at: about(nullable(timestamp()), 'Null for shipped profiles'),
  },
  { name: 'NamedRuleProfile' },
);
type NamedProfileBody = ValueOf<typeof namedProfile>;

export const profileEndpoints = (tools: RouteTools): Endpoint[] => [
  listing(tools),
  reading(tools),
  putting(tools),
  deleting(tools),
];

const listing = ({ deps: { db } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: PATH,
    tag: 'Rules',
    summary: 'List the shipped rule profiles and those of the organization',
    description: `Lists all of them on one page. An organization can have ${MAX_RULE_PROFILES}.`,
    access: byKey,
    scope: 'read',
    input: {},
    answer: answers('The profiles', object({ data: list(namedProfile) }, { name: 'RuleProfiles' })),
    handle: (_input, organization) => ownProfiles(db, organization.id),
    present: (own) => ({ data: [...SHIPPED_PROFILES.map(presentShipped), ...own.map(presentOwn)] }),
  });

/** A malformed name gets the same 404 response as an unknown one. */
const anyName = object({ name: about(nonEmptyText(64), 'Name of the profile') });

const reading = ({ deps: { db } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: ONE,
    tag: 'Rules',
    summary: 'Get a rule profile',
    access: byKey,
    scope: 'read',
    input: { params: anyName },
    answer: answers('The profile', namedProfile),
    refusals: [ruleProfileNotFound()],
    handle: async ({ params: { name } }, organization) => {
      if (isShippedProfile(name)) return presentShipped(name);
      const own = PROFILE_NAME.test(name) ? await findOwnProfile(db, organization.id, name) : undefined;
      if (own === undefined) throw ruleProfileNotFound();
      return presentOwn(own);
    },
    present: (profile) => profile,
  });

const putting = ({ deps }: RouteTools) =>
  endpoint({
    method: 'put',
    path: ONE,
    tag: 'Rules',
    summary: 'Create or replace a rule profile',
    description:
      'A change also applies to open campaigns that use the profile. Unknown fields are rejected, because ignoring one could allow a call.',
    access: byKey,
    scope: 'configure',
    input: {
      params: object({
        name: about(profileName(), '1 to 64 lowercase letters, digits and hyphens', 'my-rules'),
      }),
      body: json(storedProfile, {
        maxValues: MAX_VALUES,
        examples: {
          weekdays: {
            summary: 'Two attempts a day, four hours apart, on weekday afternoons',
            value: {
              hours: { monday: [['13:00', '20:00']], tuesday: [['13:00', '20:00']] },
              holiday_dates: ['2026-12-25'],
              max_per_day: 2,
              min_gap_minutes: 240,
            },
          },
        },
      }),
    },
    answer: answers('The stored profile', namedProfile),
    refusals: [ruleProfileReserved(), tooManyRuleProfiles(MAX_RULE_PROFILES)],
    handle: ({ params: { name }, body }, organization) => put(deps, name, body, organization),
    present: presentOwn,
  });

const deleting = ({ deps }: RouteTools) =>
  endpoint({
    method: 'delete',
    path: ONE,
    tag: 'Rules',
    summary: 'Delete a rule profile',
    access: byKey,
    scope: 'configure',
    input: { params: anyName },
    answer: answers('The profile is deleted', done),
    refusals: [ruleProfileNotFound(), ruleProfileReserved(), ruleProfileInUse()],
    handle: ({ params: { name } }, organization) => remove(deps, name, organization),
    present: () => ({ success: true }) as const,
  });

type Dependencies = Pick<ApiDependencies, 'db' | 'clock'>;

async function put(
  { db, clock }: Dependencies,
  name: string,
  profile: RuleProfile,
  { id: organizationId, actor }: ApiClient,
): Promise<OwnProfile> {
  if (isShippedProfile(name)) throw ruleProfileReserved();
  const stored = await putRuleProfile(db, { organizationId, name, profile, actor, now: clock.now() });
  if (stored === undefined) throw tooManyRuleProfiles(MAX_RULE_PROFILES);
  return stored;
}

async function remove(
  { db, clock }: Dependencies,
  name: string,
  { id: organizationId, actor }: ApiClient,
): Promise<void> {
  if (isShippedProfile(name)) throw ruleProfileReserved();
  if (!PROFILE_NAME.test(name)) throw ruleProfileNotFound();
  const result = await deleteRuleProfile(db, { organizationId, name, actor, now: clock.now() });
  if (result === 'unknown') throw ruleProfileNotFound();
  if (result === 'in use') throw ruleProfileInUse();
}

function presentShipped(name: (typeof SHIPPED_PROFILES)[number]): NamedProfileBody {
  const profile = presentRules(shippedProfile(name));
  return { name, shipped: true, ...sourcesOf(name), profile, created_at: null, updated_at: null };
}

function presentOwn({ name, profile, createdAt, updatedAt }: OwnProfile): NamedProfileBody {
  return {
    name,
    shipped: false,
    title: null,
    profile: presentRules(profile),
    sources: null,
    created_at: iso(createdAt),
    updated_at: iso(updatedAt),
  };
}

const presentRules = ({
  holiday_dates,
  caller_id_prefixes,
  ...rules
}: RuleProfile): NamedProfileBody['profile'] => ({
  ...rules,
  holiday_dates: [...holiday_dates],
  caller_id_prefixes: caller_id_prefixes && [...caller_id_prefixes],
});
