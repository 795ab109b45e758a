/** Mutants that no test can find because the change has no observable effect. Every other survivor needs a test. */
import type { Mutant } from './mutant';

interface Accepted extends Pick<Mutant, 'file' | 'code' | 'nth' | 'column' | 'change'> {
  reason: string;
}

/** Accepts changes in one line of code for one reason. `nth` selects among equal lines in the file. */
const inLine = (
  file: string,
  code: string,
  reason: string,
  changes: readonly (readonly [column: number, change: string])[],
  nth = 1,
): Accepted[] => changes.map(([column, change]) => ({ file, code, nth, column, change, reason }));

const TRIPPED_BREAKER = 'db/functions/tripped_breaker.sql';
const START_DIAL = 'db/functions/start_dial.sql';
const TOO_MANY = 'db/functions/has_too_many_before.sql';

const NO_CAMPAIGN = 'a call without a campaign has no contact or attempt, so the next statement finds no row';
const NO_LIMIT = 'the next comparison with a null limit is null, too';
const SHORTCUT = 'the quick check only saves the exact one below, which has the same result';
const NO_REGISTRY =
  'without a registry start_dial skips it (`registryNotBefore` is null), so only the type needs this check';
const ONLY_ACTIVITIES_FAIL =
  'only an activity is awaited here. Any other error is a fault of the SDK or a cancellation, which the next activity meets, too';

export const ACCEPTED: readonly Accepted[] = [
  ...inLine(TRIPPED_BREAKER, 'if of_campaign is not null then', NO_LIMIT, [
    [6, 'of_campaign is not null → true'],
  ]),
  ...inLine(TRIPPED_BREAKER, 'if of_organization is not null then', NO_LIMIT, [
    [6, 'of_organization is not null → true'],
  ]),
  ...inLine(TRIPPED_BREAKER, 'if rate is not null then', NO_LIMIT, [[6, 'rate is not null → true']]),
  ...inLine(
    START_DIAL,
    'if k.campaign_id is not null then',
    'without a campaign there is no spend and no failure',
    [[6, 'k.campaign_id is not null → true']],
  ),
  ...inLine(
    START_DIAL,
    'if k.campaign_id is not null then',
    NO_CAMPAIGN,
    [[6, 'k.campaign_id is not null → true']],
    2,
  ),
  ...inLine(
    TOO_MANY,
    'if (select count(*) from lines l where l.organization_id = k.organization_id) <= allowed',
    SHORTCUT,
    [
      [6, '(select count(*) from lines l where l.organization_id = k.o… (182) → false'],
      [42, 'l.organization_id = k.organization_id → true'],
      [81, '<= → <'],
    ],
  ),
  ...inLine(
    TOO_MANY,
    'and (c.id is null or (select count(*) from lines l where l.campaign_id = c.id) <= c.concurrency) then',
    SHORTCUT,
    [
      [11, 'c.id is null → false'],
      [24, 'or → and'],
      [27, '(select count(*) from lines l where l.campaign_id = c.id) <… (74) → false'],
      [63, 'l.campaign_id = c.id → true'],
      [77, '= → <>'],
      [85, '<= → <'],
    ],
  ),
  ...inLine('activities/dialling/preparing.ts', "if (dndRegistry === null) return 'clear';", NO_REGISTRY, [
    [7, 'dndRegistry === null → false'],
  ]),
  ...['workflows/notification.ts', 'workflows/call.ts'].flatMap((file) =>
    inLine(file, 'if (!(error instanceof ActivityFailure)) throw error;', ONLY_ACTIVITIES_FAIL, [
      [9, '!(error instanceof ActivityFailure) → false'],
    ]),
  ),
  ...inLine(
    'domain/calling-window.ts',
    'for (let day = Math.max(today, firstDay), seen = 0; day <= lastDay && seen < 8; day += DAY_MS, seen++) {',
    'every weekday occurs within seven days, so the bound only ends a search without a result',
    [
      [55, 'seen < 8 dropped'],
      [78, '< → <='],
      [80, '8 → 9'],
    ],
  ),
];

export const acceptedAs = (mutant: Mutant): Accepted | null =>
  ACCEPTED.find(
    ({ file, code, nth, column, change }) =>
      file === mutant.file &&
      code === mutant.code &&
      nth === mutant.nth &&
      column === mutant.column &&
      change === mutant.change,
  ) ?? null;
