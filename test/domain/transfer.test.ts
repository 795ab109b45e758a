import { ORDINARY_TYPES } from '../../domain/phone-number';
import { resolveConfig } from '../../domain/agent-config';
import { destinationsIn, mayTransferTo, readTransferDestination } from '../../domain/transfer';

const RULES = {
  allowedCountries: ['IN'],
  allowedNumberTypes: [...ORDINARY_TYPES],
  transferSipDomains: ['pbx.example.com', '10.0.0.5'],
};
const read = (to: string) => readTransferDestination(to, RULES);

describe('a transfer destination', () => {
  test.each<[string, string, string | null, string]>([
    ['+919876543210', 'tel:+919876543210', '+919876543210', '+91********10'],
    ['tel:+919876543210', 'tel:+919876543210', '+919876543210', '+91********10'],
    [' +91 (22) 5000-1234 ', 'tel:+912250001234', '+912250001234', '+91********34'],
    ['09876543210', 'tel:+919876543210', '+919876543210', '+91********10'],
    ['sip:desk@pbx.example.com', 'sip:desk@pbx.example.com', null, 'sip:pbx.example.com'],
    [
      'SIPS:desk@PBX.example.com:5061;transport=tls',
      'SIPS:desk@PBX.example.com:5061;transport=tls',
      null,
      'sip:pbx.example.com',
    ],
    ['sip:200@10.0.0.5', 'sip:200@10.0.0.5', null, 'sip:10.0.0.5'],
    [
      'sip:+919876543210@pbx.example.com',
      'sip:+919876543210@pbx.example.com',
      '+919876543210',
      'sip:pbx.example.com',
    ],
    ...['9876543210', '09876543210', '919876543210', '00919876543210', '+91-98765.43210'].map(
      (user): [string, string, string | null, string] => [
        `sip:${user}@pbx.example.com`,
        `sip:${user}@pbx.example.com`,
        '+919876543210',
        'sip:pbx.example.com',
      ],
    ),
    ...['112233', '1-2.3', 'desk1234567', '1234567a'].map((user): [string, string, string | null, string] => [
      `sip:${user}@pbx.example.com`,
      `sip:${user}@pbx.example.com`,
      null,
      'sip:pbx.example.com',
    ]),
  ])('reads %j as %j', (to, address, number, shown) => {
    expect(read(to)).toEqual({ address, number, shown });
  });

  test.each([
    ['a number of another country', '+14155552671'],
    ['a premium number elsewhere', '+882345678901'],
    ['the same number as a URI', 'tel:+14155552671'],
    ['a URI with a context', 'tel:5552671;phone-context=+1415'],
    ['a URI with a parameter', 'tel:+919876543210;ext=1'],
    ['a short number', '112'],
    ['a number with a pause and digits', '+919876543210,,1234'],
    ['a word', 'reception'],
    ['nothing', ''],
    ['an unknown domain', 'sip:desk@evil.example'],
    ['a domain below an allowed one', 'sip:desk@x.pbx.example.com'],
    ['a domain that ends like an allowed one', 'sip:desk@notpbx.example.com'],
    ['an allowed domain as the user', 'sip:pbx.example.com@evil.example'],
    ['two domains', 'sip:desk@pbx.example.com@evil.example'],
    ['another target as a parameter', 'sip:desk@pbx.example.com;maddr=evil.example'],
    ['a route as a header', 'sip:desk@pbx.example.com?Route=%3Csip:evil.example%3E'],
    ['a password', 'sip:desk:secret@pbx.example.com'],
    ['no user', 'sip:pbx.example.com'],
    ['a line end', 'sip:desk@pbx.example.com\r\nX: 1'],
    ['a number of another country at an allowed domain', 'sip:+14155552671@pbx.example.com'],
    ['the same with 00', 'sip:0014155552671@pbx.example.com'],
    ['the same without +', 'sip:14155552671@pbx.example.com'],
    ['the same with hyphens', 'sip:1-415-555-2671@pbx.example.com'],
    ['the same after another digit', 'sip:0+14155552671@pbx.example.com'],
    ['a premium number as a user', 'sip:0019005550123@pbx.example.com'],
    ['seven digits that are not a number', 'sip:1234567@pbx.example.com'],
    ['another scheme', 'https://pbx.example.com'],
  ])('rejects a destination without repeating it: %s', (_what, to) => {
    const reading = read(to);
    expect(reading).toEqual({ fault: expect.any(String) });
    if ('fault' in reading && to.length > 3) expect(reading.fault).not.toContain(to);
  });

  test('accepts a SIP address only with an allowed domain, and any country if the list has an asterisk', () => {
    const rules = {
      allowedCountries: ['*'],
      allowedNumberTypes: [...ORDINARY_TYPES],
      transferSipDomains: [],
    };
    expect(readTransferDestination('sip:desk@pbx.example.com', rules)).toHaveProperty('fault');
    expect(readTransferDestination('+14155552671', rules)).toHaveProperty('address');
  });
});

test('finds the destinations in a section, but not the names of actions and other words', () => {
  const actions = {
    a: { to: '+14155552671' },
    b: { type: 'transfer', to: 'sip:x@y.example' },
    c: { to: 'reception' },
    e: { type: 'transfer', to: 'reception' },
    f: { type: 'transfer', to: ' ' },
    d: null,
  };
  expect(destinationsIn('persona', { actions })).toEqual([
    { place: ['actions', 'a', 'to'], to: '+14155552671' },
    { place: ['actions', 'b', 'to'], to: 'sip:x@y.example' },
    { place: ['actions', 'e', 'to'], to: 'reception' },
  ]);
  const custom_rules = [{ transfer_to: 'a' }, { transfer_to: '00882 345 678' }, { transfer_to: 5 }, 'x'];
  expect(destinationsIn('training', { know_how: { guardrails: { custom_rules } } })).toEqual([
    { place: ['know_how', 'guardrails', 'custom_rules', 1, 'transfer_to'], to: '00882 345 678' },
  ]);
  expect(destinationsIn('persona', { actions: null })).toEqual([]);
});

test.each([
  ['+14155552671;ext=9', true],
  ['callto:+14155552671', true],
  ['\uff0b\uff11\uff14\uff11\uff15\uff15\uff15\uff15\uff12\uff16\uff17\uff11', true],
  ['\u0660\u0661\u0662\u0663\u0664\u0665', true],
  ['1900-call-now-12', true],
  ['2nd floor', false],
  ['24x7 desk', false],
  ['the desk, 022 5000 1234', false],
  ['1001', true],
  ['(10-01)', true],
  ['desk@pbx.example.com', true],
])('recognizes %j as a destination: %s', (to, isMeant) => {
  expect(destinationsIn('persona', { actions: { a: { to } } })).toHaveLength(isMeant ? 1 : 0);
});

describe('a transfer of a call', () => {
  const config = resolveConfig({
    persona: {
      actions: {
        office: { type: 'transfer', to: '+91 22 5000 1234' },
        off: { type: 'transfer', to: '+912250001235', enabled: false },
        hook: { type: 'http_request', to: '+912250001236' },
      },
    },
    training: {
      know_how: {
        guardrails: {
          custom_rules: [
            { triggers: ['a'], handlingType: 'transfer', transfer_to: 'sip:desk@pbx.example.com' },
            { triggers: ['a'], handlingType: 'transfer', transfer_to: '+912250001237', active: false },
            { triggers: ['a'], handlingType: 'block', transfer_to: '+912250001238' },
          ],
        },
      },
    },
  });
  test.each([
    ['tel:+912250001234', true],
    ['sip:desk@pbx.example.com', true],
    ['+912250001235', false],
    ['+912250001236', false],
    ['+912250001237', false],
    ['+912250001238', false],
    ['+919876543210', false],
  ])('allows a transfer to %s: %s', (to, may) => {
    const destination = read(to);
    if ('fault' in destination) throw new Error(destination.fault);
    expect(mayTransferTo(config, destination, RULES)).toBe(may);
  });
});
