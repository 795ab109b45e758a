/** Reads the fields, limits and help of an agent's sections from the API's OpenAPI document. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: (string | null)[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
  default?: unknown;
}

export interface Document {
  components: { schemas: Record<string, Schema> };
}

export type FieldKind = 'text' | 'long text' | 'number' | 'flag' | 'choice' | 'lines' | 'json';

export interface FieldOf {
  path: string[];
  kind: FieldKind;
  help: string;
  choices: string[];
  min: number | undefined;
  max: number | undefined;
  isWhole: boolean;
  /** Default value as the form shows it; undefined if the document states none. */
  unset: string | undefined;
  /** Maximum number of characters in the field, or in each line of a `lines` field. */
  maxCharacters: number | undefined;
  /** Maximum number of lines or JSON entries. */
  maxEntries: number | undefined;
}

export interface GroupOf {
  path: string[];
  help: string;
  fields: FieldOf[];
  groups: GroupOf[];
}

const ONE_LINE = 1000;

export const SECTIONS = ['persona', 'training', 'experience', 'analysis', 'deployment'] as const;
export type Section = (typeof SECTIONS)[number];

const SCHEMAS: Record<Section, string> = {
  persona: 'Persona',
  training: 'Training',
  experience: 'Experience',
  analysis: 'Analysis',
  deployment: 'Deployment',
};

/** @throws Error if the document has no such section */
export function groupOfSection(document: Document, section: Section): GroupOf {
  const { schemas } = document.components;
  const schema = schemas[SCHEMAS[section]];
  if (schema === undefined) throw new Error(`the document has no ${section}`);
  return groupOf(schemas, schema, []);
}

function groupOf(schemas: Record<string, Schema>, schema: Schema, path: string[]): GroupOf {
  const group: GroupOf = { path, help: schema.description ?? '', fields: [], groups: [] };
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const { $ref } = property;
    const resolved = $ref === undefined ? property : (schemas[$ref.split('/').at(-1) ?? ''] ?? {});
    const propertyPath = [...path, name];
    if (resolved.properties !== undefined) group.groups.push(groupOf(schemas, resolved, propertyPath));
    else group.fields.push(fieldOf(resolved, propertyPath));
  }
  return group;
}

const isOf = ({ type }: Schema, name: string): boolean => [type].flat().includes(name);

function fieldOf(schema: Schema, path: string[]): FieldOf {
  const kind = kindOf(schema);
  return {
    path,
    kind,
    help: schema.description ?? '',
    choices: (schema.enum ?? []).filter((each) => each !== null),
    min: schema.minimum,
    // In the document, `MAX_SAFE_INTEGER` means that the field has no maximum.
    max: schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum,
    isWhole: isOf(schema, 'integer'),
    unset: schema.default === undefined ? undefined : textOfValue(kind, schema.default),
    maxCharacters: schema.maxLength ?? (kind === 'lines' ? schema.items?.maxLength : undefined),
    maxEntries: schema.maxItems ?? schema.maxProperties,
  };
}

function kindOf(schema: Schema): FieldKind {
  if (schema.enum !== undefined) return 'choice';
  if (isOf(schema, 'boolean')) return 'flag';
  if (isOf(schema, 'number') || isOf(schema, 'integer')) return 'number';
  if (isOf(schema, 'array'))
    return schema.items !== undefined && isOf(schema.items, 'string') ? 'lines' : 'json';
  if (isOf(schema, 'string')) return (schema.maxLength ?? 0) > ONE_LINE ? 'long text' : 'text';
  return 'json';
}

/** Returns the stored value at a path, or undefined if it isn't set. */
export function valueAt(stored: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined,
    stored,
  );
}

/** Builds a merge patch that sets only these fields. */
export function changeOf(
  edits: ReadonlyMap<string, { path: string[]; value: unknown }>,
): Record<string, unknown> {
  const change: Record<string, unknown> = {};
  for (const { path, value } of edits.values()) {
    let at = change;
    for (const name of path.slice(0, -1)) {
      at[name] ??= {};
      at = at[name] as Record<string, unknown>;
    }
    const last = path.at(-1);
    if (last !== undefined) at[last] = value;
  }
  return change;
}

/** Builds the body of the section's PATCH request. Only `deployment` is wrapped in a property with its name. */
export const bodyOf = (section: Section, change: Record<string, unknown>): Record<string, unknown> =>
  section === 'deployment' ? { deployment: change } : change;

/** Formats a value for its form field. */
export function textOfValue(kind: FieldKind, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (kind === 'lines' && Array.isArray(value)) return value.join('\n');
  if (kind === 'json') return JSON.stringify(value, null, 2);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Parses a form field's text into a value for the API. Empty text becomes null, which restores the default.
 * @throws SyntaxError if a JSON field holds invalid JSON
 */
export function valueOfText(kind: FieldKind, text: string): unknown {
  if (text.trim() === '') return null;
  switch (kind) {
    case 'text':
    case 'long text':
    case 'choice':
      return text;
    case 'number':
      return Number(text);
    case 'flag':
      return text === 'true';
    case 'lines':
      return text.split('\n').filter((line) => line.trim() !== '');
    case 'json':
      return JSON.parse(text) as unknown;
  }
}
