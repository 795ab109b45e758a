/** Operations of the OpenAPI document, with everything needed to build requests. */
import type { Document } from './openapi-answers';

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: any;
}

export interface BodyKind {
  contentType: string;
  schema: any;
  examples: Record<string, any>[];
}

export interface Operation {
  /** Method and path, such as `GET /api/agents`. */
  name: string;
  method: string;
  /** `{name}` marks a parameter. */
  path: string;
  parameters: Parameter[];
  /** Empty if the operation takes no body. */
  bodies: BodyKind[];
  /** True if a signed URL is accepted instead of a key. */
  isSigned: boolean;
}

/** True if the response is a stream that never ends. */
export const isStream = ({ responses }: any): boolean =>
  'text/event-stream' in (responses[200]?.content ?? {});

/** True if an API key is sufficient and the response ends. Console sessions and event streams have their own tests. */
export const isAsked = (operation: any): boolean =>
  operation.security.some((scheme: object) => 'apiKey' in scheme) && !isStream(operation);

/** Returns the operations in the document's order, but removals last, and of these the longest path first. */
export function operationsOf(document: Document): Operation[] {
  const operations = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods)
      .filter(([, operation]) => isAsked(operation))
      .map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        parameters: operation.parameters ?? [],
        bodies: Object.entries<any>(operation.requestBody?.content ?? {}).map(
          ([contentType, { schema, examples }]) => ({
            contentType,
            schema,
            examples: Object.values<any>(examples ?? {}).map(({ value }) => value),
          }),
        ),
        isSigned: operation.security.some((scheme: object) => 'signature' in scheme),
      })),
  );
  const removes = ({ method }: Operation): number => Number(method === 'DELETE');
  return operations.sort((a, b) => removes(a) - removes(b) || removes(a) * (b.path.length - a.path.length));
}

export const parametersIn = (operation: Operation, place: Parameter['in']): Parameter[] =>
  operation.parameters.filter((parameter) => parameter.in === place);

/** Parameter names in the path, whether or not the document describes them. */
export const namesInPath = ({ path }: Operation): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);

export function pathOf(operation: Operation, values: Readonly<Record<string, string>>): string {
  return operation.path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`nothing fills {${name}} of ${operation.name}`);
    return encodeURIComponent(value);
  });
}

export interface Payload {
  body?: string | FormData;
  headers: Record<string, string>;
}

/** Encodes fields as the content type requires. */
export function payloadOf(contentType: string, fields: Readonly<Record<string, any>>): Payload {
  switch (contentType) {
    case 'application/json':
      return { body: JSON.stringify(fields), headers: { 'Content-Type': contentType } };
    case 'application/x-www-form-urlencoded':
      return { body: new URLSearchParams(fields).toString(), headers: { 'Content-Type': contentType } };
    case 'multipart/form-data':
      return { body: formOf(fields), headers: {} };
    default:
      throw new Error(`no test knows how to write ${contentType}`);
  }
}

function formOf(fields: Readonly<Record<string, any>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'csv_file') form.append(name, new Blob([value]), 'contacts.csv');
    else form.append(name, String(value));
  }
  return form;
}

/**
 * Returns a valid payload in each content type that the operation accepts, from the document's first example. For an operation without a
 * body, returns one empty payload.
 */
export function payloadsOf({ name, bodies }: Operation, changes: Record<string, unknown> = {}): Payload[] {
  if (bodies.length === 0) return [{ headers: {} }];
  return bodies.map(({ contentType, examples }) => {
    const [example] = examples;
    if (example === undefined) throw new Error(`${name} has no example of its body`);
    return payloadOf(contentType, { ...example, ...changes });
  });
}
