/**
 * Builds a request for each example of each body in each content type, and one for each operation without a
 * body.
 */
import type { Asked } from '../../support/test-api';
import type { Bench } from '../bench';
import type { Targets } from './targets';

export interface ExampleRequest {
  title: string;
  /** `{name}` marks a parameter that the targets fill in. */
  path: string;
  asked: Asked;
  success: string;
  /** Creates the state that the request needs. */
  prepare?: (bench: Bench, targets: Targets) => Promise<unknown>;
}

const paused = async ({ api }: Bench, { campaign_id: id }: Targets): Promise<unknown> =>
  api.db('campaigns').where({ id }).update({ status: 'paused' });

const talking = async ({ api, media }: Bench, { call_id = '' }: Targets): Promise<unknown> => {
  media.addRoom(call_id);
  const live = { stage: 'placed', call_status: 'in progress', ended_at: null, concluded_at: null };
  return api.db('calls').where({ call_id }).update(live);
};

const PREPARE: Readonly<Record<string, ExampleRequest['prepare']>> = {
  'post /api/calls/{call_id}/listen': talking,
  'post /api/campaigns/{campaign_id}/resume': paused,
};

/** Variants of a request whose response has another content type or shape. */
const VARIANTS: Readonly<Record<string, { query?: string; headers?: Record<string, string> }[]>> = {
  'get /api/agents': [{ query: '?page=1' }],
  'get /api/transcript/{call_id}': [{ query: '?format=text' }, { headers: { Accept: 'text/plain' } }],
};

export function exampleRequests(operations: readonly [string, string, any][]): ExampleRequest[] {
  return operations.flatMap(([path, method, operation]) => {
    const key = `${method} ${path}`;
    const success = Object.keys(operation.responses).find((status) => status.startsWith('2')) ?? 'none';
    const prepare = PREPARE[key];
    const base = { path, success, ...(prepare === undefined ? {} : { prepare }) };
    const bodies = bodiesOf(operation);
    if (bodies.length > 0) {
      return bodies.map(({ name, asked }) => ({
        ...base,
        title: `${key} ${name}`,
        asked: { method: method.toUpperCase(), ...asked },
      }));
    }
    return [{}, ...(VARIANTS[key] ?? []), ...queriesOf(operation)].map(({ query = '', headers = {} }) => ({
      ...base,
      title: `${key}${query}`,
      path: path + query,
      asked: { method: method.toUpperCase(), headers },
    }));
  });
}

function bodiesOf(operation: any): { name: string; asked: Asked }[] {
  return Object.entries<any>(operation.requestBody?.content ?? {}).flatMap(([type, { examples = {} }]) =>
    Object.entries<any>(examples).map(([name, { value }]) => ({
      name: `${name} as ${type}`,
      asked: askedAs(type, value),
    })),
  );
}

function askedAs(type: string, value: Record<string, unknown>): Asked {
  if (type === 'application/json') return { json: value };
  const texts = Object.entries(value).map(([name, field]): [string, string] => [name, String(field)]);
  if (type === 'application/x-www-form-urlencoded') {
    return { body: new URLSearchParams(texts).toString(), headers: { 'Content-Type': type } };
  }
  const form = new FormData();
  for (const [name, text] of texts) {
    if (name === 'csv_file') form.append(name, new Blob([text]), 'contacts.csv');
    else form.append(name, text);
  }
  return { body: form };
}

/** Builds a query for each value of a parameter: its examples, its bounds or its choices. */
function queriesOf({ parameters = [] }: any): { query?: string; headers?: Record<string, string> }[] {
  return parameters
    .filter((parameter: any) => parameter.in === 'query')
    .flatMap(({ name, schema }: any) =>
      valuesOf(schema).map((value) => ({ query: `?${name}=${encodeURIComponent(value)}` })),
    );
}

function valuesOf(schema: any): string[] {
  if (Array.isArray(schema.examples)) return schema.examples.map(String);
  if (Array.isArray(schema.enum)) return schema.enum.map(String);
  if (schema.type === 'integer') return [schema.minimum, schema.maximum].map(String);
  if (schema.type === 'boolean') return ['true', 'false'];
  if (schema.format === 'uuid') return ['00000000-0000-4000-8000-000000000000'];
  return ['text'];
}
