import { decide, ruleSetOf, type Decision } from '../../domain/rules/decide';
import { TimeSlice } from '../../runtime/loop-turn';
import type { RuleProfile } from '../../domain/rules/profile';
import type { DecisionRequest } from './schema';

/** Answers the questions in their order. A question takes up to a few milliseconds, so other requests are served in between. */
export async function decideAll(
  profile: RuleProfile,
  questions: DecisionRequest['questions'],
): Promise<Decision[]> {
  const rules = ruleSetOf(profile);
  const decisions: Decision[] = [];
  const slice = new TimeSlice();
  for (const { to_number: toNumber, ...question } of questions) {
    await slice.end();
    decisions.push(decide(rules, { ...question, toNumber }));
  }
  return decisions;
}
