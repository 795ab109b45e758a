/** A program of its own, as openapi-typescript is an ES module: an OpenAPI document on standard input, its TypeScript types on standard output. */
import { text } from 'node:stream/consumers';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const BLOB = ts.factory.createTypeReferenceNode('Blob');

const types = await openapiTS(JSON.parse(await text(process.stdin)), {
  // A file is sent as one, whatever its bytes.
  transform: (schema) => (schema.format === 'binary' ? BLOB : undefined),
  // What has a default may be left out of a request.
  defaultNonNullable: false,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
});
process.stdout.write(astToString(types));
