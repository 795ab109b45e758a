import type { CallRequest, CarrierAgent, InboundRoute } from './protocol';

export interface Fault {
  field: string;
  reason: string;
}

/** The parsed body, or all of its faults. */
export type Parsed<T> = { value: T } | { faults: Fault[] };

const E164 = /^\+[1-9]\d{6,14}$/;
const MAX_REFERENCE_CHARS = 256;

/** Reads fields one by one and collects all faults. */
class FieldReader {
  readonly faults: Fault[] = [];
  private readonly fields: Map<string, unknown>;

  constructor(
    body: unknown,
    private readonly prefix = '',
  ) {
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    this.fields = new Map<string, unknown>(isObject ? Object.entries(body) : []);
    if (!isObject) this.fault('', 'must be an object');
  }

  get(field: string): unknown {
    return this.fields.get(field);
  }

  fault(field: string, reason: string): void {
    const path = [this.prefix, field].filter((part) => part !== '').join('.');
    this.faults.push({ field: path === '' ? 'body' : path, reason });
  }

  text(field: string, check: (value: string) => boolean, reason: string): string {
    const value = this.get(field);
    if (typeof value === 'string' && check(value)) return value;
    this.fault(field, reason);
    return '';
  }

  number(field: string): string {
    return this.text(field, (value) => E164.test(value), 'must be a number in E.164 form');
  }

  url(field: string): string {
    return this.text(field, isHttpUrl, 'must be an http or https URL');
  }

  seconds(field: string): number {
    const value = this.get(field);
    if (typeof value === 'number' && Number.isFinite(value) && value > 0 && value <= 86_400) return value;
    this.fault(field, 'must be a number of seconds above 0, at most 86400');
    return 0;
  }

  agent(): CarrierAgent {
    const nested = new FieldReader(this.get('agent'), 'agent');
    const anyText = () => true;
    const agent = {
      name: nested.text('name', anyText, 'must be a string'),
      greeting: nested.text('greeting', anyText, 'must be a string'),
      prompt: nested.text('prompt', anyText, 'must be a string'),
    };
    this.faults.push(...nested.faults);
    return agent;
  }

  done<T>(value: T): Parsed<T> {
    return this.faults.length === 0 ? { value } : { faults: this.faults };
  }
}

/** Parses the body of `POST /calls`. `from`, `amd` and `variables` are optional. */
export function parseCallRequest(body: unknown): Parsed<CallRequest> {
  const reader = new FieldReader(body);
  return reader.done({
    reference: reader.text(
      'reference',
      (value) => value !== '' && value.length <= MAX_REFERENCE_CHARS,
      `must be a string of 1 to ${MAX_REFERENCE_CHARS} characters`,
    ),
    to: reader.number('to'),
    from: reader.get('from') == null ? null : reader.number('from'),
    not_after: reader.text('not_after', isInstant, 'must be an ISO 8601 instant with a zone'),
    ring_timeout_s: reader.seconds('ring_timeout_s'),
    max_talk_s: reader.seconds('max_talk_s'),
    amd: flag(reader, 'amd'),
    events_url: reader.url('events_url'),
    agent: reader.agent(),
    variables: variables(reader),
  });
}

/** Parses the body of `PUT /inbound/{number}`. */
export function parseInboundRoute(body: unknown): Parsed<InboundRoute> {
  const reader = new FieldReader(body);
  return reader.done({ events_url: reader.url('events_url'), agent: reader.agent() });
}

/** Parses the body of `POST /inbound-calls`. */
export function parseInboundCall(body: unknown): Parsed<{ to: string; from: string }> {
  const reader = new FieldReader(body);
  return reader.done({ to: reader.number('to'), from: reader.number('from') });
}

export const isE164 = (text: string): boolean => E164.test(text);

function flag(reader: FieldReader, field: string): boolean {
  const value = reader.get(field) ?? false;
  if (typeof value === 'boolean') return value;
  reader.fault(field, 'must be a boolean');
  return false;
}

function variables(reader: FieldReader): Record<string, unknown> {
  const value = reader.get('variables') ?? {};
  if (typeof value === 'object' && !Array.isArray(value)) return { ...value };
  reader.fault('variables', 'must be an object');
  return {};
}

function isInstant(text: string): boolean {
  return /(?:Z|[+-]\d\d:\d\d)$/.test(text) && Number.isFinite(Date.parse(text));
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
