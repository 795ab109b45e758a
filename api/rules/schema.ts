import Joi from 'joi';
import type { OpenHours, RuleProfile } from '../../domain/rules/profile';
import { WEEKDAYS } from '../../domain/calling-window';
import { isTimeZone } from '../../domain/local-time';
import { TimeSlice } from '../../runtime/loop-turn';
import type { Body, Reading } from '../http/endpoint';
import { ENOUGH_FAULTS, type InputFault } from '../http/errors/api-error';
import { isDate, readInstant } from '../http/input/fields';
import { jsonBody } from '../http/input/json-body';
import {
  about,
  defaulting,
  either,
  listOf,
  nullable,
  object,
  optional,
  typed,
  type Field,
  type ValueOf,
} from '../http/schema/field';
import { anything, flag, integer, oneOf, phoneNumber, textUpTo } from '../http/schema/kinds';
import { check, interpreted, MESSAGES } from '../http/schema/validate';

const MAX_QUESTIONS = 1_000;
const MAX_ATTEMPTS = 1_000;
/** More than a body of the maximum size can contain. */
const MAX_VALUES = 100_000;
const MAX_HOLIDAYS = 2_000;
const MAX_CAP = 10_000;
/** Answers look 400 days ahead, so a longer gap makes no difference. */
const MAX_GAP_MINUTES = 400 * 24 * 60;

const HOUR = '([01]\\d|2[0-3]):[0-5]\\d';
const START = new RegExp(`^${HOUR}$`);
const END = new RegExp(`^(${HOUR}|24:00)$`);

const openHours = (): Field<OpenHours> =>
  interpreted<OpenHours>(
    {
      type: 'array',
      prefixItems: [
        { type: 'string', pattern: START.source },
        { type: 'string', pattern: END.source },
      ],
      items: { type: 'string' },
      minItems: 2,
      maxItems: 2,
    },
    (given) => {
      if (!Array.isArray(given) || given.length !== 2) return { rule: 'array.openHours' };
      const [start, end] = given as unknown[];
      const areTimes = typeof start === 'string' && typeof end === 'string';
      // Times of the same form are in the order of their texts.
      return areTimes && START.test(start) && END.test(end) && start < end
        ? { value: [start, end] }
        : { rule: 'array.openHours' };
    },
  );

const calendarDate = (): Field<string> =>
  interpreted<string>({ type: 'string', format: 'date' }, (given) =>
    typeof given === 'string' && isDate(given) ? { value: given } : { rule: 'string.date' },
  );

const DAYS = '((0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\d|30)|02-(0[1-9]|[12]\\d))';
const INSTANT = new RegExp(
  `^20\\d\\d-${DAYS}T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?(Z|[+-](0\\d|1[0-4]):[0-5]\\d)$`,
);

/** Milliseconds since 1970. */
const instant = (): Field<number> =>
  interpreted<number>({ type: 'string', format: 'date-time', pattern: INSTANT.source }, (given) => {
    const read = typeof given === 'string' && INSTANT.test(given) ? readInstant(given) : null;
    return read === null ? { rule: 'string.instant' } : { value: Date.parse(read) };
  });

export const timeZone = (): Field<string> =>
  interpreted<string>({ type: 'string', maxLength: 64, examples: ['Asia/Kolkata'] }, (given) =>
    typeof given === 'string' && given.length <= 64 && isTimeZone(given)
      ? { value: given }
      : { rule: 'string.timeZone' },
  );

const PREFIX = Joi.string()
  .pattern(/^\+?\d{1,15}$/)
  .messages({ 'string.pattern.base': 'must be the first digits of a number, such as +91140 or 140' });

const hours = object(
  Object.fromEntries(WEEKDAYS.map((day) => [day, optional(listOf(openHours(), { max: 24 }))])),
  {
    name: 'RuleHours',
    description:
      'Local times at which calls are allowed, such as `[["09:00", "20:00"]]`, by weekday. The start is inclusive and the end exclusive, at most `24:00`. A weekday that is absent is closed',
    closed: true,
  },
) as Field<RuleProfile['hours']>;

const cap = (): Field<number | null> => nullable(integer(0, MAX_CAP));

const gap = (max: number): Field<number> =>
  about(integer(0, max), 'Minimum time after the last attempt, in minutes');

/** The fields of a profile. Requests can omit all of them except `hours`. */
const FIELDS = {
  hours,
  holiday_dates: about(
    listOf(calendarDate(), { max: MAX_HOLIDAYS }),
    'Local dates on which no call is allowed',
  ),
  ambiguous_zone: about(
    oneOf('strictest', 'skip'),
    "What to do if the possible zones of a number show different times: `strictest` obeys the rules in all of them, and `skip` doesn't call the number",
  ),
  max_per_day: about(cap(), 'Maximum number of attempts in a local calendar day. Null means unlimited'),
  max_per_7_days: about(cap(), 'Maximum number of attempts within 168 hours. Null means unlimited'),
  min_gap_minutes: gap(MAX_GAP_MINUTES),
  consent: about(oneOf('none', 'required'), 'Whether the contact must have consented'),
  disclosure: about(nullable(textUpTo(1_000)), 'A sentence that the agent must say before its greeting'),
  caller_id_prefixes: about(
    nullable(listOf(typed<string>(PREFIX), { max: 100 })),
    'The caller ID must begin with one of these',
  ),
};

const DEFAULTED = {
  ...FIELDS,
  holiday_dates: defaulting(FIELDS.holiday_dates, []),
  ambiguous_zone: defaulting(FIELDS.ambiguous_zone, 'strictest'),
  max_per_day: defaulting(FIELDS.max_per_day, null),
  max_per_7_days: defaulting(FIELDS.max_per_7_days, null),
  min_gap_minutes: defaulting(FIELDS.min_gap_minutes, 0),
  consent: defaulting(FIELDS.consent, 'none'),
  disclosure: defaulting(FIELDS.disclosure, null),
  caller_id_prefixes: defaulting(FIELDS.caller_id_prefixes, null),
};

export const ruleProfile = object(DEFAULTED, { name: 'RuleProfile', closed: true });

/** Attempts count for 30 days (`attempts_of.sql`), so a longer gap couldn't be obeyed. */
const MAX_STORED_GAP_MINUTES = 30 * 24 * 60;

/** A profile that campaigns obey. */
export const storedProfile = object(
  { ...DEFAULTED, min_gap_minutes: defaulting(gap(MAX_STORED_GAP_MINUTES), 0) },
  { name: 'StoredRuleProfile', closed: true },
);

/** A profile in responses, which have every field. */
export const completeProfile = object(FIELDS, { name: 'CompleteRuleProfile' });

export const PROFILE_NAME = /^[a-z0-9-]{1,64}$/;

export const profileName = (): Field<string> =>
  typed<string>(
    Joi.string().pattern(PROFILE_NAME).messages({ 'string.pattern.base': MESSAGES['string.profileName'] }),
  );

const question = object(
  {
    to_number: about(typed<string>(phoneNumber()), 'The number to call', '+14155550132'),
    timezone: optional(
      about(
        timeZone(),
        "IANA zone of the contact. By default, the possible zones of the number's prefix apply",
      ),
    ),
    at: about(instant(), 'The instant of the call, in the years 2000 to 2099', '2026-11-30T17:00:00Z'),
    attempts: about(
      defaulting(listOf(instant(), { max: MAX_ATTEMPTS }), []),
      'Earlier attempts to call the number. Those after `at` are ignored, also for `next_allowed_at`',
    ),
    consent: about(defaulting(flag(), false), 'Whether the contact consented to calls'),
  },
  { name: 'RuleQuestion', closed: true },
);

type AskedQuestion = ValueOf<typeof question>;

export interface DecisionRequest {
  /** A name or a profile. */
  profile: string | RuleProfile;
  questions: AskedQuestion[];
}

const PROFILE = 'Name of a shipped profile or of one of your own, or a profile';

/** The parts of the body. `questions` are checked one by one, because a thousand take a tenth of a second. */
const parts = {
  named: object({ profile: profileName(), questions: listOf(anything(), { max: MAX_QUESTIONS }) }),
  own: object({ profile: ruleProfile, questions: listOf(anything(), { max: MAX_QUESTIONS }) }),
};

export const decisionsBody: Body<DecisionRequest> = {
  content: {
    'application/json': object(
      {
        profile: about(either<string, ValueOf<typeof ruleProfile>>(profileName(), ruleProfile), PROFILE),
        questions: listOf(question, { max: MAX_QUESTIONS }),
      },
      { name: 'DecideByRules' },
    ),
  },
  examples: {
    shipped: {
      summary: 'A shipped profile',
      value: {
        profile: 'us-tcpa',
        questions: [{ to_number: '+14155550132', at: '2026-11-30T17:00:00Z', consent: true }],
      },
    },
    own: {
      summary: 'A profile of your own',
      value: {
        profile: { hours: { monday: [['09:00', '20:00']] }, max_per_day: 2, min_gap_minutes: 240 },
        questions: [
          {
            to_number: '+919876543210',
            timezone: 'Asia/Kolkata',
            at: '2026-11-30T10:00:00+05:30',
            attempts: ['2026-11-30T09:15:00+05:30'],
          },
        ],
      },
    },
  },
  read: async (ctx) => readDecisions(await jsonBody(ctx, { maxValues: MAX_VALUES })),
};

async function readDecisions(body: { profile?: unknown }): Promise<Reading<DecisionRequest>> {
  const isOwn = typeof body.profile === 'object' && body.profile !== null;
  const checked = isOwn ? check(parts.own, body, 'body') : check(parts.named, body, 'body');
  if ('faults' in checked) return checked;
  const { profile: chosen, questions: given } = checked.value;
  const questions: AskedQuestion[] = [];
  const faults: InputFault[] = [];
  const slice = new TimeSlice();
  for (const [index, each] of given.entries()) {
    await slice.end();
    if (faults.length >= ENOUGH_FAULTS) break;
    const reading = check(question, each, 'body');
    if ('value' in reading) questions.push(reading.value);
    else faults.push(...reading.faults.map((fault) => inQuestion(fault, index)));
  }
  if (faults.length > 0) return { faults };
  return { value: { profile: chosen, questions } };
}

const inQuestion = ({ loc: [place = 'body', ...path], ...fault }: InputFault, index: number): InputFault => ({
  ...fault,
  loc: [place, 'questions', index, ...path],
});
