/** Checks dispatching a call over both media. */
import { randomUUID } from 'node:crypto';
import { effectiveConfig } from '../../../../domain/effective-config';
import { newAgent } from '../../support/rows';
import { expectRefused, expectStatus, PHONE_CALL, refusalOf, RTC_URL, type Bench } from '../bench';
import type { Check, Coverage } from '../coverage';
import type { Item } from '../items';
import { expectType } from '../types';
import { cell, defaultOf, inlineFields, valuesOf, wordsOf, type Values } from '../values';

const ENDPOINT = 'Endpoints > POST /api/trigger-call/ (dispatch)';

export function dispatchChecks(coverage: Coverage): void {
  coverage.coversRows(`${ENDPOINT} > Body`, async (bench, item) => {
    const name = cell(item, 'Field');
    const media = cell(item, 'Default / rule').includes('webrtc only') ? ['webrtc'] : ['telephony'];
    if (!/only/.test(cell(item, 'Default / rule')) && cell(item, 'Required') !== 'telephony: yes')
      media.push('webrtc');
    for (const medium of media) await takesOrRefuses(bench, medium, name, valuesOfRow(item));
    await defaults(bench, item);
    await isRequired(bench, item);
    if (media.length === 1) await isIgnoredInTheOther(bench, media[0] ?? '', name);
  });
  coverage.under(ENDPOINT, REST);
}

/** Rows for which values made from the type alone would have a different meaning. */
const SPECIAL_VALUES: Readonly<Record<string, (bench: Bench) => Values>> = {
  agent_id: ({ agentId }) => ({ accepted: [agentId, agentId.toUpperCase()], refused: [5, '', {}, null] }),
  contact_number: () => ({ accepted: ['+919876543210'], refused: [5, '', {}, '12', 'Asha', '+1', null] }),
  name: () => ({ accepted: ['Asha', 'आशा', 'x'.repeat(255)], refused: [5, '', ' ', {}, null] }),
  modify_agent: () => ({ accepted: [null, {}, { persona: {} }], refused: ['x', 5, []] }),
  outbound_number: () => ({ accepted: ['+918012345678', null], refused: ['8012345678', 5, {}] }),
  primary_language: () => ({ accepted: ['hi', 'en-IN'], refused: [5, {}, true] }),
  secondary_language: () => ({ accepted: ['en', 'ta'], refused: [5, {}, true] }),
};

function valuesOfRow(item: Item): (bench: Bench) => Values {
  const special = SPECIAL_VALUES[cell(item, 'Field')];
  return special ?? (() => valuesOf(cell(item, 'Type'), cell(item, 'Default / rule')));
}

async function takesOrRefuses(
  bench: Bench,
  medium: string,
  name: string,
  values: (bench: Bench) => Values,
): Promise<void> {
  const { accepted, refused } = values(bench);
  for (const value of accepted)
    expectStatus(await bench.dispatch({ ...PHONE_CALL, medium, [name]: value }), 200);
  for (const value of refused) {
    const answer = await bench.dispatch({ ...PHONE_CALL, medium, [name]: value });
    const [status, code] = refusalOf(answer);
    // `outbound_number` is the only field that is checked against the agent's own numbers.
    if (code === 'OUTBOUND_NUMBER_NOT_ALLOWED') expect([name, status]).toEqual(['outbound_number', 422]);
    else expectRefused(answer, `body.${name}`);
  }
}

/** Checks a phone call's default in its row, and a browser session's default in the session that its agent receives. */
async function defaults(bench: Bench, item: Item): Promise<void> {
  const expected = defaultOf(cell(item, 'Default / rule'));
  const name = cell(item, 'Field');
  if (expected === undefined) return;
  if (cell(item, 'Default / rule').includes('webrtc only')) {
    const { room_name: callId } = (await bench.session()).body;
    expect((await bench.storedCall(callId)).session[name]).toEqual(expected);
    return;
  }
  const { body } = await bench.call();
  const row = await bench.storedCall(body.output.call_id);
  // An empty default is stored as null.
  expect(row[COLUMNS[name] ?? name] ?? (expected === '' ? '' : null)).toEqual(expected);
}

const COLUMNS: Readonly<Record<string, string>> = { outbound_number: 'from_number' };

async function isRequired(bench: Bench, item: Item): Promise<void> {
  const name = cell(item, 'Field');
  const without = (medium: string) => bench.dispatch({ ...PHONE_CALL, medium, [name]: undefined });
  const required = cell(item, 'Required');
  const isFor = { telephony: required !== 'no', webrtc: required === 'yes' };
  expect(['yes', 'no', 'telephony: yes']).toContain(required);
  for (const [medium, isNeeded] of Object.entries(isFor)) {
    if (isNeeded) expectRefused(await without(medium), `body.${name}`);
    else expectStatus(await without(medium), 200);
  }
}

async function isIgnoredInTheOther(bench: Bench, medium: string, name: string): Promise<void> {
  const other = medium === 'webrtc' ? 'telephony' : 'webrtc';
  expectStatus(
    await bench.dispatch({ ...PHONE_CALL, medium: other, [name]: [{ wrong: 'in every way' }] }),
    200,
  );
}

const MODIFIABLE = ['persona', 'training', 'experience', 'analysis'];
const override = (message: string) => ({
  persona: { identity: { greeting_message: { agent_message: message } } },
});

const REST: Readonly<Record<string, Check>> = {
  'Header: X-Agent-Id (optional string).': async (bench) => {
    expectStatus(await bench.call(), 200);
    const { body } = await bench.call({}, { 'X-Agent-Id': 'crm-7' });
    expect((await bench.storedCall(body.output.call_id)).x_agent_id).toBe('crm-7');
  },
  'It is different from body agent_id.': async (bench) => {
    const { body } = await bench.call({}, { 'X-Agent-Id': randomUUID() });
    expect((await bench.storedCall(body.output.call_id)).agent_id).toBe(bench.agentId);
  },
  'Only top-level keys persona, training, experience, analysis are accepted.': async (bench, { text }) => {
    expect(wordsOf(text)).toEqual(MODIFIABLE);
    for (const name of MODIFIABLE) expectStatus(await bench.call({ modify_agent: { [name]: {} } }), 200);
    for (const name of ['deployment', 'other']) {
      for (const medium of ['telephony', 'webrtc']) {
        const answer = await bench.call({ medium, modify_agent: { [name]: {} } });
        expectRefused(answer, `body.modify_agent.${name}`);
      }
    }
  },
  'Telephony response: success (boolean), message (string), output (object: agent_name, call_id, live_captions_url), error (null on success).':
    async (bench, { text }) => {
      const { status, body } = await bench.call();
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(inlineFields(text).map(({ name }) => name));
      expect(body).toMatchObject({ success: true, message: expect.any(String), error: null });
      expect(Object.keys(body.output)).toEqual(wordsOf(/object: [^)]*/.exec(text)?.[0] ?? ''));
      for (const part of Object.values(body.output)) expectType(part, 'string');
      expect(body.output.call_id).toMatch(/^outbound-/);
      expect(body.output.live_captions_url.endsWith(`/${body.output.call_id}`)).toBe(true);
    },
  'WebRTC response: token (string, credential for the real-time server), room_name (string), agent_name (string), connection_url (string, {rtc_url}), live_captions_url (string, a wss address ending in the call id or room name).':
    async (bench, { text }) => {
      const { status, body } = await bench.session();
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(inlineFields(text).map(({ name }) => name));
      for (const { name, rule } of inlineFields(text)) expectType(body[name], rule.split(',')[0] ?? '');
      expect(body.connection_url).toBe(RTC_URL);
      expect(body.live_captions_url).toMatch(/^wss:\/\//);
      expect(body.live_captions_url.endsWith(`/${body.room_name}`)).toBe(true);
    },
  'The client connects to connection_url using token.': async (bench) => {
    const { token, room_name } = (await bench.session()).body;
    const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
    expect(claims).toMatchObject({
      iss: bench.media.settings.apiKey,
      video: { room: room_name, roomJoin: true },
    });
  },
  "For each section supplied, the complete structure for that section is supplied; it is deep-merged over the agent's stored config and the supplied values win.":
    async (bench) => {
      const { body } = await bench.call({ modify_agent: override('Only here') });
      expect((await bench.storedCall(body.output.call_id)).modify_agent).toEqual(override('Only here'));
      const stored = { persona: { ...override('Stored').persona, metadata: { kept: 1 } } };
      expect(effectiveConfig(stored, override('Wins'))).toMatchObject({
        persona: { ...override('Wins').persona, metadata: { kept: 1 } },
      });
    },
  'Within nested objects only the supplied keys are overridden; other keys are kept.': async (bench) => {
    const id = await newAgent(bench.api, { name: 'Overridden', config: override('Stored') });
    expectStatus(await bench.call({ agent_id: id, modify_agent: override('Once') }), 200);
    const { config } = await bench.get(`/api/agent/${id}`);
    expect(config.persona).toEqual(override('Stored').persona);
    const experience = (call: object) => ({ experience: { settings: { call_settings: call } } });
    expect(
      effectiveConfig(
        experience({ max_call_duration: 5, action: 'hang_up' }),
        experience({ max_call_duration: 9 }),
      ),
    ).toMatchObject(experience({ max_call_duration: 9, action: 'hang_up' }));
  },
};
