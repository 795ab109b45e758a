/** The rule profile that applies to all campaigns and callbacks of an organization. */
import { recordAudit } from '../../db/organizations/audit';
import { organizationProfile, setOrganizationProfile } from '../../db/organizations/rule-profiles';
import type { ApiDependencies, RouteTools } from '../dependencies';
import type { ApiClient } from '../http/auth/api-key';
import { answers, byKey, endpoint, json, type Endpoint } from '../http/endpoint';
import { text } from '../http/schema/kinds';
import { about, nullable, object } from '../http/schema/field';
import { refusingUnknownProfile } from './named-profile';
import { profileName } from './schema';

const PATH = '/api/rules/organization-profile';

const organizationRules = object(
  {
    rule_profile: about(
      nullable(text()),
      'Profile of the organization, which applies to all its campaigns and callbacks. Null for none',
      'us-tcpa',
    ),
    operator_rule_profile: about(
      nullable(text()),
      'Profile of the operator, which applies to all organizations. Null for none',
    ),
  },
  { name: 'OrganizationRules' },
);

export const organizationProfileEndpoints = (tools: RouteTools): Endpoint[] => [
  reading(tools),
  setting(tools),
];

const reading = ({ deps: { db, settings } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: PATH,
    tag: 'Rules',
    summary: 'Get the rule profile of the organization',
    access: byKey,
    scope: 'read',
    input: {},
    answer: answers('The profiles', organizationRules),
    handle: (_input, organization) => organizationProfile(db, organization.id),
    present: (name) => ({ rule_profile: name, operator_rule_profile: settings.ruleProfile }),
  });

const setting = ({ deps }: RouteTools) =>
  endpoint({
    method: 'put',
    path: PATH,
    tag: 'Rules',
    summary: 'Set the rule profile of the organization',
    description:
      "It applies in addition to the profiles of the operator and of the campaign: a call is dialled only if all of them allow it. `null` removes the organization's profile.",
    access: byKey,
    scope: 'configure',
    input: {
      body: json(
        object(
          {
            rule_profile: about(
              nullable(profileName()),
              'Name of a shipped profile or of one of your own. Null for none',
            ),
          },
          { name: 'SetOrganizationRules' },
        ),
        {
          examples: {
            shipped: { summary: 'A shipped profile', value: { rule_profile: 'us-tcpa' } },
            none: { summary: 'No profile', value: { rule_profile: null } },
          },
        },
      ),
    },
    answer: answers('The profiles', organizationRules),
    handle: async ({ body: { rule_profile: name } }, organization) => {
      await set(deps, name, organization);
      return name;
    },
    present: (name) => ({ rule_profile: name, operator_rule_profile: deps.settings.ruleProfile }),
  });

const set = (
  { db, clock }: Pick<ApiDependencies, 'db' | 'clock'>,
  name: string | null,
  { id: organizationId, actor }: ApiClient,
): Promise<void> =>
  refusingUnknownProfile(
    db.transaction(async (trx) => {
      const now = clock.now();
      await setOrganizationProfile(trx, organizationId, { name, now });
      await recordAudit(trx, {
        organizationId,
        actor,
        action: 'org.update',
        subjectId: organizationId,
        fields: ['rule_profile'],
        now,
      });
    }),
  );
