/** Translates JSON Schema into Python types, with a TypedDict for each object. */
import { isJsonObject, type JsonObject } from '../../../domain/json';
import { pascal } from './document';

const KEYWORDS = ['from', 'class', 'global', 'in', 'is', 'not', 'pass', 'return', 'None', 'True', 'False'];
const isName = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text) && !KEYWORDS.includes(text);

/** Collects declarations, one for each object in the given schemas. */
export class PythonTypes {
  private readonly declared = new Map<string, string>();

  get text(): string {
    return [...this.declared.values()].join('\n\n');
  }

  /** Declares a name for a schema. */
  declare(name: string, schema: JsonObject): void {
    if (isJsonObject(schema.properties)) this.addDict(name, schema, schema.properties);
    else this.add(name, `${name}: TypeAlias = ${quoted(this.of(schema, name))}\n`);
  }

  /** Declares an object with these fields, for objects that have no schema. */
  dict(name: string, fields: Readonly<Record<string, JsonObject>>, required: readonly string[]): string {
    this.addDict(name, { required }, fields);
    return name;
  }

  /** Returns the type expression of a schema. `name` is used for an object without a name. */
  of(schema: JsonObject, name: string): string {
    if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1) ?? 'Json';
    if ('const' in schema) return `Literal[${literal(schema.const)}]`;
    if (Array.isArray(schema.enum)) return `Literal[${schema.enum.map(literal).join(', ')}]`;
    const types: unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
    if (types[0] !== undefined) return union(types.map((type) => this.ofType(type, schema, name)));
    if (!Array.isArray(schema.anyOf)) return 'Json';
    const parts = (schema.anyOf as unknown[]).filter(isJsonObject);
    return union(parts.map((part, index) => this.of(part, `${name}${index + 1}`)));
  }

  private ofType(type: unknown, schema: JsonObject, name: string): string {
    switch (type) {
      case 'string':
        return schema.format === 'binary' ? 'File' : 'str';
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'array':
        return `list[${isJsonObject(schema.items) ? this.of(schema.items, `${name}Item`) : 'Json'}]`;
      case 'object':
        return this.ofObject(schema, name);
      default:
        throw new Error(`${name} has a type that this generator does not support: ${JSON.stringify(type)}`);
    }
  }

  private ofObject(schema: JsonObject, name: string): string {
    const { properties, additionalProperties: others } = schema;
    if (!isJsonObject(properties))
      return `dict[str, ${isJsonObject(others) ? this.of(others, `${name}Value`) : 'Json'}]`;
    this.addDict(name, schema, properties);
    return name;
  }

  private addDict(name: string, { required, description }: JsonObject, properties: JsonObject): void {
    const isRequired = (key: string): boolean => Array.isArray(required) && required.includes(key);
    const fields = Object.entries(properties).map(([key, value]) => {
      const field = isJsonObject(value) ? value : {};
      const type = this.of(field, name + pascal(key));
      return { key, type: isRequired(key) ? type : `NotRequired[${type}]`, comment: commentOf(field) };
    });
    if (!fields.every(({ key }) => isName(key))) {
      const entries = fields.map(({ key, type }) => `${quoted(key)}: ${quoted(type)}`);
      this.add(name, `${name} = TypedDict(${quoted(name)}, {${entries.join(', ')}})\n`);
      return;
    }
    const lines = fields.flatMap(({ key, type, comment }) => [...comment, `    ${key}: ${type}`]);
    const head = typeof description === 'string' ? [`    """${description}"""`] : [];
    const body = [...head, ...lines];
    this.add(name, `class ${name}(TypedDict):\n${(body.length === 0 ? ['    pass'] : body).join('\n')}\n`);
  }

  /** A name can be added twice if both declarations are equal. */
  private add(name: string, text: string): void {
    const known = this.declared.get(name);
    if (known !== undefined && known !== text)
      throw new Error(`${name} is declared with two different types`);
    this.declared.set(name, text);
  }
}

const commentOf = ({ description }: JsonObject): string[] =>
  typeof description === 'string' ? [`    # ${description.replaceAll('\n', ' ')}`] : [];

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');

export const quoted = (text: string): string => JSON.stringify(text);

function literal(value: unknown): string {
  if (value === null) return 'None';
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);
}
