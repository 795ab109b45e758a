import { InvalidArgumentError, type Command } from 'commander';
import {
  brakeColumns,
  brakesOf,
  setBrakes,
  SPEND_EXEMPTIONS,
  type OwnBrakes,
  type SpendExemption,
} from '../../../db/campaigns/brakes';
import { amount, orDefault, override } from '../option-values';
import { organisation } from '../organisation';
import { audited } from '../session';
import { fieldList, type Cell } from '../table';
import { runs, verb, type Admin } from '../verb';

const MAX_CREDITS = 999_999_999;

interface BrakeOptions {
  org: string;
  campaignSpendPerDay?: number | 'default';
  spendPerDay?: number | 'default';
  failureRate?: number | 'default';
  exempt?: SpendExemption[];
}

/** `org brakes`: spend limits and circuit breaker, which pause an organization's campaigns automatically. */
export function brakes(org: Command, admin: Admin): void {
  const credits = orDefault(amount(MAX_CREDITS));
  const command = verb(org, 'brakes', 'show or change spend limits and circuit breaker', [
    'brakes --org Acme',
    'brakes --org Acme --spend-per-day 500 --failure-rate 0.5',
    'brakes --org Acme --spend-per-day default',
    'brakes --org Acme --exempt callers,dispatches',
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
      'share of recent dials that the carrier may fail, such as 0.5; 0 means unlimited, "default" uses the configured limit',
      orDefault(amount(1)),
    )
    .option(
      '--exempt <calls>',
      'calls allowed beyond the daily spend limit: callers, dispatches or both; "none" for neither',
      exemptions,
    );
  runs<BrakeOptions>(command, admin, async (session, options) => {
    const client = await organisation(session.db, options.org);
    const wanted = {
      campaignSpendPerDay: override(options.campaignSpendPerDay),
      spendPerDay: override(options.spendPerDay),
      failureRate: override(options.failureRate),
      ...(options.exempt !== undefined && { spendExempt: options.exempt }),
    };
    const fields = brakeColumns(wanted);
    if (fields.length > 0) {
      await audited(session, async (trx) => ({
        answer: await setBrakes(trx, client.id, wanted),
        record: { clientId: client.id, action: 'org.update' as const, subjectId: client.id, fields },
      }));
    }
    const now = await brakesOf(session.db, client.id, session.clock.now());
    return { text: shown(client.name, now), json: { id: client.id, name: client.name, ...asJson(now) } };
  });
}

function exemptions(text: string): SpendExemption[] {
  if (text === 'none') return [];
  const names = text.split(',').map((name) => name.trim());
  const known = SPEND_EXEMPTIONS.filter((each) => names.includes(each));
  if (names.every((name) => SPEND_EXEMPTIONS.some((each) => each === name))) return known;
  throw new InvalidArgumentError('must be callers, dispatches, both separated by a comma, or none');
}

const limit = (value: number | null): Cell => (value === 0 ? 'unlimited' : (value ?? 'as configured'));

function shown(name: string, brakes: OwnBrakes & { spentToday: number }): string {
  return fieldList([
    ['name', name],
    ['credits per day and campaign', limit(brakes.campaignSpendPerDay)],
    ['credits per day in total', limit(brakes.spendPerDay)],
    ['spent today (UTC)', brakes.spentToday],
    ['maximum share of failed dials', limit(brakes.failureRate)],
    ['allowed beyond the spend limit', brakes.spendExempt.join(', ') || 'none'],
  ]);
}

const asJson = (brakes: OwnBrakes & { spentToday: number }): object => ({
  campaign_spend_per_day: brakes.campaignSpendPerDay,
  spend_per_day: brakes.spendPerDay,
  failure_rate: brakes.failureRate,
  spend_exempt: brakes.spendExempt,
  spent_today: brakes.spentToday,
});
