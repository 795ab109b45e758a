/** Values that each campaign field accepts and rejects, in the form of create and in update. */
import { rangeOf, timeRangeOf, maxOf } from '../values';

export interface FieldCases {
  /** The value as text, and the value stored under the response's name. */
  accepted: [given: string, stored: unknown][];
  /** The value as text, and the status and code of its rejection. */
  refused: [given: string, status: number, code: string][];
  storedAs: string;
}

const TYPE = [422, 'VALIDATION_ERROR'] as const;
const same = (...values: string[]): [string, unknown][] => values.map((value) => [value, value]);
const refusedBy = (status: number, code: string, ...values: string[]): FieldCases['refused'] =>
  values.map((value) => [value, status, code]);

const emails = (count: number): string =>
  Array.from({ length: count }, (_, n) => `ops${n}@example.com`).join(',');

const time =
  (storedAs: string, inside: (window: { from: string; to: string }) => string[], outside: string[]) =>
  (rule: string): FieldCases => ({
    accepted: inside(timeRangeOf(rule)).map((value) => [value, `${value}:00Z`]),
    refused: [
      ...refusedBy(400, 'INVALID_TIME_WINDOW', ...outside),
      ...refusedBy(...TYPE, '25:00', '4:00', '04:60', 'noon', '04:00:00', '0400'),
    ],
    storedAs,
  });

const url = (storedAs: string) => (): FieldCases => ({
  accepted: same('http://example.com/hook', 'https://example.com:8443/a?b=c'),
  refused: refusedBy(...TYPE, 'ftp://example.com', 'example.com', '/hook', 'javascript:alert(1)'),
  storedAs,
});

const whole =
  (storedAs: string) =>
  (rule: string): FieldCases => {
    const range = rangeOf(rule);
    if (range === null) throw new Error(`no range in "${rule}"`);
    const { min, max } = range;
    return {
      accepted: [
        [String(min), min],
        [String(max), max],
      ],
      refused: [
        ...refusedBy(400, 'INVALID_RETRY_CONFIG', String(min - 1), String(max + 1), '1000000'),
        ...refusedBy(...TYPE, 'x', '1.5', '1e1'),
      ],
      storedAs,
    };
  };

/**
 * Cases by field. The base form is valid on 2-6 November 2026, 04:00-10:30; today is Monday 2 November and
 * the maximum concurrency is 10.
 */
export const CAMPAIGN_FIELDS: Readonly<Record<string, (rule: string) => FieldCases>> = {
  campaign_name: (rule) => {
    const max = rule === '' ? 255 : maxOf(rule);
    return {
      accepted: same('A', 'न'.repeat(max), '😀'.repeat(max)),
      refused: refusedBy(...TYPE, 'x'.repeat(max + 1), ' '),
      storedAs: 'campaign_name',
    };
  },
  concurrency: () => ({
    accepted: [
      ['1', 1],
      ['10', 10],
    ],
    refused: [...refusedBy(400, 'CONCURRENCY_EXCEEDED', '11'), ...refusedBy(...TYPE, '0', '-1', 'x', '1.5')],
    storedAs: 'call_concurrency',
  }),
  from_date: () => ({
    accepted: [['2026-11-06', '2026-11-06T00:00:00']],
    refused: [
      ...refusedBy(400, 'INVALID_DATE_RANGE', '2026-11-07'),
      ...refusedBy(...TYPE, '2026-02-30', '02-11-2026', '2026-11-2', 'today'),
    ],
    storedAs: 'start_date',
  }),
  to_date: () => ({
    accepted: [['2026-11-02', '2026-11-02T23:59:59']],
    refused: [
      ...refusedBy(400, 'INVALID_DATE_RANGE', '2026-11-01'),
      ...refusedBy(...TYPE, '2026-11-31', '06/11/2026', 'x'),
    ],
    storedAs: 'end_date',
  }),
  start_time: time('time_range_from', ({ from }) => [from, '10:29'], ['02:29', '00:00', '10:30', '14:29']),
  end_time: time('time_range_to', ({ to }) => [to, '04:01'], ['14:30', '23:59', '04:00', '03:59']),
  days_of_week: () => ({
    accepted: same('monday,tuesday,wednesday,thursday,friday,saturday,sunday', 'sunday'),
    refused: [
      ...refusedBy(400, 'NO_DAYS_SELECTED', ','),
      ...refusedBy(...TYPE, 'Monday', 'mon', 'monday;friday'),
    ],
    storedAs: 'days_of_week',
  }),
  max_retries: whole('max_retries'),
  retry_delay_mins: whole('retry_after_mins'),
  notification_emails: (rule) => {
    const max = maxOf(rule);
    return {
      accepted: [
        [emails(max), emails(max).split(',')],
        ['one@example.com', ['one@example.com']],
      ],
      refused: [
        ...refusedBy(400, 'TOO_MANY_EMAILS', emails(max + 1)),
        ...refusedBy(...TYPE, 'nobody', 'a@example.com b@example.com'),
      ],
      storedAs: 'notification_emails',
    };
  },
  campaign_webhook_url: url('webhook_url'),
  per_call_webhook_url: url('per_call_webhook_url'),
};

/** Throws for a field without cases, so that a new field isn't skipped. */
export function casesOf(field: string, rule: string): FieldCases {
  const cases = CAMPAIGN_FIELDS[field];
  if (cases === undefined) throw new Error(`no cases for the field ${field}`);
  return cases(rule);
}
