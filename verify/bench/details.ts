import type { Actions } from './actions';
import type { BudgetResult } from './bench';
import { median } from './percentile';

const SHOWN_CHARACTERS = 90;
const SHOWN_STATEMENTS = 15;

/** Lists the actions and statements of a call, to find savings. */
export function details({ campaign, idle }: BudgetResult): string {
  const { contacts, usage, calls } = campaign;
  const kinds = new Set(calls.flatMap(({ actions }) => Object.keys(actions) as (keyof Actions)[]));
  const actions = [...kinds].map(
    (kind) => `  ${kind}: ${median(calls.map((call) => call.actions[kind] ?? 0))}`,
  );
  const idleCalls = new Map(idle.statements);
  const share = usage.elapsedMs / idle.elapsedMs;
  const statements = usage.statements
    .map(([query, count]): [string, number] => [
      query,
      (count - (idleCalls.get(query) ?? 0) * share) / contacts,
    ])
    .sort(([, a], [, b]) => b - a)
    .slice(0, SHOWN_STATEMENTS)
    .map(
      ([query, perCall]) =>
        `  ${perCall.toFixed(2)}  ${query.replace(/\s+/g, ' ').slice(0, SHOWN_CHARACTERS)}`,
    );
  return ['Actions of a call, median:', ...actions, 'Statements per call:', ...statements].join('\n');
}
