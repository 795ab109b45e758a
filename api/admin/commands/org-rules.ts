import type { Command } from 'commander';
import {
  organizationProfile,
  setOrganizationProfile,
  UnknownRuleProfile,
} from '../../../db/organizations/rule-profiles';
import { label } from '../option-values';
import { audited, requireOrganization, UsageError } from '../session';
import { fieldList } from '../table';
import { runs, verb, type Admin } from '../verb';

/** `org rules`: the rule profile for all campaigns and callbacks of an organization. */
export function rules(org: Command, admin: Admin): void {
  const command = verb(org, 'rules', 'show or change the rule profile of an organization', [
    'rules --org Acme',
    'rules --org Acme --profile us-tcpa',
    'rules --org Acme --profile default',
  ])
    .requiredOption('--org <org>', 'id or name')
    .option(
      '--profile <name>',
      'a shipped profile or one of the organization; "default" uses only the configured one',
      label,
    );
  runs<{ org: string; profile?: string }>(command, admin, async (session, { org: idOrName, profile }) => {
    const { id, name } = await requireOrganization(session.db, idOrName);
    if (profile !== undefined) {
      await audited(session, async (trx) => ({
        answer: await setOrganizationProfile(trx, id, {
          name: profile === 'default' ? null : profile,
          now: session.clock.now(),
        }),
        record: {
          organizationId: id,
          action: 'org.update' as const,
          subjectId: id,
          fields: ['rule_profile'],
        },
      })).catch(refuseUnknownProfile);
    }
    const current = await organizationProfile(session.db, id);
    return {
      text: fieldList([
        ['name', name],
        ['rule profile', current ?? 'default'],
      ]),
      json: { id, name, rule_profile: current },
    };
  });
}

function refuseUnknownProfile(error: unknown): never {
  throw error instanceof UnknownRuleProfile
    ? new UsageError('--profile must be a shipped rule profile or one of the organization')
    : error;
}
