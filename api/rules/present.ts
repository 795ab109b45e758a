import { RULES, ZONE_SOURCES, type Decision } from '../../domain/rules/decide';
import { about, list, nullable, object, type ValueOf } from '../http/schema/field';
import { flag, oneOf, text, timestamp } from '../http/schema/kinds';

const answer = object(
  {
    allowed: about(flag(), 'Whether the number may be called'),
    refused_by: about(list(oneOf(...RULES)), 'Every rule that refuses the call'),
    timezones: about(list(text()), 'The zones in which the rules applied'),
    zone_source: about(
      oneOf(...ZONE_SOURCES),
      '`contact` if the question named the zone, `number` if the zones come from the prefix, `none` if the number has no zone',
    ),
    next_allowed_at: about(
      nullable(timestamp()),
      'First whole minute in the 400 days from `at` at which no rule except `consent` and `zone_unknown` refuses the call. Null if there is none',
    ),
  },
  { name: 'RuleAnswer' },
);

export const ruleAnswers = object(
  { answers: about(list(answer), 'In the order of the questions') },
  { name: 'RuleAnswers' },
);

export const presentDecision = (decision: Decision): ValueOf<typeof answer> => ({
  allowed: decision.refusedBy.length === 0,
  refused_by: decision.refusedBy,
  timezones: [...decision.timezones],
  zone_source: decision.zoneSource,
  next_allowed_at: decision.nextAllowedAt === null ? null : new Date(decision.nextAllowedAt).toISOString(),
});
