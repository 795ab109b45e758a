/** Limits and usage of an organization. */
import { registeredNumbers } from '../../db/agents/numbers';
import { lineUsage } from '../../db/organizations/organizations';
import { breakersOf, type OwnBreakers } from '../../db/campaigns/breakers';
import { SCOPES } from '../../db/organizations/api-keys';
import { keptOf } from '../../db/organizations/quotas';
import { QUOTA_NAMES } from '../../domain/quotas';
import type { RouteTools } from '../dependencies';
import { answers, byKey, endpoint, type Endpoint } from '../http/endpoint';
import { limitsOf, quotasOf } from '../http/limits';
import { integer, number, oneOf, text } from '../http/schema/kinds';
import { about, list, nullable, object, type ValueOf } from '../http/schema/field';
import type { ApiSettings } from '../settings';

const limits = object(
  {
    max_concurrency: about(integer(1), 'Maximum number of live calls of the organization'),
    caller_lines: about(integer(0), 'How many of these lines callers may use at once'),
    live_calls: about(integer(0), 'Number of calls that hold a line now'),
    waiting_calls: about(integer(0), 'Number of calls that wait for a line now'),
    rate_limits: object(
      {
        dispatch_per_minute: about(integer(0), 'Dispatches; 0 means unlimited'),
        other_per_minute: about(integer(0), 'All other requests; 0 means unlimited'),
      },
      { name: 'RateLimits' },
    ),
    breakers: object(
      {
        campaign_spend_per_day: about(
          nullable(number(0)),
          'Credits that a campaign may spend per day; null means unlimited',
        ),
        spend_per_day: about(
          nullable(number(0)),
          'Credits that the organization may spend per day; null means unlimited',
        ),
        spent_today: about(number(0), 'Credits that the organization has spent today'),
        failure_rate: about(
          nullable(number(0, 1)),
          "Share of recent dials that the carrier may fail before campaigns pause; 0 means unlimited. Null uses the operator's setting",
        ),
      },
      {
        name: 'Breakers',
        description: 'Spend limits and circuit breaker, which pause campaigns automatically. Days are in UTC',
      },
    ),
    numbers: about(list(text()), 'E.164 numbers that only this organization may call from and answer'),
    quotas: about(
      list(
        object(
          {
            name: oneOf(...QUOTA_NAMES),
            used: about(integer(0), 'Amount stored now'),
            limit: about(nullable(integer(1)), 'Maximum amount; null means unlimited'),
          },
          { name: 'Quota' },
        ),
      ),
      'Limits on what the organization may store',
    ),
    scopes: about(list(oneOf(...SCOPES)), 'Scopes of the API key of this request'),
  },
  { name: 'Limits' },
);
type LimitsBody = ValueOf<typeof limits>;

export const limitsEndpoints = ({ deps: { db, settings, clock } }: RouteTools): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/api/limits',
    tag: 'Account',
    summary: "Get the organization's limits and usage, and the scopes of the API key",
    access: byKey,
    scope: 'read',
    input: {},
    answer: answers('The limits', limits),
    handle: async (_input, organization) => ({
      ...(await lineUsage(db, organization.id)),
      numbers: await registeredNumbers(db, organization.id),
      breakers: await breakersOf(db, organization.id, clock.now()),
      kept: await keptOf(db, organization.id),
    }),
    present: ({ liveCalls, waitingCalls, numbers, breakers, kept }, { who }) => {
      const quotas = quotasOf(who, settings.quotas);
      const { dispatchPerMinute, otherPerMinute } = limitsOf(who, settings.rateLimits);
      return {
        max_concurrency: who.maxConcurrency,
        caller_lines: who.callerLines,
        live_calls: liveCalls,
        waiting_calls: waitingCalls,
        rate_limits: { dispatch_per_minute: dispatchPerMinute, other_per_minute: otherPerMinute },
        breakers: presentBreakers(breakers, settings.spendPerDay),
        numbers,
        quotas: QUOTA_NAMES.map((name) => ({ name, used: kept[name], limit: quotas[name] || null })),
        scopes: [...(who.scopes ?? SCOPES)],
      };
    },
  }),
];

/** Returns the effective limits. The organization's values override the configured ones. */
const presentBreakers = (
  { campaignSpendPerDay, spendPerDay, failureRate, spentToday }: OwnBreakers & { spentToday: number },
  configured: ApiSettings['spendPerDay'],
): LimitsBody['breakers'] => ({
  campaign_spend_per_day: limitOf(campaignSpendPerDay ?? configured.perCampaign),
  spend_per_day: limitOf(spendPerDay ?? configured.perOrganization),
  spent_today: spentToday,
  failure_rate: failureRate,
});

/** 0 means unlimited. */
const limitOf = (credits: number): number | null => (credits === 0 ? null : credits);
