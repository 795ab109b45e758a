/** Generates values that a JSON schema of the document allows, and values that it doesn't. */
import fc from 'fast-check';
import type { Document } from '../support/openapi-answers';

type Values = fc.Arbitrary<unknown>;

/** Optional fields below this depth are left out. */
const MAX_DEPTH = 6;
const MAX_LISTED = 3;

export class SchemaValues {
  constructor(private readonly document: Document) {}

  resolve(schema: any): any {
    if (typeof schema?.$ref !== 'string') return schema;
    if (schema.$ref.endsWith('/Json')) return {};
    return this.document.components.schemas[schema.$ref.split('/').at(-1)];
  }

  /** Properties of an object schema, or of all alternatives of a union. */
  properties(given: any): Record<string, any> {
    const { properties = {}, anyOf = [] } = this.resolve(given);
    const parts = (anyOf as unknown[]).map((part) => this.properties(part));
    return Object.assign({}, ...parts, properties) as Record<string, any>;
  }

  /** Generates allowed values, mostly bounds and the document's examples. */
  valid(given: any, depth = 0): Values {
    const schema = this.resolve(given);
    const plain = this.plain(schema, depth);
    const examples: unknown[] = schema.examples ?? [];
    if (examples.length === 0) return plain;
    return fc.oneof({ arbitrary: fc.constantFrom(...examples), weight: 3 }, { arbitrary: plain, weight: 2 });
  }

  private plain(schema: any, depth: number): Values {
    if ('const' in schema) return fc.constant(schema.const);
    if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
    const parts: any[] | undefined = schema.anyOf ?? schema.oneOf;
    if (parts !== undefined && schema.properties !== undefined) {
      const { anyOf: _parts, ...object } = schema;
      const required = (part: any): string[] => [...(object.required ?? []), ...part.required];
      return fc.oneof(...parts.map((part) => this.object({ ...object, required: required(part) }, depth)));
    }
    if (parts !== undefined) return fc.oneof(...parts.map((part) => this.valid(part, depth)));
    const types: string[] = [schema.type ?? 'anything'].flat();
    return fc.oneof(...types.map((type) => this.ofType(type, schema, depth)));
  }

  private ofType(type: string, schema: any, depth: number): Values {
    switch (type) {
      case 'object':
        return this.object(schema, depth);
      case 'array':
        return fc.array(schema.items === undefined ? fc.jsonValue() : this.valid(schema.items, depth + 1), {
          minLength: schema.minItems ?? 0,
          maxLength: Math.max(schema.minItems ?? 0, MAX_LISTED),
        });
      case 'string':
        return textOf(schema);
      case 'integer':
        return integerOf(schema);
      case 'number':
        return numberOf(schema);
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'anything':
        return depth > MAX_DEPTH ? fc.constant(1) : fc.jsonValue({ maxDepth: 2 });
      default:
        throw new Error(`no test knows the type ${type}`);
    }
  }

  private object(schema: any, depth: number): Values {
    const properties = Object.entries<any>(schema.properties ?? {});
    if (properties.length === 0)
      return fc.dictionary(harmlessKey, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 });
    const required: string[] = schema.required ?? [];
    const wanted = properties.filter(([name]) => depth < MAX_DEPTH || required.includes(name));
    const arbitraries = wanted.map(([name, property]) => [name, this.valid(property, depth + 1)] as const);
    return fc.record(Object.fromEntries(arbitraries), { requiredKeys: required, noNullPrototype: true });
  }

  /** Generates values just outside the schema, or of another type. */
  invalid(given: any): Values {
    const schema = this.resolve(given);
    const types: string[] = [schema.type ?? []].flat();
    const strangers = STRANGERS.filter(([type]) => !types.includes(type)).map(([, values]) => values);
    const { minimum, maximum, minLength, maxLength } = schema;
    const beyond = [
      ...(minimum === undefined ? [] : [minimum - 1, minimum - 0.5]),
      ...(maximum === undefined ? [] : [maximum + 1, maximum + 1e-9].filter((above) => above > maximum)),
      ...(types.includes('integer') ? [0.5, 1e21, Number.MAX_SAFE_INTEGER + 2] : []),
      ...(minLength === undefined ? [] : ['']),
      ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1), '𝒳'.repeat(maxLength + 1)]),
      ...(schema.enum === undefined ? [] : ['none of these', String(schema.enum[0]).toUpperCase()]),
      ...(schema.pattern === undefined ? [] : ['\n', '٣']),
    ];
    const outside = beyond.length === 0 ? [] : [fc.constantFrom<unknown>(...beyond)];
    return fc.oneof(...strangers, ...outside);
  }
}

const harmlessKey = fc.stringMatching(/^[a-z]{1,8}$/);

const STRANGERS: [type: string, values: Values][] = [
  ['string', fc.constantFrom('', 'x', '5', 'true', 'null')],
  ['number', fc.constantFrom(-1, 0.5, 1e21)],
  ['boolean', fc.boolean()],
  ['null', fc.constant(null)],
  ['array', fc.constantFrom<unknown>([], [[]], [null])],
  ['object', fc.constantFrom<unknown>({}, { a: 1 })],
];

function textOf({ pattern, format, minLength = 0, maxLength = 40 }: any): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  if (format === 'uuid') return fc.uuid();
  if (format === 'date') return fc.constantFrom('2026-11-02', '2026-12-31', '2099-12-31', '2000-02-29');
  const longest = Math.min(maxLength, 40);
  const lengths = { minLength, maxLength: longest };
  return fc.oneof(
    { arbitrary: fc.string({ ...lengths, unit: 'grapheme-ascii' }), weight: 4 },
    { arbitrary: fc.string({ ...lengths, unit: 'grapheme' }), weight: 2 },
    { arbitrary: fc.constant('x'.repeat(Math.min(maxLength, 4096))), weight: 1 },
  );
}

function integerOf({ minimum = -1000, maximum = 1_000_000 }: any): fc.Arbitrary<number> {
  const bounds = fc.constantFrom<number>(minimum, maximum, Math.min(minimum + 1, maximum));
  return fc.oneof(bounds, fc.integer({ min: minimum, max: maximum }));
}

function numberOf({ minimum = -1e9, maximum = 1e9 }: any): fc.Arbitrary<number> {
  const between = fc.double({ min: minimum, max: maximum, noNaN: true, noDefaultInfinity: true });
  return fc.oneof(fc.constantFrom<number>(minimum, maximum), between);
}
