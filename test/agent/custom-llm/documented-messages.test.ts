/** Checks the messages on the socket against the AsyncAPI document, which is generated from the same table. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readServerMessage } from '../../../agent/custom-llm/connection';
import { asyncApiDocument } from '../../../dev/pages/clients/asyncapi';
import { CUSTOM_LLM_MESSAGES } from '../../../domain/custom-llm-messages';
import { schemaChecker } from '../../api/support/openapi-answers';
import { ask, CustomLlmRig, piecesOf, said } from '../support/custom-llm-rig';

type Side = 'platform' | 'server';
const document = asyncApiDocument() as any;
const faultsAt = schemaChecker(document);

/** Returns the schema names of all messages that one side can send. */
const schemasFrom = (side: Side): string[] =>
  document.operations[side === 'platform' ? 'sendTurns' : 'receiveAnswers'].messages.map(
    ({ $ref }: { $ref: string }) => $ref.split('/').at(-1),
  );

/** Returns the names of the schemas that a message matches. */
const kindsOf = (side: Side, message: unknown): string[] =>
  schemasFrom(side).filter((name) => faultsAt(['components', 'schemas', name], message).length === 0);

const PING = { response_type: 'ping_pong', timestamp: 1_763_800_000_123, more: { deep: [null] } };

describe('the messages of a call', () => {
  let rig: CustomLlmRig;
  beforeEach(async () => {
    rig = await CustomLlmRig.open();
  });
  afterEach(() => rig.close());

  test('sends only messages that match exactly one schema of the AsyncAPI document', async () => {
    const { server } = rig;
    const model = rig.customLlm({
      requestBody: { x_agent_id: null, modify_agent: { persona: {} }, contact_number: null, city: 'Pune' },
    });
    const first = piecesOf(ask(model));
    await server.asked(1);
    await server.say(PING);
    await server.nth(1, ({ response_type: type }) => type === 'ping_pong');
    await server.finish(1, 'Yes.');
    await first;
    const conversation = said(['system', 'Be brief.'], ['assistant', 'Yes.'], ['user', 'So?']);
    const second = piecesOf(ask(model, conversation));
    await server.finish((await server.asked(2)).response_id, 'So.');
    await second;
    const received = await server.received();
    expect(received.map((message) => kindsOf('platform', message))).toEqual([
      ['CustomLlmResponseRequired'],
      ['CustomLlmPingPong'],
      ['CustomLlmResponseRequired'],
    ]);
    const [turn] = received;
    for (const field of Object.keys(turn))
      expect([field, kindsOf('platform', { ...turn, [field]: undefined })]).toEqual([field, []]);
    expect(kindsOf('platform', { ...turn, more: 1 })).toEqual([]);
  });
});

test("documents only server messages that both the AsyncAPI document and the agent's parser accept", () => {
  const page = readFileSync(join(__dirname, '../../../docs/custom-llm.md'), 'utf8');
  const shown = [...page.matchAll(/^\{ "(?:interaction|response)_type".*\}$/gm)].map(([line]) => line);
  const read = [...shown, JSON.stringify(PING)].map((text) => [
    kindsOf('server', JSON.parse(text)),
    readServerMessage(text).kind,
  ]);
  expect(read).toEqual([
    [['CustomLlmConfig'], 'config'],
    [['CustomLlmGreeting'], 'greeting'],
    [['CustomLlmResponse'], 'reply'],
    [['CustomLlmResponse'], 'reply'],
    [['CustomLlmPingPong'], 'ping'],
  ]);
});

test.each([
  { response_type: 'response' },
  { response_type: 'response', response_id: '1' },
  { response_type: 'response', response_id: 1.5 },
  { response_type: 'response', response_id: 1, content: 7 },
  { interaction_type: 'greeting' },
  { interaction_type: 'greeting', content: null },
  { interaction_type: 'unknown' },
])('rejects %j in both the AsyncAPI document and the agent', (message) => {
  expect([readServerMessage(JSON.stringify(message)).kind, kindsOf('server', message)]).toEqual([
    'unreadable',
    [],
  ]);
});

test('accepts a response with only its id, or with unknown fields, in both the AsyncAPI document and the agent', () => {
  for (const message of [
    { response_type: 'response', response_id: 1 },
    { response_type: 'response', response_id: 1, content: null, content_complete: true, extra: { deep: [] } },
  ]) {
    expect(readServerMessage(JSON.stringify(message))).toMatchObject({ kind: 'reply', content: '' });
    expect(kindsOf('server', message)).toEqual(['CustomLlmResponse']);
  }
});

test('lists a sender for each message in the table', () => {
  const placed = [...schemasFrom('platform'), ...schemasFrom('server')];
  expect(new Set(placed)).toEqual(new Set(Object.keys(document.channels.customLlm.messages)));
  expect(new Set(placed).size).toBe(Object.keys(CUSTOM_LLM_MESSAGES).length);
});
