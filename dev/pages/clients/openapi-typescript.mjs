/**
 * Reads an OpenAPI document from standard input and prints its TypeScript types. It is a separate program because openapi-typescript is an
 * ES module.
 */
import { text } from 'node:stream/consumers';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const BLOB = ts.factory.createTypeReferenceNode('Blob');

const types = await openapiTS(JSON.parse(await text(process.stdin)), {
  // Every file is sent as a Blob, regardless of its content.
  transform: (schema) => (schema.format === 'binary' ? BLOB : undefined),
  // A request can omit a field that has a default.
  defaultNonNullable: false,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
});
process.stdout.write(astToString(types));
