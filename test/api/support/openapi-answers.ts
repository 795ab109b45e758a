/** Checks responses against the OpenAPI document: status, content type and body. */
import type { ErrorObject, ValidateFunction } from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

export type Document = Record<string, any>;

/** Returns the faults. `path` may have a query, and `body` is parsed if it is JSON. */
export type CheckAnswer = (
  method: string,
  path: string,
  status: number,
  contentType: string | null,
  body: unknown,
) => string[];

/** Returns the faults of a value. `place` is the path of its schema in the document. */
export type CheckValue = (place: readonly string[], value: unknown) => string[];

const JSON_TYPE = 'application/json';

/** Returns a function that lists the faults of a response. The list is empty if the response is as documented. */
export function answerChecker(document: Document, validate = schemaChecker(document)): CheckAnswer {
  return (method, path, status, contentType, body) => {
    const template = templateOf(document, path);
    const operation = template === null ? undefined : document.paths[template][methodOf(method)];
    if (template === null || operation === undefined) {
      return undocumented(validate, { method, status, body });
    }
    const response = operation.responses[String(status)];
    if (response === undefined) return [`${status} is no documented status`];
    const type = bareType(contentType);
    const place = ['paths', template, methodOf(method), 'responses', String(status), 'content'];
    if (!Object.hasOwn(response.content, type))
      return [`${type || 'no content type'} is no documented content type`];
    // HEAD responds with the headers of GET and no body.
    if (type !== JSON_TYPE || method.toUpperCase() === 'HEAD') return [];
    return validate([...place, type, 'schema'], body);
  };
}

/** Compiles each schema once, which takes seconds for the whole document. */
export function schemaChecker(document: Document): CheckValue {
  const ajv = new Ajv2020({
    ...{ strict: false, validateSchema: false, allErrors: true, allowUnionTypes: true },
    // Halves the time of compilation.
    ...{ inlineRefs: false, code: { optimize: false } },
  });
  addFormats(ajv);
  ajv.addSchema(document, 'document');
  const compiled = new Map<string, ValidateFunction>();
  return (place, value) => {
    const pointer = `document#/${place.map(pointerPart).join('/')}`;
    const validate = compiled.get(pointer) ?? ajv.getSchema(pointer);
    if (validate === undefined) return [`the document has nothing at ${pointer}`];
    compiled.set(pointer, validate);
    return validate(value) === true ? [] : (validate.errors ?? []).map(describe);
  };
}

/** Returns the documented path that matches with the fewest parameters. A trailing slash is optional. */
export function templateOf(document: Document, path: string): string | null {
  const asked = segments(path.split('?')[0] ?? '');
  const [best] = Object.keys(document.paths)
    .filter((template) => matches(segments(template), asked))
    .sort((a, b) => parametersIn(a) - parametersIn(b));
  return best ?? null;
}

const segments = (path: string): string[] => path.replace(/(.)\/$/, '$1').split('/');
const isParameter = (segment: string): boolean => segment.startsWith('{');
const parametersIn = (template: string): number => segments(template).filter(isParameter).length;

const matches = (template: string[], asked: string[]): boolean =>
  template.length === asked.length &&
  template.every((segment, index) => (isParameter(segment) ? asked[index] !== '' : segment === asked[index]));

const methodOf = (method: string): string => (method.toUpperCase() === 'HEAD' ? 'get' : method.toLowerCase());

const bareType = (contentType: string | null): string => (contentType ?? '').split(';')[0]?.trim() ?? '';

const pointerPart = (part: string): string =>
  encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

const describe = ({ instancePath, message, params }: ErrorObject): string =>
  `${instancePath || 'body'} ${message ?? ''} ${JSON.stringify(params)}`;

/** An undocumented request must be rejected with the common error body. */
function undocumented(
  validate: ReturnType<typeof schemaChecker>,
  { method, status, body }: { method: string; status: number; body: unknown },
): string[] {
  if (method.toUpperCase() === 'OPTIONS' && status < 300) return [];
  if (status < 400 || status >= 500) return [`${status} where nothing is documented`];
  if (method.toUpperCase() === 'HEAD') return [];
  const asError = validate(['components', 'schemas', 'Error'], body);
  return asError.length === 0 ? [] : validate(['components', 'schemas', 'ValidationError'], body);
}
