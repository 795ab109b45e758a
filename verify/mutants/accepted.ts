/** Mutants that no test can find, as nothing that anybody sees depends on the change. Whatever else survives needs a test. */
import type { Mutant } from './mutant';

export interface Accepted extends Pick<Mutant, 'file' | 'code' | 'column' | 'change'> {
  reason: string;
}

/** All of one line of code, for one reason. */
const inLine = (
  file: string,
  code: string,
  reason: string,
  changes: readonly (readonly [column: number, change: string])[],
): Accepted[] => changes.map(([column, change]) => ({ file, code, column, change, reason }));

const NO_CAMPAIGN = 'a call without a campaign has no contact either, so that what follows finds no row';
const NO_LIMIT = 'nothing is as large as a limit that is null: the comparison that follows is null too';
const SHORTCUT = 'the quick look only saves the exact one below, which answers the same';

export const ACCEPTED: readonly Accepted[] = [
  ...inLine('db/functions/brake_of.sql', 'if of_campaign is not null then', NO_LIMIT, [
    [6, 'of_campaign is not null → true'],
  ]),
  ...inLine('db/functions/brake_of.sql', 'if of_client is not null then', NO_LIMIT, [
    [6, 'of_client is not null → true'],
  ]),
  ...inLine('db/functions/brake_of.sql', 'if rate is not null then', NO_LIMIT, [
    [6, 'rate is not null → true'],
  ]),
  ...inLine('db/functions/start_dial.sql', 'if k.campaign_id is not null then', NO_CAMPAIGN, [
    [6, 'k.campaign_id is not null → true'],
  ]),
  ...inLine(
    'db/functions/has_too_many_before.sql',
    'if (select count(*) from lines l where l.client_id = k.client_id) <= allowed',
    SHORTCUT,
    [[69, '<= → <']],
  ),
  ...inLine(
    'db/functions/has_too_many_before.sql',
    'and (c.id is null or (select count(*) from lines l where l.campaign_id = c.id) <= c.call_concurrency) then',
    SHORTCUT,
    [[85, '<= → <']],
  ),
];

export const acceptedAs = (mutant: Mutant): Accepted | null =>
  ACCEPTED.find(
    ({ file, code, column, change }) =>
      file === mutant.file && code === mutant.code && column === mutant.column && change === mutant.change,
  ) ?? null;
