/** Compares the defaults in the OpenAPI document for an agent's sections with those that a call uses. */
import { apiDocument } from '../../dev/pages/clients/document';
import { resolveConfig, SECTION_NAMES, SECTIONS } from '../../domain/agent-config';
import { schemaChecker, type Document } from './support/openapi-answers';

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
  for (const { path, schema } of withDefault) expect([path, schema.default]).toEqual([path, resolved(path)]);
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
