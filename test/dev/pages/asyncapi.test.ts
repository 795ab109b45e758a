/** Checks the AsyncAPI document with the parser of its specification. The senders' tests check that their messages match the schemas. */
import { Parser } from '@asyncapi/parser';
import { CAPTION_FRAMES } from '../../../api/calls/live-captions/frames';
import { asyncApiDocument } from '../../../dev/pages/clients/asyncapi';
import { CUSTOM_LLM_MESSAGES } from '../../../domain/custom-llm-messages';
import { WEBHOOK_EVENTS } from '../../../domain/webhook-events';

const ERROR = 0;
const parser = new Parser();
const document = asyncApiDocument() as any;

/** Returns the location of each error. */
async function errorsOf(value: unknown): Promise<string[]> {
  const { diagnostics } = await parser.parse(JSON.stringify(value));
  return diagnostics.filter(({ severity }) => Number(severity) === ERROR).map(({ path }) => path.join('.'));
}

test('generates an AsyncAPI document that its parser accepts', async () => {
  expect(await errorsOf(document)).toEqual([]);
});

test('generates exactly one message for each webhook event, caption frame and custom-LLM message', () => {
  const names = Object.values<any>(document.components.messages).map(({ name }) => name);
  const declared = [WEBHOOK_EVENTS, CAPTION_FRAMES, CUSTOM_LLM_MESSAGES].flatMap((table) =>
    Object.keys(table),
  );
  expect(names.sort()).toEqual(declared.sort());
  const placed = Object.values<any>(document.channels).flatMap(({ messages }) => Object.keys(messages));
  expect(placed.sort()).toEqual(Object.keys(document.components.messages).sort());
});
