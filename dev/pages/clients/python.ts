/** The generated part of the Python client: types, and what each method takes and returns by the path. */
import { isJsonObject, type JsonObject } from '../../../domain/json';
import { clientDocument, operationsIn, pascal, type PlacedOperation } from './document';
import { PythonTypes, quoted } from './python-types';

const HEAD = `"""Made by "npm run pages" from the API's document: not to be edited."""
# ruff: noqa
from __future__ import annotations

from collections.abc import Iterator
from http.client import HTTPResponse
from os import PathLike
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, overload

Json: TypeAlias = Any
File: TypeAlias = "PathLike[str] | tuple[str, bytes]"
`;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export function pythonTypes(): string {
  const { document, requests, errorCodes } = clientDocument();
  const types = new PythonTypes();
  const { components, paths } = document;
  const schemas = isJsonObject(components) && isJsonObject(components.schemas) ? components.schemas : {};
  const { Json: _any, ...named } = schemas;
  for (const [name, schema] of Object.entries(named)) if (isJsonObject(schema)) types.declare(name, schema);
  const operations = operationsIn(paths).map((placed) => signatureOf(placed, types));
  return [
    HEAD,
    types.text,
    `ErrorCode: TypeAlias = Literal[\n${errorCodes.map((code) => `    ${quoted(code)},`).join('\n')}\n]`,
    `REQUESTS: dict[str, dict[str, bool]] = ${JSON.stringify(requests, null, 4).replaceAll('true', 'True')}\n`,
    '',
    classOf(operations, types, schemas),
  ].join('\n');
}

interface Signature {
  method: string;
  path: string;
  /** After the path. */
  parameters: string[];
  answer: JsonObject | null;
  answerType: string;
}

function signatureOf({ method, path, operation }: PlacedOperation, types: PythonTypes): Signature {
  const name = pascal(String(operation.operationId));
  const names = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, one]) => one ?? []);
  const fields = Object.fromEntries(names.map((one) => [one, { type: 'string' }]));
  const query = queryOf(operation);
  const body = isJsonObject(operation.requestBody) ? contentOf(operation.requestBody) : [];
  const takesKey = JSON.stringify(operation.parameters ?? []).includes('"Idempotency-Key"');
  const answer = answerOf(operation);
  return {
    method,
    path,
    parameters: [
      ...(names.length === 0
        ? []
        : [`path: ${types.dict(`${names.map(pascal).join('')}Path`, fields, names)}`]),
      ...(body.length === 0
        ? []
        : [`body: ${[...new Set(body.map(([, one]) => types.of(one, `${name}Body`)))].join(' | ')}`]),
      ...(query === null ? [] : [`query: ${types.dict(`${name}Query`, query, [])} | None = None`]),
      ...(takesKey ? ['idempotency_key: str | None = None'] : []),
      'headers: dict[str, str] | None = None',
    ],
    answer,
    answerType: answer === null ? 'None' : types.of(answer, `${name}Answer`),
  };
}

function queryOf({ parameters }: JsonObject): Record<string, JsonObject> | null {
  const list = Array.isArray(parameters) ? parameters.filter(isJsonObject) : [];
  const query = list.filter((one) => one.in === 'query');
  if (query.length === 0) return null;
  return Object.fromEntries(
    query.map(({ name, schema, description }) => [
      String(name),
      { ...(isJsonObject(schema) ? schema : {}), ...(description === undefined ? {} : { description }) },
    ]),
  );
}

const contentOf = ({ content }: JsonObject): [string, JsonObject][] =>
  Object.entries(isJsonObject(content) ? content : {}).flatMap(([type, media]): [string, JsonObject][] =>
    isJsonObject(media) && isJsonObject(media.schema) ? [[type, media.schema]] : [],
  );

/** Null where no answer is JSON. */
function answerOf({ responses }: JsonObject): JsonObject | null {
  const answers = Object.values(isJsonObject(responses) ? responses : {}).filter(isJsonObject);
  const content = answers.flatMap(contentOf).find(([type]) => type === 'application/json');
  return content?.[1] ?? null;
}

function classOf(signatures: readonly Signature[], types: PythonTypes, schemas: JsonObject): string {
  const methods = METHODS.map((method) => {
    const own = signatures.filter((one) => one.method === method && one.answer !== null);
    const heads = own.map((one) => headOf(method, one, one.answerType));
    return overloads(method, heads, `self._json(${quoted(method)}, route, **options)`);
  });
  const gets = signatures.filter(({ method }) => method === 'get');
  const downloads = gets.map((one) => headOf('download', one, 'HTTPResponse'));
  const lists = gets.flatMap((one) => {
    const item = itemOf(one.answer, schemas);
    return item === null ? [] : [headOf('each', one, `Iterator[${types.of(item, 'Item')}]`)];
  });
  return [
    'class Operations:',
    '    def _json(self, method: str, route: str, **options: Any) -> Any:',
    '        raise NotImplementedError\n',
    '    def _download(self, route: str, **options: Any) -> Any:',
    '        raise NotImplementedError\n',
    '    def _each(self, route: str, **options: Any) -> Any:',
    '        raise NotImplementedError\n',
    ...methods,
    overloads('download', downloads, 'self._download(route, **options)'),
    overloads('each', lists, 'self._each(route, **options)'),
  ].join('\n');
}

const headOf = (name: string, { path, parameters }: Signature, answer: string): string =>
  `    def ${name}(self, route: Literal[${quoted(path)}], /, *, ${parameters.join(', ')}) -> ${answer}: ...\n`;

/** Python wants two overloads or none. */
function overloads(name: string, heads: readonly string[], call: string): string {
  const [only = ''] = heads;
  if (heads.length === 1) return only.replace(/: \.\.\.\n$/, `:\n${argumentsOf(only, call)}\n`);
  const all = heads.map((head) => `    @overload\n${head}`).join('');
  return `${all}    def ${name}(self, route: str, /, **options: Any) -> Any:\n        return ${call}\n`;
}

/** Of one that is no overload the arguments have names, which are passed on one by one. */
function argumentsOf(head: string, call: string): string {
  const [, parameters = ''] = head.split('/, *, ');
  const names = [...parameters.matchAll(/(?:^|, )(\w+): /g)].map(([, name]) => `${name}=${name}`);
  const [, type = 'Any'] = / -> (.+): \.\.\.\n$/.exec(head) ?? [];
  return `        answer: ${type} = ${call.replace('**options', names.join(', '))}\n        return answer`;
}

/** Of a list that comes in pages. */
function itemOf(answer: JsonObject | null, schemas: JsonObject): JsonObject | null {
  if (answer === null) return null;
  const parts = Array.isArray(answer.anyOf) ? answer.anyOf.filter(isJsonObject) : [answer];
  for (const { $ref } of parts) {
    const schema = typeof $ref === 'string' ? schemas[$ref.split('/').at(-1) ?? ''] : undefined;
    const properties = isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
    const list = properties.data ?? properties.campaigns;
    if ('pagination' in properties && isJsonObject(list) && isJsonObject(list.items)) return list.items;
  }
  return null;
}
