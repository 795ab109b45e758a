import { phonesScenario } from '../../sip/support/scenario';
import { muLaw } from '../../sip/support/sounds';
import { digestOf } from '../../sip/support/digest';

test('makes phones reject calls with exactly the given statuses', () => {
  const scenario = phonesScenario([404, 603]);
  expect(scenario.match(/SIP\/2\.0 [3-6]\d\d Refused/g)).toEqual([
    'SIP/2.0 404 Refused',
    'SIP/2.0 603 Refused',
  ]);
  expect(scenario.match(/label id="not-\d+"/g)).toEqual(['label id="not-404"', 'label id="not-603"']);
});

test('defines every label that a SIPp scenario jumps to exactly once', () => {
  const scenario = phonesScenario([404, 603]);
  const labels = [...scenario.matchAll(/label id="([\w-]+)"/g)].map(([, name]) => name);
  const goals = [...scenario.matchAll(/(?:next|ontimeout)="([\w-]+)"/g)].map(([, name]) => name);
  expect(labels).toHaveLength(new Set(labels).size);
  expect([...new Set(goals)].filter((goal) => !labels.includes(goal))).toEqual([]);
});

test('encodes µ-law according to G.711', () => {
  // Values from the table in G.711: silence, the smallest steps, and full scale on both sides.
  expect([0, 8, -8, 32_124, -32_124, 32_767, -32_768].map(muLaw)).toEqual([
    0xff, 0xfe, 0x7e, 0x80, 0x00, 0x80, 0x00,
  ]);
});

test('computes the digest from the example in RFC 2617', () => {
  const header =
    'Digest username="Mufasa", realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", uri="/dir/index.html", ' +
    'qop=auth, nc=00000001, cnonce="0a4f113b", response="6629fae49393a05397450978507c4ef1", opaque="5ccc069c403ebaf9f0171e9517f40e41"';
  const digest = digestOf(header);
  expect(digest.expected('GET', 'Circle Of Life')).toBe(digest.response);
  expect(digest.expected('GET', 'another')).not.toBe(digest.response);
});
