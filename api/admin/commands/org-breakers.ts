import { InvalidArgumentError, type Command } from 'commander';
import {
  breakerColumns,
  breakersOf,
  setBreakers,
  SPEND_EXEMPTIONS,
  type OwnBreakers,
  type SpendExemption,
} from '../../../db/campaigns/breakers';
import { amount, orDefault, override } from '../option-values';
import { requireOrganization, audited } from '../session';
import { fieldList, type Cell } from '../table';
import { runs, verb, type Admin } from '../verb';

const MAX_CREDITS = 999_999_999;

interface BreakerOptions {
  org: string;
  campaignSpendPerDay?: number | 'default';
  spendPerDay?: number | 'default';
  failureRate?: number | 'default';
  exempt?: SpendExemption[];
}

/** `org breakers`: spend limits and circuit breaker, which pause an organization's campaigns automatically. */
export function breakers(org: Command, admin: Admin): void {
  const credits = orDefault(amount(MAX_CREDITS));
  const command = verb(org, 'breakers', 'show or change spend limits and circuit breaker', [
    'breakers --org Acme',
    'breakers --org Acme --spend-per-day 500 --failure-rate 0.5',
    'breakers --org Acme --spend-per-day default',
    'breakers --org Acme --exempt callers,dispatches',
  ])
    .requiredOption('--org <org>', 'id or name')
    .option(
      '--campaign-spend-per-day <credits>',
      'limit for each campaign; 0 means unlimited, "default" uses the configured limit',
      credits,
    )
    .option(
      '--spend-per-day <credits>',
      'limit for the organization; 0 means unlimited, "default" uses the configured limit',
      credits,
    )
    .option(
      '--failure-rate <share>',
      'pause campaigns if this share of recent dials fails at the carrier, such as 0.5; 0 turns the circuit breaker off, "default" uses the configured limit',
      orDefault(amount(1)),
    )
    .option(
      '--exempt <calls>',
      'calls exempt from the daily spend limit: callers, dispatches, or both separated by a comma; "none" exempts neither',
      exemptions,
    );
  runs<BreakerOptions>(command, admin, async (session, options) => {
    const organization = await requireOrganization(session.db, options.org);
    const wanted = {
      campaignSpendPerDay: override(options.campaignSpendPerDay),
      spendPerDay: override(options.spendPerDay),
      failureRate: override(options.failureRate),
      ...(options.exempt !== undefined && { spendExempt: options.exempt }),
    };
    const fields = breakerColumns(wanted);
    if (fields.length > 0) {
      await audited(session, async (trx) => ({
        answer: await setBreakers(trx, organization.id, wanted),
        record: {
          organizationId: organization.id,
          action: 'org.update' as const,
          subjectId: organization.id,
          fields,
        },
      }));
    }
    const now = await breakersOf(session.db, organization.id, session.clock.now());
    return {
      text: shown(organization.name, now),
      json: { id: organization.id, name: organization.name, ...asJson(now) },
    };
  });
}

function exemptions(text: string): SpendExemption[] {
  if (text === 'none') return [];
  const names = text.split(',').map((name) => name.trim());
  const known = SPEND_EXEMPTIONS.filter((each) => names.includes(each));
  if (names.every((name) => SPEND_EXEMPTIONS.some((each) => each === name))) return known;
  throw new InvalidArgumentError('must be callers, dispatches, both separated by a comma, or none');
}

const limit = (value: number | null): Cell => (value === 0 ? 'unlimited' : (value ?? 'default'));

function shown(name: string, breakers: OwnBreakers & { spentToday: number }): string {
  return fieldList([
    ['name', name],
    ['credits per campaign and day', limit(breakers.campaignSpendPerDay)],
    ['credits per organization and day', limit(breakers.spendPerDay)],
    ['spent today (UTC)', breakers.spentToday],
    ['maximum share of failed dials', limit(breakers.failureRate)],
    ['exempt from the spend limit', breakers.spendExempt.join(', ') || 'none'],
  ]);
}

const asJson = (breakers: OwnBreakers & { spentToday: number }): object => ({
  campaign_spend_per_day: breakers.campaignSpendPerDay,
  spend_per_day: breakers.spendPerDay,
  failure_rate: breakers.failureRate,
  spend_exempt: breakers.spendExempt,
  spent_today: breakers.spentToday,
});
