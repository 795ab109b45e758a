import { editFromForm, editFromJson } from '../../api/campaigns/schema';
import { type CampaignTerms, assertCampaignRules } from '../../api/campaigns/terms';
import type { ApiError } from '../../api/http/errors/api-error';

type EditReading = ReturnType<typeof editFromForm>;

const valueOf = (reading: EditReading) => ('value' in reading ? reading.value : reading.faults);
const wrong = (reading: EditReading) => ('faults' in reading ? reading.faults.map(({ loc }) => loc[1]) : []);

describe('the fields of an update', () => {
  const TEXTS = {
    campaign_name: ' New name ',
    start_time: '04:30',
    end_time: '10:00',
    days_of_week: 'friday, monday',
    from_date: '2026-11-03',
    to_date: '2026-11-30',
    notification_emails: 'a@example.com, b@example.com',
    campaign_webhook_url: 'https://example.com/a',
    per_call_webhook_url: 'http://example.com/b',
  };
  const READ = {
    ...TEXTS,
    campaign_name: 'New name',
    start_time: 270,
    end_time: 600,
    days_of_week: ['monday', 'friday'],
    notification_emails: ['a@example.com', 'b@example.com'],
    concurrency: 4,
    max_retries: 2,
    retry_delay_mins: 0,
  };

  test('reads the same fields from JSON and a form, although numbers are written differently', () => {
    const json = { ...TEXTS, concurrency: 4, max_retries: 2, retry_delay_mins: 0 };
    const form = { ...TEXTS, concurrency: '4', max_retries: '2', retry_delay_mins: '0' };
    expect(valueOf(editFromJson(json))).toEqual(READ);
    expect(valueOf(editFromForm(form))).toEqual(READ);
  });

  test('requires numbers in JSON, and digits in a form', () => {
    expect(wrong(editFromJson({ concurrency: '4', max_retries: 1.5, retry_delay_mins: null }))).toEqual([
      'concurrency',
      'max_retries',
      'retry_delay_mins',
    ]);
    expect(wrong(editFromForm({ concurrency: '4.0', max_retries: 'two' }))).toEqual([
      'concurrency',
      'max_retries',
    ]);
  });

  test.each([
    ['campaign_name', ''],
    ['campaign_name', 'x'.repeat(256)],
    ['campaign_name', null],
    ['concurrency', 0],
    ['start_time', '25:00'],
    ['from_date', '2026-02-30'],
    ['days_of_week', 'funday'],
    ['days_of_week', ['monday']],
    ['notification_emails', ['a@example.com']],
    ['notification_emails', 'nobody'],
    ['campaign_webhook_url', 'ftp://example.com'],
    ['per_call_webhook_url', 5],
  ])('rejects %s = %p and names the field', (field, value) => {
    expect(wrong(editFromJson({ [field]: value }))).toEqual([field]);
  });

  test('clears optional fields with blank text, or with null in JSON', () => {
    const cleared = { notification_emails: [], campaign_webhook_url: null, per_call_webhook_url: null };
    const names = Object.keys(cleared);
    const all = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
    expect(valueOf(editFromJson(all(null)))).toEqual(cleared);
    expect(valueOf(editFromJson(all('')))).toEqual(cleared);
    expect(valueOf(editFromForm(all(' ') as Record<string, string>))).toEqual(cleared);
  });

  test('ignores numbers that a form leaves blank', () => {
    expect(valueOf(editFromForm({ max_retries: '', retry_delay_mins: ' ', campaign_name: 'A' }))).toEqual({
      campaign_name: 'A',
    });
  });

  test('reads blank weekdays as an empty list', () => {
    expect(valueOf(editFromJson({ days_of_week: '' }))).toEqual({ days_of_week: [] });
  });

  test("ignores fields that are unknown or can't be changed", () => {
    const ignored = { agent_id: 5, perform_dnd_check: 'x', csv_file: 'x', colour: 'blue' };
    expect(valueOf(editFromJson({ ...ignored, concurrency: 3 }))).toEqual({ concurrency: 3 });
  });

  test.each([
    ['nothing', {}],
    ['unknown fields', { agent_id: 'x', colour: 'blue' }],
  ])('rejects an update of %s with NO_FIELDS_TO_UPDATE', (_name, fields) => {
    const refusal = expect.objectContaining({ status: 400, code: 'NO_FIELDS_TO_UPDATE' });
    expect(() => editFromJson(fields)).toThrow(refusal);
    expect(() => editFromForm(fields)).toThrow(refusal);
  });
});

describe('the rules for an update', () => {
  const limits = {
    legalWindow: { startMinute: 150, endMinute: 869 },
    legalWindowLocal: { startMinute: 480, endMinute: 1260 },
    maxConcurrency: 5,
    now: Date.parse('2026-11-02T05:00:00.000Z'),
  };
  /** Breaks every rule, like an old campaign after time has passed or a limit was lowered. */
  const BROKEN: CampaignTerms = {
    campaign_name: 'A',
    concurrency: 9,
    from_date: '2026-10-01',
    to_date: '2026-10-02',
    start_time: 0,
    end_time: 1440,
    days_of_week: [],
    max_retries: 99,
    retry_delay_mins: 30,
    notification_emails: Array<string>(6).fill('a@example.com'),
    campaign_webhook_url: null,
    per_call_webhook_url: null,
    window_timezone: null,
    rule_profile: null,
  };
  const codeOf = (...changed: string[]): string | null => {
    try {
      assertCampaignRules(BROKEN, limits, changed);
      return null;
    } catch (error) {
      return (error as ApiError).code;
    }
  };

  test.each([
    ['start_time', 'INVALID_TIME_WINDOW'],
    ['end_time', 'INVALID_TIME_WINDOW'],
    ['concurrency', 'CONCURRENCY_EXCEEDED'],
    ['from_date', 'INVALID_DATE_RANGE'],
    ['to_date', 'INVALID_DATE_RANGE'],
    ['days_of_week', 'NO_DAYS_SELECTED'],
    ['max_retries', 'INVALID_RETRY_CONFIG'],
    ['retry_delay_mins', 'INVALID_RETRY_CONFIG'],
    ['notification_emails', 'TOO_MANY_EMAILS'],
    ['campaign_name', null],
    ['campaign_webhook_url', null],
  ])('checks a changed %s together with the stored fields: %s', (field, code) => {
    expect(codeOf(field)).toBe(code);
  });

  test('checks the rules in the order of the documented table', () => {
    expect(codeOf('notification_emails', 'to_date', 'concurrency')).toBe('CONCURRENCY_EXCEEDED');
  });
});
