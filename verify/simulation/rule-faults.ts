/** Planted faults in local windows, rule profiles, the rule of one live call per number, and appends. */
import { changedSource } from './changed-activities';
import { inScene, type SceneName } from './plan/rules';
import type { PlantedSimulationFault } from './planted-fault';

const planted = (
  name: string,
  invariant: number,
  change: Partial<Pick<PlantedSimulationFault, 'sql' | 'activities'>>,
  scene?: SceneName,
): PlantedSimulationFault => ({
  name,
  invariant,
  sql: [],
  workflow: null,
  ...change,
  ...(scene !== undefined && { needs: (plan) => inScene(plan, scene) }),
});

const startDial = changedSource({
  file: 'db/functions/start_dial.sql',
  from: `attempts := attempts_of(k.organization_id, k.to_number, coalesce(p_guards->'numberHashes', '[]'), p_now);`,
  to: `attempts := attempts_of(k.organization_id, k.to_number, coalesce(p_guards->'numberHashes', '[]'), k.accepted_at);
    attempts := array(select at from unnest(attempts) at where at < k.accepted_at);`,
});
const deferDial = changedSource({
  file: 'db/functions/defer_dial.sql',
  from: 'next_attempt_at = p_until, callback_of',
  to: 'next_attempt_at = p_now, callback_of',
});
const grantLines = changedSource({
  file: 'db/functions/grant_lines.sql',
  from: `select coalesce(jsonb_object_agg(number, true), '{}') into busy from lines where organization_id = p_organization and number is not null;`,
  to: `busy := '{}';`,
});

const loseContact = changedSource({
  file: 'db/functions/store_contacts.sql',
  from: 'from compared order by new_row',
  to: 'from compared order by new_row offset 1',
});
const storeAgain = changedSource({
  file: 'db/functions/store_contacts.sql',
  from: 'where copy = 1 and case',
  to: 'where copy = 1 or case',
});

const windowInUtc = {
  file: 'domain/rules/stored-rules.ts',
  from: `timezone: stored.windowTimezone ?? 'UTC'`,
  to: `timezone: 'UTC'`,
};
const lateClockChange = {
  file: 'domain/rules/zone-spans.ts',
  from: 'return high * SECOND_MS;',
  to: 'return (high + 3_600) * SECOND_MS;',
};

export const RULE_FAULTS: readonly PlantedSimulationFault[] = [
  planted("a campaign's window is read in UTC", 3, { activities: windowInUtc }, 'day'),
  planted('a clock change takes effect an hour late', 3, { activities: lateClockChange }, 'clock change'),
  planted(
    'caps count the attempts before the claim, outside the locks of the dial',
    3,
    { sql: [startDial] },
    'day',
  ),
  planted('a refused call can be granted a line again at once', 5, { sql: [deferDial] }, 'midnight'),
  planted('a number can have two live calls', 2, { sql: ['drop index lines_of_number', grantLines] }, 'day'),
  planted('an append loses a contact', 5, { sql: [loseContact] }),
  planted('a repeated append is stored twice', 5, {
    sql: ['drop index contacts_of_external_id', storeAgain],
  }),
];
