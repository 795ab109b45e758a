/** Tests which configured actions are valid, and how the time of a callback is read. */
import { callbackTime } from '../../../agent/model/actions/tools';
import { readActions } from '../../../agent/model/actions/read-actions';
import { fillUrl, isUrlTemplate } from '../../../agent/model/actions/url-template';
import { resolveConfig } from '../../../domain/agent-config';
import { IgnoredSettings } from '../../../agent/model/ignored-settings';

function read(actions: unknown) {
  const ignored = new IgnoredSettings();
  const { all, switchedOff } = readActions(resolveConfig({ persona: { actions } }), ignored);
  return { all, switchedOff: [...switchedOff], why: ignored.all.map(({ why }) => why) };
}

const http = (more: object = {}) => ({
  type: 'http_request',
  url: 'https://api.example/orders/{{id}}',
  ...more,
});

describe('readActions()', () => {
  test('reads an action of each type with its name', () => {
    const { all, why } = read({
      'Look up order!': http({
        description: 'Finds it',
        method: 'get',
        headers: { 'X-Key': 'k' },
        timeout_ms: 3_000,
      }),
      hang_up: { type: 'end_call', description: 'Ends it' },
      later: { type: 'request_callback' },
      office: { type: 'transfer', to: '+91 (22) 1234-5678' },
      sip: { type: 'transfer', to: 'sip:front-desk@example.com' },
      national: { type: 'transfer', to: 'tel:022 1234-5678' },
    });
    expect(why).toEqual([]);
    expect(all).toEqual([
      expect.objectContaining({
        name: 'Look_up_order_',
        method: 'GET',
        headers: { 'X-Key': 'k' },
        withinMs: 3_000,
      }),
      { type: 'end_call', name: 'hang_up', description: 'Ends it' },
      { type: 'request_callback', name: 'later', description: 'later' },
      { type: 'transfer', name: 'office', description: 'office', to: '+912212345678' },
      { type: 'transfer', name: 'sip', description: 'sip', to: 'sip:front-desk@example.com' },
      { type: 'transfer', name: 'national', description: 'national', to: 'tel:02212345678' },
    ]);
  });

  test('accepts each setting under only one name', () => {
    const { why, switchedOff } = read({
      a: { type: 'transfer', number: '+912212345678' },
      b: http({ active: false }),
    });
    expect(why).toEqual(['no valid number to transfer to']);
    expect(switchedOff).toEqual([]);
  });

  test.each([
    [{ a: { type: 'fax' } }],
    [{ a: {} }],
    [{ a: null }],
    [{ a: 'x' }],
    [{ नाम: { type: 'end_call' } }],
    [{ a: http({ url: 'ftp://api.example/' }) }],
    [{ a: http({ url: 'https://{{host}}/orders' }) }],
    [{ a: http({ url: 'https://api.{{tld}}/orders' }) }],
    [{ a: http({ url: '{{url}}' }) }],
    [{ a: http({ url: 'https://user:pass@api.example/' }) }],
    [{ a: http({ url: 7 }) }],
    [{ a: http({ method: 'TRACE' }) }],
    [{ a: http({ headers: { Host: 'other.example' } }) }],
    [{ a: http({ headers: { 'Transfer-Encoding': 'chunked' } }) }],
    [{ a: http({ headers: { 'X Bad': '1' } }) }],
    [{ a: http({ headers: { 'X-Nested': {} } }) }],
    [{ a: http({ headers: [] }) }],
    [{ a: http({ parameters: 'none' }) }],
    [{ a: http({ parameters: { properties: { a: { type: 'str' } } } }) }],
    [{ a: http({ parameters: { properties: { a: { $ref: '#/missing' } } } }) }],
    [{ a: http({ parameters: { properties: { a: { type: 'string', pattern: '(' } } } }) }],
    [{ a: http({ parameters: { type: 'object', properties: { a: 1 } } }) }],
    [{ a: http({ parameters: { type: 'object', properties: { a: { description: 'x'.repeat(20_000) } } } }) }],
    [{ a: http({ body: 'x'.repeat(20_000) }) }],
    [{ a: http({ description: 'x'.repeat(2_001) }) }],
    [{ a: { type: 'transfer' } }],
    [{ a: { type: 'transfer', to: '12345' } }],
    [{ a: { type: 'transfer', to: '+91\r\nX: 1' } }],
    [{ end_call: http() }],
    [{ request_callback: { type: 'end_call' } }],
    [{ transfer_by_rule: { type: 'end_call' } }],
  ])('ignores %j and records the reason', (actions) => {
    const { all, why } = read(actions);
    expect(all).toEqual([]);
    expect(why).toHaveLength(1);
  });

  test('keeps the first of two actions with the same tool name, and at most fifty actions', () => {
    expect(read({ 'a b': { type: 'end_call' }, a_b: http() })).toMatchObject({
      all: [{ type: 'end_call' }],
      why: ['a duplicate or reserved name'],
    });
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`a${at}`, http()]));
    expect(read(many)).toMatchObject({ all: { length: 50 }, why: ['more than 50'] });
  });

  test('lists disabled built-in tools, and does not record them as ignored', () => {
    expect(
      read({ a: { type: 'request_callback', enabled: false }, b: { ...http(), enabled: false } }),
    ).toEqual({
      all: [],
      switchedOff: ['request_callback', 'http_request'],
      why: [],
    });
    expect(read(null)).toEqual({ all: [], switchedOff: [], why: [] });
  });

  test('reads a map from parameter to description as a schema', () => {
    expect(read({ a: http({ parameters: { id: 'the number' } }) }).all[0]).toMatchObject({
      parameters: {
        type: 'object',
        properties: { id: { type: 'string', description: 'the number' } },
        required: ['id'],
      },
    });
  });
});

describe('fillUrl()', () => {
  test.each([
    ['https://a.example/x/{{id}}', { id: 'A/12 ?&#' }, 'https://a.example/x/A%2F12%20%3F%26%23'],
    ['https://a.example/x?q={{ q }}&z=1', { q: 'a&z=2#' }, 'https://a.example/x?q=a%26z%3D2%23&z=1'],
    ['https://a.example/{{n}}', { n: 7 }, 'https://a.example/7'],
    ['https://a.example/{{n}}', { n: 'हिंदी' }, `https://a.example/${encodeURIComponent('हिंदी')}`],
    ['https://a.example/{{n}}', { n: 'x\ud800y' }, 'https://a.example/xy'],
  ])('fills %s with %j as %s', (template, values, url) => {
    expect(isUrlTemplate(template)).toBe(true);
    expect(fillUrl(template, values)).toEqual({ kind: 'url', url });
  });

  test.each(['..', '.', '%2e%2e'.replace(/%2e/g, '.')])('rejects the path value %j', (id) => {
    expect(fillUrl('https://a.example/users/{{id}}/orders', { id })).toEqual({ kind: 'escapes-path' });
  });

  test('reports a value that is absent, inherited or empty as missing', () => {
    for (const values of [{}, { id: '' }, { id: null }, { id: '  ' }])
      expect(fillUrl('https://a.example/{{id}}', values)).toEqual({ kind: 'missing', name: 'id' });
    expect(fillUrl('https://a.example/{{constructor}}', {})).toEqual({
      kind: 'missing',
      name: 'constructor',
    });
  });
});

describe('callbackTime()', () => {
  const now = new Date('2026-11-23T06:00:00Z');
  const asked = (args: object) => callbackTime({ ...args }, { now, timeZone: 'Asia/Kolkata' });

  test.each([
    [{ at: '2026-11-23T15:00' }, '2026-11-23T09:30:00.000Z'],
    [{ at: '2026-11-24T15:00:00+00:00' }, '2026-11-24T15:00:00.000Z'],
    [{ in_minutes: 30 }, '2026-11-23T06:30:00.000Z'],
    [{ in_minutes: 30, at: 'nonsense' }, '2026-11-23T06:30:00.000Z'],
  ])('reads %j as %s', (args, iso) => {
    expect(asked(args)).toEqual({ kind: 'at', at: new Date(iso) });
  });

  test.each([[{}], [{ at: '' }], [{ at: null }], [{ in_minutes: 0 }]])(
    'returns no callback time for %j',
    (args) => {
      expect(asked(args)).toEqual({ kind: 'none' });
    },
  );

  test.each([
    [{ at: '2026-11-23T11:00' }],
    [{ at: 'soon' }],
    [{ at: '2028-01-01T10:00' }],
    [{ in_minutes: 1e12 }],
  ])('rejects %j', (args) => {
    expect(asked(args).kind).toBe('rejected');
  });
});
