import { apiDocument } from '../../../dev/pages/clients/document';
import {
  bodyOf,
  changeOf,
  groupOfSection,
  SECTIONS,
  textOfValue,
  valueAt,
  valueOfText,
  type Document,
  type FieldOf,
  type GroupOf,
} from '../../../console/src/agents/schema';

const openApi = JSON.parse(JSON.stringify(apiDocument())) as Document;

const fieldsOf = ({ fields, groups }: GroupOf): FieldOf[] => [...fields, ...groups.flatMap(fieldsOf)];
const fields = new Map(
  SECTIONS.flatMap((section) =>
    fieldsOf(groupOfSection(openApi, section)).map((field) => [`${section}.${field.path.join('.')}`, field]),
  ),
);

describe('the form of an agent, generated from the OpenAPI document', () => {
  test('shows every section, and help for each field', () => {
    for (const section of SECTIONS) expect(groupOfSection(openApi, section).help).not.toBe('');
    expect([...fields].filter(([, { help }]) => help === '')).toEqual([]);
    expect(fields.size).toBeGreaterThan(70);
  });

  test.each([
    ['persona.identity.system_prompt', { kind: 'long text' }],
    [
      'persona.identity.greeting_message.agent_speech_delay',
      { kind: 'number', min: 0, max: 60, isWhole: true, unset: '0' },
    ],
    ['persona.identity.greeting_message.interruptible', { kind: 'flag', unset: 'true' }],
    [
      'experience.conversational_experience.bg_noise.volume',
      { kind: 'number', min: 0, max: 1, isWhole: false, unset: '0.5' },
    ],
    ['experience.conversational_experience.bg_noise.sound', { unset: 'office', maxCharacters: 255 }],
    [
      'experience.conversational_experience.filler_words.filler_words_list',
      { kind: 'lines', unset: undefined, maxEntries: 1000, maxCharacters: 1000 },
    ],
    [
      'experience.conversational_experience.eagerness_to_speak',
      { kind: 'choice', choices: ['slow', 'balanced', 'fast'], unset: 'balanced' },
    ],
    ['experience.settings.end_call.hangup_timeout', { min: 0, max: undefined, unset: '2' }],
    [
      'experience.settings.idle_conversation_settings.idle_call_warning_message',
      { unset: 'Are you still there?' },
    ],
    ['training.know_how.faq', { kind: 'json' }],
    ['deployment.phone.call_type.Outbound', { kind: 'lines', maxEntries: 2000 }],
  ])('shows a field of the right kind for %s, with its default and limits', (path, expected) => {
    expect(fields.get(path)).toMatchObject(expected);
  });

  test('sends only changed fields', () => {
    const edits = new Map([
      ['a.b', { path: ['a', 'b'], value: 1 }],
      ['a.c.d', { path: ['a', 'c', 'd'], value: null }],
    ]);
    expect(changeOf(edits)).toEqual({ a: { b: 1, c: { d: null } } });
  });

  test('shows stored values, and leaves missing ones empty', () => {
    const stored = { a: { b: false } };
    expect(textOfValue('flag', valueAt(stored, ['a', 'b']))).toBe('false');
    expect(textOfValue('text', valueAt(stored, ['a', 'x', 'y']))).toBe('');
  });

  test.each([
    ['text', ' two words ', ' two words '],
    ['number', '0.5', 0.5],
    ['flag', 'false', false],
    ['lines', 'um\n\nwell\n', ['um', 'well']],
    ['json', '{"open": "9 to 5"}', { open: '9 to 5' }],
    ['number', '', null],
  ] as const)('parses a %s field that contains %j', (kind, text, value) => {
    expect(valueOfText(kind, text)).toEqual(value);
  });

  test('does not send invalid JSON', () => {
    expect(() => valueOfText('json', '{"open"')).toThrow(SyntaxError);
  });
});

test.each(SECTIONS)('sends a change of %s in the body that the OpenAPI document defines', (section) => {
  const { requestBody } = (openApi as any).paths[`/api/agent/{agent_id}/${section}`].patch;
  const schema = requestBody.content['application/json'].schema;
  const { properties } = (openApi as any).components.schemas[schema.$ref.split('/').at(-1)];
  const [name = ''] = groupOfSection(openApi, section).groups[0]?.path ?? [];
  const known = Object.keys(bodyOf(section, { [name]: {} })).filter((key) => key in properties);
  expect(known).toHaveLength(1);
  expect(Object.keys(properties).includes(section)).toBe(section === 'deployment');
});
