import { openDefaults, warnOfOpenDefaults } from '../../runtime/open-defaults';

const variablesOf = (settings: Parameters<typeof openDefaults>[0]): string[] =>
  openDefaults(settings).map(({ variable }) => variable);

describe('open defaults', () => {
  test.each<[boolean, readonly string[] | null, string[]]>([
    [false, [], ['NUMBERS', 'SIP_INBOUND_ADDRESSES']],
    [false, null, ['NUMBERS']],
    [true, [], ['SIP_INBOUND_ADDRESSES']],
    [true, ['192.0.2.0/24'], []],
  ])(
    'names the open defaults if registeredOnly is %s and the inbound addresses are %p',
    (registeredOnly, addresses, named) => {
      expect(variablesOf({ registeredOnly, inboundAddresses: addresses })).toEqual(named);
    },
  );

  test('logs each open default with its remedy', () => {
    const lines: string[] = [];
    const log = { warn: (_fields: object, sentence: string) => lines.push(sentence) };
    warnOfOpenDefaults(log, { registeredOnly: false, inboundAddresses: [] });
    expect(lines).toEqual([
      expect.stringContaining('set NUMBERS=registered'),
      expect.stringContaining('set SIP_INBOUND_ADDRESSES'),
    ]);
  });
});
