/** The defaults that the OpenAPI document has of an agent's sections, against what a call runs with. */
import { apiDocument } from '../../dev/pages/clients/document';
import { resolveConfig, SECTION_NAMES, SECTIONS } from '../../domain/agent-config';
import { schemaChecker, type Document } from './support/openapi-answers';

const document = JSON.parse(JSON.stringify(apiDocument())) as Document;
const validate = schemaChecker(document);

interface Property {
  /** In the document. */
  place: string[];
  /** In the configuration. */
  path: string[];
  schema: any;
}

/** Those of a section, at any depth. */
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

test('is what a call runs with where nothing is stored', () => {
  expect(withDefault.length).toBeGreaterThan(30);
  for (const { path, schema } of withDefault) expect([path, schema.default]).toEqual([path, resolved(path)]);
});

test('can be sent as it is', () => {
  for (const { place, schema } of withDefault)
    expect([place, validate(place, schema.default)]).toEqual([place, []]);
});

test('makes no field required', () => {
  const demanding = properties.filter(({ schema }) => (schema.required ?? []).length > 0);
  expect(demanding.map(({ path }) => path)).toEqual([]);
});

test('is in words where a request cannot have it, like the unit', () => {
  const delay = properties.find(({ path }) => path.at(-1) === 'user_speech_delay');
  expect(delay?.schema).not.toHaveProperty('default');
  expect(delay?.schema.description).toMatch(/\. In seconds\. 0\.5 unless set$/);
});
