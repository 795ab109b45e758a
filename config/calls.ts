/** Variables for the rules and limits of calls. */
import { minuteOfDay, type DailyWindow } from '../domain/calling-window';
import { NUMBER_TYPES, ORDINARY_TYPES } from '../domain/phone-number';
import { SHIPPED_PROFILES } from '../domain/rules/profile';
import { readRates } from '../domain/usage-cost';
import { choice, flag, integer, items, number, parsed, variable, type Kind } from './variable';

const PLATFORM = ['api', 'worker'] as const;

const dailyWindow = parsed(
  'HH:MM-HH:MM',
  'two times of day, such as 02:30-14:29',
  (given): DailyWindow | undefined => {
    const [start, end, ...rest] = given.split('-').map((time) => minuteOfDay(time.trim()));
    if (typeof start !== 'number' || typeof end !== 'number' || rest.length > 0 || end <= start)
      return undefined;
    return { startMinute: start, endMinute: end };
  },
);

const countries = items(
  'ISO codes, comma-separated, or *',
  'ISO country codes, such as IN,AE, or *',
  (item) => (/^([A-Z]{2}|\*)$/i.test(item) ? item.toUpperCase() : undefined),
);

const numberTypes = items(
  'types, comma-separated, or *',
  `* or a comma-separated list of ${NUMBER_TYPES.join(', ')}`,
  (item) => ([...NUMBER_TYPES, '*'] as const).find((type) => type === item.toLowerCase()),
);

const rates: Kind<Extract<ReturnType<typeof readRates>, { rates: unknown }>['rates']> = {
  limits: 'JSON',
  parse: (given) => {
    const read = readRates(given);
    return 'rates' in read ? { value: read.rates } : read;
  },
};

/** Domain names without `*`. Each includes its subdomains. */
const domains = items(
  'comma-separated domains',
  'comma-separated domains or addresses, such as pbx.example.com',
  (item) => (/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(item) ? item.toLowerCase() : undefined),
);

const spendPerDay = (description: string) =>
  variable({ kind: number({ min: 0, unit: 'credits' }), default: 0, readBy: PLATFORM, description });

export const CALLS = {
  DISPATCH_WAIT_LIMIT_S: variable({
    kind: integer({ min: 1, max: 86_400, unit: 'seconds' }),
    default: 900,
    readBy: PLATFORM,
    description: 'How long a dispatched call waits for a free line before it ends as `expired`.',
  }),
  RING_TIMEOUT_S: variable({
    kind: integer({ min: 5, max: 120, unit: 'seconds' }),
    default: 30,
    readBy: PLATFORM,
    as: 'ringTimeoutS',
    description: 'How long a call rings before it counts as not answered.',
  }),
  LEGAL_WINDOW_UTC: variable({
    kind: dailyWindow,
    default: '02:30-14:29',
    readBy: PLATFORM,
    as: 'legalWindow',
    description:
      'Legal window in UTC. Campaigns without `window_timezone` must lie within it. The worker uses it for callbacks of dispatched calls.',
  }),
  LEGAL_WINDOW_LOCAL: variable({
    kind: dailyWindow,
    default: '08:00-21:00',
    readBy: PLATFORM,
    as: 'legalWindowLocal',
    description:
      'Limit for campaigns whose window is in another zone than UTC (`window_timezone`), in that zone. It replaces LEGAL_WINDOW_UTC for them.',
  }),
  RULE_PROFILE: variable({
    kind: choice(...SHIPPED_PROFILES),
    readBy: PLATFORM,
    as: 'ruleProfile',
    description:
      'Shipped rule profile (docs/rules.md) for the campaigns and callbacks of all organizations, in addition to their own profiles. Unset means none.',
  }),
  RULES_FOR_DISPATCHES: variable({
    kind: flag,
    default: false,
    readBy: PLATFORM,
    as: 'rulesForDispatches',
    description:
      'Whether RULE_PROFILE also refuses dispatched calls. They count towards its caps in any case.',
  }),
  ALLOWED_COUNTRIES: variable({
    kind: countries,
    default: 'IN',
    readBy: PLATFORM,
    as: 'allowedCountries',
    description: 'Countries whose numbers can be dialled and called back.',
  }),
  ALLOWED_NUMBER_TYPES: variable({
    kind: numberTypes,
    default: ORDINARY_TYPES.join(','),
    readBy: PLATFORM,
    as: 'allowedNumberTypes',
    description: `Types of numbers that can be dialled: ${NUMBER_TYPES.join(', ').replace('international_network', 'international_network (+800, +870, +878, +881, +882, +883)')}. Types outside the default can be very expensive.`,
  }),
  NUMBERS: variable({
    kind: choice('any', 'registered'),
    default: 'any',
    readBy: PLATFORM,
    description:
      "Numbers that agents can call from and answer. any: all that aren't registered for another organization (`npm run admin -- number`). registered: only those that are registered for their own organization.",
  }),
  CREDITS_PER_MINUTE: variable({
    kind: number({ min: 0 }),
    default: 1,
    readBy: PLATFORM,
    as: 'creditsPerMinute',
    description: 'Credits per started minute of talk time.',
  }),
  USAGE_RATES: variable({
    kind: rates,
    default: '{}',
    readBy: PLATFORM,
    as: 'usageRates',
    description:
      'Prices of the models that calls use, by provider/model (docs/analysis.md), such as {"openai/gpt-4o-mini": {"input_per_million": 0.15, "output_per_million": 0.6}}. Without a rate, usage has no cost.',
  }),
  CALLS_PER_SECOND: variable({
    kind: number({ min: 0, max: 1_000 }),
    default: 0,
    readBy: PLATFORM,
    as: 'callsPerSecond',
    description:
      "Maximum number of calls per second on the carrier's trunk, across all workers. 0 means no limit, and 0.5 means one every two seconds. For dry runs, the API uses this, CAMPAIGN_SPEND_PER_DAY and ORGANIZATION_SPEND_PER_DAY.",
  }),
  CAMPAIGN_SPEND_PER_DAY: spendPerDay(
    'Spend limit per campaign and UTC day. A campaign that reaches it is paused. 0 means no limit. `npm run admin -- org breakers` overrides it for one organization.',
  ),
  ORGANIZATION_SPEND_PER_DAY: spendPerDay(
    'Spend limit per UTC day for all campaigns of an organization together. 0 means no limit.',
  ),
  BREAKER_FAILURE_RATE: variable({
    kind: number({ min: 0, max: 1 }),
    default: 0,
    readBy: ['worker'],
    description:
      'Circuit breaker: campaigns are paused if this share of the last BREAKER_DIALS dials failed at the carrier. 0.5 is a good value. 0 turns it off.',
  }),
  BREAKER_DIALS: variable({
    kind: integer({ min: 1, max: 100 }),
    default: 20,
    readBy: ['worker'],
    description: 'Number of recent dials that the circuit breaker evaluates.',
  }),
  CALLBACK_DELAY_MINS: variable({
    kind: integer({ min: 1, max: 10_080, unit: 'minutes' }),
    default: 60,
    readBy: ['worker'],
    description: 'Delay before a callback if the person named no time.',
  }),
  CALLBACKS_PER_DAY: variable({
    kind: integer({ min: 1, max: 1_000 }),
    default: 3,
    readBy: ['worker'],
    as: 'callbacksPerDay',
    description: 'Maximum number of callbacks per organization and phone number on a UTC day.',
  }),
  TRANSFER_SIP_DOMAINS: variable({
    kind: domains,
    default: '',
    readBy: ['api'],
    as: 'transferSipDomains',
    description:
      "Domains of SIP addresses to which calls can be transferred, without subdomains. Never list your trunk's domain, because then a transfer could dial any number through the trunk. Transfers to phone numbers are limited by ALLOWED_COUNTRIES and ALLOWED_NUMBER_TYPES instead.",
  }),
  TRANSFER_MINUTES: variable({
    kind: number({ min: 0, max: 1_440, unit: 'minutes' }),
    default: 10,
    readBy: ['api'],
    as: 'transferMinutes',
    description:
      'Minutes that each transfer adds to the spend, because its real length is unknown. Each minute costs CREDITS_PER_MINUTE.',
  }),
};
