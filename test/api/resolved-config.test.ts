import fc from 'fast-check';
import { validateAgentConfig } from '../../api/agents/config/validate';
import { resolveConfig, SECTIONS, SECTION_NAMES } from '../../domain/agent-config';
import { PATTERNS } from '../../domain/agent-config/forms';
import type { Row, Table } from '../../domain/agent-config/rows';
import { isJsonObject, type JsonObject } from '../../domain/json';
import { isLonger } from '../../domain/json-faults';
import { apiDocument } from '../../dev/pages/clients/document';
import { schemaChecker, type Document } from './support/openapi-answers';

/** Returns the faults of a resolved value by path. Empty if the value is within the limits of its row. */
function faultsOf(row: Row, value: unknown, place: string): string[] {
  const unless = (holds: boolean, what: string): string[] => (holds ? [] : [`${place}: ${what}`]);
  switch (row.kind) {
    case 'group':
    case 'item':
      return tableFaults(row.rows, value, place);
    case 'shape':
      return value === null ? [] : tableFaults(row.rows, value, place);
    case 'shape map':
      return mapFaults(row.max, value, place, (item, at) =>
        item === null ? [] : tableFaults(row.rows, item, at),
      );
    case 'text map':
      return mapFaults(row.max, value, place, (text, at) =>
        typeof text === 'string' ? [] : [`${at}: no text`],
      );
    case 'map':
      return mapFaults(row.max, value, place, () => []);
    case 'list': {
      if (!Array.isArray(value)) return [`${place}: no list`];
      const { entry, max } = row;
      const inside = entry === null ? [] : value.flatMap((one) => faultsOf(entry, one, `${place}[]`));
      return [...unless(value.length <= max, 'too many entries'), ...inside];
    }
    case 'any':
      return unless(value !== undefined, 'undefined');
    case 'flag':
      return unless(typeof value === 'boolean' || value === row.default, 'neither yes nor no');
    case 'number':
      return unless(
        (typeof value === 'number' && value >= row.min && value <= row.max) || value === row.default,
        'beyond its limits',
      );
    case 'choice':
    case 'word':
      return unless(
        row.values.some((one) => one === value),
        'none of its words',
      );
    case 'text': {
      if (typeof value !== 'string') return [`${place}: no text`];
      const { form } = row;
      const isFormed = form === 'any' || form === 'item_name' || value === '' || PATTERNS[form].test(value);
      return unless(isFormed && !isLonger(value, row.max), 'too long, or of another form');
    }
  }
}

function tableFaults(rows: Table, value: unknown, place: string): string[] {
  if (!isJsonObject(value)) return [`${place}: no object`];
  const keys = Object.keys(value).join();
  const missing = keys === Object.keys(rows).join() ? [] : [`${place}: has the keys ${keys}`];
  return [
    ...missing,
    ...Object.entries(rows).flatMap(([key, row]) => faultsOf(row, value[key], `${place}.${key}`)),
  ];
}

function mapFaults(
  max: number,
  value: unknown,
  place: string,
  inside: (value: unknown, place: string) => string[],
): string[] {
  if (!isJsonObject(value)) return [`${place}: no object`];
  const entries = Object.entries(value);
  return [
    ...(entries.length <= max ? [] : [`${place}: too many keys`]),
    ...entries.flatMap(([, one]) => inside(one, `${place}.*`)),
  ];
}

const faultsOfConfig = (config: unknown): string[] =>
  Object.entries(SECTIONS).flatMap(([name, { rows }]) =>
    tableFaults(rows, isJsonObject(config) ? config[name] : undefined, name),
  );

const hostile = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.constantFrom<unknown>(null, undefined, '', ' ', '__proto__', -1, 1e300, Number.NaN, true, [], {}),
    fc.jsonValue({ maxDepth: 3 }),
    fc.string({ maxLength: 40 }),
    fc.double(),
  );

/** Generates values near and beyond the limits of the row, mixed with any other JSON. */
function valueOf(row: Row): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 1, arbitrary: hostile() }, { weight: 4, arbitrary: nearlyOf(row) });
}

function nearlyOf(row: Row): fc.Arbitrary<unknown> {
  switch (row.kind) {
    case 'group':
    case 'item':
    case 'shape':
      return tableOf(row.rows);
    case 'shape map':
      return fc.dictionary(fc.string(), tableOf(row.rows), { maxKeys: 3 });
    case 'text map':
    case 'map':
      return fc.oneof(
        fc.dictionary(fc.string(), hostile(), { maxKeys: 4 }),
        fc.constantFrom(row.max, row.max + 1).map(keyed),
      );
    case 'list':
      return fc.oneof(
        fc.array(row.entry === null ? hostile() : valueOf(row.entry), { maxLength: 4 }),
        fc.constantFrom(row.max, row.max + 1).map((count) => Array<string>(count).fill('+919876543210')),
      );
    case 'any':
      return hostile();
    case 'flag':
      return fc.boolean();
    case 'number':
      return fc.constantFrom(row.min - 1, row.min, row.min + 0.5, row.max, row.max + 1);
    case 'choice':
    case 'word':
      return fc.constantFrom(...row.values, 'another');
    case 'text':
      return fc.constantFrom(
        'x'.repeat(row.max),
        'x'.repeat(row.max + 1),
        ' +919876543210 ',
        'wss://a.example/b',
      );
  }
}

const keyed = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_none, at) => [`k${at}`, at % 2 === 0 ? 'text' : at]));

const tableOf = (rows: Table): fc.Arbitrary<JsonObject> =>
  fc.record(Object.fromEntries(Object.entries(rows).map(([key, row]) => [key, valueOf(row)])), {
    requiredKeys: [],
  });

const stored = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    hostile(),
    fc.record(Object.fromEntries(Object.entries(SECTIONS).map(([name, { rows }]) => [name, tableOf(rows)])), {
      requiredKeys: [],
    }),
  );

describe('any stored configuration', () => {
  test('resolves a stored configuration to a value within the limits for every field', () => {
    fc.assert(
      fc.property(stored(), (value) => {
        expect(faultsOfConfig(resolveConfig(value))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('resolves a resolved configuration to itself, even after a JSON round trip', () => {
    fc.assert(
      fc.property(stored(), (value) => {
        const resolved = resolveConfig(value);
        expect(resolveConfig(resolved)).toEqual(resolved);
        const sent: unknown = JSON.parse(JSON.stringify(resolved));
        expect(resolveConfig(sent)).toEqual(sent);
      }),
      { numRuns: 300 },
    );
  });
});

test('resolves a configuration to one that the platform accepts', () => {
  const { persona, ...others } = resolveConfig({});
  const { user_speech_delay: _half, ...greeting } = persona.identity.greeting_message;
  const identity = { ...persona.identity, greeting_message: greeting };
  expect(validateAgentConfig({ ...others, persona: { ...persona, identity } })).toHaveProperty('value');
});

describe('a stored value', () => {
  const talking = (value: object) =>
    resolveConfig({ experience: { conversational_experience: value } }).experience.conversational_experience;
  const ending = (value: object) =>
    resolveConfig({ experience: { settings: { end_call: value } } }).experience.settings.end_call;
  const guarding = (value: object) =>
    resolveConfig({ training: { know_how: { guardrails: value } } }).training.know_how.guardrails;

  test('ignores a value that has the wrong type, is blank or is too long', () => {
    expect(talking({ eagerness_to_speak: 'hasty', bg_noise: { volume: '1', sound: ' ' } })).toMatchObject({
      eagerness_to_speak: 'balanced',
      bg_noise: { enabled: false, volume: 0.5, sound: 'office' },
    });
    expect(ending({ end_call_phrase: 'x'.repeat(1_001) }).end_call_phrase).toBe('');
  });

  test('replaces a value beyond a limit with that limit', () => {
    expect(talking({ bg_noise: { volume: 7 } }).bg_noise.volume).toBe(1);
    expect([ending({}), ending({ hangup_timeout: 900 })].map((end) => end.hangup_timeout)).toEqual([2, 60]);
  });

  test('reads a value by its documented name only', () => {
    expect(talking({ patience_with_user_entries: { wait_time: 4 } }).patience_with_user_entries).toEqual({
      enabled: true,
      wait_seconds: null,
    });
    expect(guarding({ threatening: true }).threatning).toBe(false);
  });

  test('reads an unknown level as medium, and an unknown handling as block', () => {
    const rules = { level: 'paranoid', custom_rules: [{ triggers: ['a', 7, ' '], handlingType: 'shout' }] };
    expect(guarding(rules)).toMatchObject({
      level: 'medium',
      custom_rules: [{ triggers: ['a'], handlingType: 'block', active: true }],
    });
    expect(guarding({}).level).toBe('basic');
  });

  test("drops list entries that aren't valid", () => {
    const points = [{ name: 'a', prompt: '' }, { name: '' }, { name: '__proto__', prompt: 'b' }, 7, null];
    const { analysis } = resolveConfig({
      analysis: { extraction: { data_collection: { data_points: points } } },
    });
    expect(analysis.extraction.data_collection.data_points).toEqual([
      { name: 'a', prompt: '', values: [], nullable: true },
    ]);
  });
});

/** Compares the defaults in the OpenAPI document for an agent's sections with those that a call uses. */
describe('a default in the OpenAPI document', () => {
  const document = JSON.parse(JSON.stringify(apiDocument())) as Document;
  const validate = schemaChecker(document);

  interface Property {
    /** Path in the document. */
    place: string[];
    /** Path in the configuration. */
    path: string[];
    schema: any;
  }

  /** Returns the properties of a section at any depth. */
  function propertiesOf(schema: any, place: string[], path: string[]): Property[] {
    return Object.entries<any>(schema.properties ?? {}).flatMap(([name, inner]): Property[] => {
      const at = [...place, 'properties', name];
      const key = [...path, name];
      return [{ place: at, path: key, schema: inner }, ...propertiesOf(inner, at, key)];
    });
  }

  const properties = SECTION_NAMES.flatMap((section) => {
    const { name } = SECTIONS[section];
    return propertiesOf(document.components.schemas[name], ['components', 'schemas', name], [section]);
  });
  const withDefault = properties.filter(({ schema }) => 'default' in schema);
  const resolved = (path: string[]): unknown =>
    path.reduce((value: any, key) => value[key] as unknown, resolveConfig({}));

  test('documents the value that a call uses when nothing is stored', () => {
    expect(withDefault.length).toBeGreaterThan(30);
    for (const { path, schema } of withDefault)
      expect([path, schema.default]).toEqual([path, resolved(path)]);
  });

  test('documents only defaults that are valid in a request', () => {
    for (const { place, schema } of withDefault)
      expect([place, validate(place, schema.default)]).toEqual([place, []]);
  });

  test('makes no field required', () => {
    const demanding = properties.filter(({ schema }) => (schema.required ?? []).length > 0);
    expect(demanding.map(({ path }) => path)).toEqual([]);
  });

  test("describes a default in words if a request can't contain it", () => {
    const delay = properties.find(({ path }) => path.at(-1) === 'user_speech_delay');
    expect(delay?.schema).not.toHaveProperty('default');
    expect(delay?.schema.description).toMatch(/\. In seconds\. 0\.5 unless set$/);
  });
});
