/** The AsyncAPI document, held against the specification's own schema. What is sent is held against its schemas where it is sent. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { CAPTION_FRAMES } from '../../../api/calls/live-captions/frame-shapes';
import { asyncApiDocument } from '../../../dev/pages/clients/asyncapi';
import { WEBHOOK_EVENTS } from '../../../workflows/domain/webhook-events';

const document = asyncApiDocument() as any;

function faultsOf(value: unknown): unknown[] {
  const folder = join(__dirname, '../../../node_modules/@asyncapi/specs/schemas');
  const schema = JSON.parse(readFileSync(join(folder, '3.1.0.json'), 'utf8'));
  // The schema brings the meta-schemas that it refers to.
  const ajv = new Ajv({ strict: false, validateFormats: false, meta: false, validateSchema: false });
  const validate = ajv.compile(schema);
  return validate(value) ? [] : (validate.errors ?? []);
}

test('is valid AsyncAPI 3.1, and would not be with an action that there is not', () => {
  expect(faultsOf(document)).toEqual([]);
  const { sendCaptions } = document.operations;
  expect(
    faultsOf({ ...document, operations: { sendCaptions: { ...sendCaptions, action: 'say' } } }),
  ).not.toEqual([]);
});

test('has a message for each webhook event and each frame, and no other', () => {
  const names = Object.values<any>(document.components.messages).map(({ name }) => name);
  expect(names.sort()).toEqual([...Object.keys(WEBHOOK_EVENTS), ...Object.keys(CAPTION_FRAMES)].sort());
  const placed = Object.values<any>(document.channels).flatMap(({ messages }) => Object.keys(messages));
  expect(placed.sort()).toEqual(Object.keys(document.components.messages).sort());
});

test('has only references that lead somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    ([, way]) => way ?? '',
  );
  expect(references.length).toBeGreaterThan(30);
  for (const way of references) {
    const target = way.split('/').reduce((value: any, key) => value?.[key], document);
    expect([way, typeof target]).toEqual([way, 'object']);
  }
});
