/** Decides whether the rules allow a dial, for `start_dial`, which then checks that the decision still holds. */
import type { DecidedRules, Deferral, RulesQuestion } from '../../db/calls/engine';
import { mayDial, type DialDecision } from '../../domain/rules/dialling';
import type { RuleProfile } from '../../domain/rules/profile';
import { rulesOf } from '../../domain/rules/stored-rules';

export function decideDial(
  { to, timezone, consent, attempts, rules }: RulesQuestion,
  ofOperator: RuleProfile | null,
  now: number,
): DialDecision {
  const callee = { toNumber: to, timezone, consent, attempts: attempts.map((at) => Date.parse(at)) };
  return mayDial(rulesOf(rules, ofOperator), callee, now);
}

export const profilesOf = ({ rules }: RulesQuestion, ofOperator: RuleProfile | null): RuleProfile[] =>
  rulesOf(rules, ofOperator).profiles.map(({ profile }) => profile);

/** Returns the prefixes that the profiles require of a caller ID. */
export const prefixesOf = (profiles: readonly RuleProfile[]): string[] =>
  profiles.flatMap(({ caller_id_prefixes: prefixes }) => prefixes ?? []);

/** Returns the decision as a guard of `start_dial`. */
export const decidedRules = (
  { version, attempts }: RulesQuestion,
  { within }: Extract<DialDecision, { isAllowed: true }>,
): DecidedRules => ({
  version,
  attempts: attempts.length,
  from: new Date(within.from).toISOString(),
  until: new Date(within.until).toISOString(),
});

/** A contact whose last window has closed expires. One that the rules never allow is invalid, with the name of the rule. */
export function deferral({
  refusedBy,
  nextAllowedAt,
}: Extract<DialDecision, { isAllowed: false }>): Deferral {
  const isOver = nextAllowedAt === null && refusedBy.includes('window');
  return {
    until: nextAllowedAt,
    state: isOver ? 'expired' : 'invalid',
    reason: isOver ? 'campaign_over' : (refusedBy.at(-1) ?? 'rules'),
  };
}
