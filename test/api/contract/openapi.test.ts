/** Checks the OpenAPI document against the specification, the service and the interface. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  answerChecker,
  schemaChecker,
  type CheckAnswer,
  type CheckValue,
  type Document,
} from '../support/openapi-answers';
import { Bench } from './bench';
import { isAsked } from '../support/operations';
import { readPage } from './items';
import { exampleRequests, type ExampleRequest } from './openapi/example-requests';
import { routes } from './openapi/routes';
import { makeTargets } from './openapi/targets';

const ROOT = `${__dirname}/../../..`;

// Each example is sent against newly created rows, which takes time.
jest.setTimeout(180_000);

let bench: Bench;
let document: Document;
let validate: CheckValue;
let check: CheckAnswer;

beforeAll(async () => {
  bench = await Bench.open();
  document = await bench.document();
  validate = schemaChecker(document);
  check = answerChecker(document, validate);
});
afterAll(() => bench.close());

const operations = (): [string, string, any][] =>
  Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, operation]): [string, string, any] => [
      path,
      method,
      operation,
    ]),
  );

describe('the OpenAPI document', () => {
  test('conforms to OpenAPI 3.1', async () => {
    // The validator is an ES module, which jest's sandbox can't load without configuration.
    const program = `
      import { Validator } from '@seriousme/openapi-schema-validator';
      let text = '';
      for await (const chunk of process.stdin) text += chunk;
      const validator = new Validator();
      const result = await validator.validate(JSON.parse(text));
      console.log(JSON.stringify({ valid: result.valid, errors: result.errors ?? [], version: validator.version }));`;
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { cwd: ROOT });
    run.child.stdin?.end(JSON.stringify(document));
    expect(JSON.parse((await run).stdout)).toEqual({ valid: true, errors: [], version: '3.1' });
  });

  test('needs no key and is identical for all API clients', async () => {
    const { status, body, headers } = await bench.api.ask('/api/openapi.json', { as: null });
    expect([status, headers.get('content-type'), body]).toEqual([
      200,
      'application/json; charset=utf-8',
      document,
    ]);
  });

  test('contains every endpoint of the interface', () => {
    const documented = operations().map(([path, method]) => `${method.toUpperCase()} ${path}`);
    const wanted = readPage('interface.md')
      .filter(({ kind }) => kind === 'endpoint')
      .map(({ text }) => text.replace(/ \(.*/, ''));
    expect(wanted.length).toBe(10);
    const missing = wanted.filter((each) => !documented.includes(each.replace('{section}', 'persona')));
    expect(missing).toEqual([]);
  });

  test('gives each operation a unique id', () => {
    const ids = operations().map(([, , { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
  });

  test('gives each operation a summary, a tag, its authentication and its error responses', () => {
    for (const [path, method, operation] of operations()) {
      const where = `${method} ${path}`;
      expect([
        where,
        operation.summary?.length > 5,
        operation.tags.length,
        operation.security.length > 0,
      ]).toEqual([where, true, 1, true]);
      expect([where, Object.keys(operation.responses)]).toEqual([
        where,
        expect.arrayContaining(['401', '429', '500', '503']),
      ]);
    }
  });

  test('lists exactly the parameters in each path', () => {
    for (const [path, method, { parameters = [] }] of operations()) {
      const named = parameters.filter((one: any) => one.in === 'path').map((one: any) => one.name);
      expect([method, path, named]).toEqual([
        method,
        path,
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      ]);
    }
  });

  test('contains only references that resolve', () => {
    const references = JSON.stringify(document).match(/"\$ref":"[^"]+"/g) ?? [];
    expect(references.length).toBeGreaterThan(20);
    for (const reference of references) {
      const name = /#\/components\/schemas\/(\w+)"$/.exec(reference)?.[1] ?? '';
      expect([reference, Object.hasOwn(document.components.schemas, name)]).toEqual([reference, true]);
    }
  });

  test('lists only paths and methods that the service accepts', async () => {
    for (const [path, method, { security }] of operations()) {
      const concrete = path.replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000');
      const { status } = await bench.api.ask(concrete, { method: method.toUpperCase(), as: null });
      // The credential is in a header or in a body, and this request has neither.
      const isOpen = security.some((way: object) => Object.keys(way).length === 0);
      expect([method, path, status]).toEqual([method, path, isOpen ? 422 : 401]);
    }
  });

  test('lists every path that the service accepts', () => {
    const hidden = ['GET /api/call_details/', 'PATCH /api/agent/{agent_id}/{section}'];
    const documented = operations().map(([path, method]) => `${method.toUpperCase()} ${path}`);
    expect(
      routes()
        .filter((route) => !documented.includes(route))
        .sort(),
    ).toEqual(hidden);
  });
});

describe('an example in the OpenAPI document', () => {
  test('contains response examples that match their schema', () => {
    let examples = 0;
    for (const [path, method, { responses }] of operations()) {
      for (const [status, { content }] of Object.entries<any>(responses)) {
        for (const [type, media] of Object.entries<any>(content)) {
          const place = ['paths', path, method, 'responses', status, 'content', type, 'schema'];
          const values = [
            ...Object.values<any>(media.examples ?? {}).map(({ value }) => value),
            ...('example' in media ? [media.example] : []),
          ];
          examples += values.length;
          for (const value of values)
            expect([place.join(' '), validate(place, value)]).toEqual([place.join(' '), []]);
        }
      }
    }
    expect(examples).toBeGreaterThan(100);
  });

  test('contains request examples that match their schema', () => {
    for (const [path, method, { requestBody }] of operations()) {
      for (const [type, { examples = {} }] of Object.entries<any>(requestBody?.content ?? {})) {
        // Form fields are text, and their schemas describe the parsed values.
        if (type !== 'application/json') continue;
        for (const { value } of Object.values<any>(examples)) {
          const place = ['paths', path, method, 'requestBody', 'content', type, 'schema'];
          expect([path, validate(place, value)]).toEqual([path, []]);
        }
      }
    }
  });

  test('contains examples of schemas and parameters that match their schema', () => {
    const { schemas } = document.components;
    let seen = 0;
    for (const [name, schema] of Object.entries<any>(schemas)) {
      for (const [field, property] of Object.entries<any>(schema.properties ?? {})) {
        for (const example of property.examples ?? []) {
          seen += 1;
          expect([
            name,
            field,
            validate(['components', 'schemas', name, 'properties', field], example),
          ]).toEqual([name, field, []]);
        }
      }
    }
    expect(seen).toBeGreaterThan(10);
  });

  test('contains an example for every request body', () => {
    for (const [path, , { requestBody }] of operations()) {
      for (const [type, { examples = {} }] of Object.entries<any>(requestBody?.content ?? {})) {
        expect([path, type, Object.keys(examples).length > 0]).toEqual([path, type, true]);
      }
    }
  });
});

describe('every operation of the OpenAPI document', () => {
  test('accepts each example and responds as documented', async () => {
    const requests: ExampleRequest[] = exampleRequests(
      operations().filter(([, , operation]) => isAsked(operation)),
    );
    expect(requests.length).toBeGreaterThan(30);
    const unchanged = await makeTargets(bench, '/{id}');
    for (const request of requests) {
      const isRead = request.asked.method === 'GET' && request.prepare === undefined;
      const targets = isRead ? unchanged : await makeTargets(bench, request.path);
      const path = request.path.replace(/\{(\w+)\}/g, (_whole, name: string) => targets[name] ?? 'unknown');
      await request.prepare?.(bench, targets);
      const { status, headers, body, text } = await bench.api.ask(path, request.asked);
      const where = `${request.title}: ${status} ${text.slice(0, 300)}`;
      expect([where, String(status)]).toEqual([where, request.success]);
      expect([
        where,
        check(request.asked.method ?? 'GET', path, status, headers.get('content-type'), body),
      ]).toEqual([where, []]);
    }
  });

  test('rejects invalid requests with a documented response', async () => {
    for (const [path, method, { requestBody, ...operation }] of operations()) {
      // An event stream doesn't end by itself.
      if ('text/event-stream' in (operation.responses[200]?.content ?? {})) continue;
      const concrete = path.replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000');
      const malformed = path.replace(/\{\w+\}/g, '~');
      const asked = { method: method.toUpperCase() };
      const answers = [
        [concrete, await bench.api.ask(concrete, { ...asked, as: null })],
        [concrete, await bench.api.ask(concrete, asked)],
        [malformed, await bench.api.ask(malformed, asked)],
        ...(requestBody === undefined
          ? []
          : [
              [
                concrete,
                await bench.api.ask(concrete, {
                  ...asked,
                  body: 'x',
                  headers: { 'Content-Type': 'text/csv' },
                }),
              ] as const,
            ]),
      ] as const;
      for (const [at, { status, headers, body, text }] of answers) {
        const where = `${method} ${at}: ${status} ${text.slice(0, 200)}`;
        expect([where, check(method, at, status, headers.get('content-type'), body)]).toEqual([where, []]);
      }
    }
  });
});

describe('the response checker', () => {
  test.each([
    ['an undocumented status', ['GET', '/api/limits', 418, 'application/json', {}], /418/],
    ['an undocumented content type', ['GET', '/api/limits', 200, 'text/html', '<p>'], /text\/html/],
    ['a missing field', ['GET', '/api/limits', 200, 'application/json', {}], /required/],
    [
      'an extra field',
      ['DELETE', '/api/agent/1', 200, 'application/json', { success: true, more: 1 }],
      /additional/,
    ],
    [
      'success on an unknown path',
      ['GET', '/api/nothing', 200, 'application/json', {}],
      /nothing is documented/,
    ],
  ] as const)('catches %s', (_what, [method, path, status, type, body], words) => {
    expect(check(method, path, status, type, body).join('\n')).toMatch(words);
  });
});
