/**
 * Tests that the opening is synthesised while the phone rings. The test decides when the voice responds, and checks the order of events.
 */
import '../support/sdk-rejections';
import { isAudible } from '../../../agent/audio/pcm';
import { CustomLlmServer } from '../support/custom-llm-server';
import { callContextOf } from '../support/fake-platform';
import { BROWSER, CALLEE } from '../support/fake-room';
import { HeldVoice } from '../support/held-voice';
import { CALL, NO_SPEECH, Rig } from '../support/rig';

const DISCLOSURE = 'This call is recorded for training.';

let rig: Rig;
let voice: HeldVoice;
let conversation: Promise<void>;
/** The events in order. `audible` stands for the first audio that the user receives. */
let order: string[];

beforeEach(async () => {
  [rig, voice] = await Promise.all([Rig.open(), HeldVoice.open()]);
  order = [];
  conversation = Promise.resolve();
  rig.room.onSend = (samples) => {
    if (isAudible(samples) && !order.includes('audible')) order.push('audible');
  };
});
afterEach(async () => {
  rig.hangUp();
  await conversation;
  await Promise.all([rig.platform.close(), voice.close()]);
});

interface Changes {
  identity?: object;
  brain?: object;
  mouth?: object;
  experience?: object;
  callContext?: object;
}

function converse({
  identity = {},
  brain = {},
  mouth = {},
  experience = {},
  callContext = {},
}: Changes = {}): void {
  const greeting = { agent_message: 'Good day {{name}}.', ...identity };
  const tts = { primary: { provider: 'openai', model: 'voice' }, ...mouth };
  const persona = {
    identity: { greeting_message: greeting },
    senses_capabilities: { brain, mouth: { tts } },
  };
  rig.platform.callContexts.set(
    CALL,
    callContextOf(CALL, { agent: { name: 'A', config: { persona, experience } }, ...callContext }),
  );
  conversation = rig.run(CALL, {
    speech: { ...NO_SPEECH, endpoints: { openai: { url: voice.url, apiKey: null } } },
  });
}

const phone = (...statuses: string[]): void =>
  statuses.forEach((status) => rig.room.addParticipant(CALLEE, status));
const isReady = (): Promise<void> => new Promise((resolve) => rig.after('publishReady', () => resolve()));
const answer = (): void => {
  order.push('answered');
  phone('active');
};
const said = (): string[] =>
  rig.platform.events.filter(({ type }) => type === 'segment').map(({ text }) => String(text));
const untilSaid = (...lines: string[]): Promise<void> =>
  rig.platform.until(() => said().length >= lines.length).then(() => expect(said()).toEqual(lines));
const ttsUsage = (): object | undefined =>
  rig.platform.events.find(({ type }) => type === 'usage')?.models.find(({ kind }: any) => kind === 'tts');

describe('the greeting', () => {
  test('synthesises the greeting while the phone rings, and plays it after the answer without another request', async () => {
    const ready = isReady();
    converse();
    await ready;
    phone('dialing', 'ringing');
    await voice.say();
    order.push('synthesised');
    answer();
    await untilSaid('Good day Asha.');
    expect(order).toEqual(['synthesised', 'answered', 'audible']);
    expect(voice.requested).toEqual(['Good day Asha.']);
  });

  test('plays the greeting as it arrives if the call is answered during its synthesis', async () => {
    const ready = isReady();
    converse();
    await ready;
    phone('dialing', 'active');
    order.push('answered');
    await rig.platform.until(() => rig.platform.types.includes('answered'));
    const saying = voice.say();
    order.push('synthesised');
    await saying;
    await untilSaid('Good day Asha.');
    expect([order, voice.requested.length]).toEqual([['answered', 'synthesised', 'audible'], 1]);
  });

  test('synthesises the greeting before the person joins a browser session', async () => {
    const ready = isReady();
    converse({ callContext: { medium: 'webrtc' } });
    await ready;
    await voice.say();
    rig.room.addParticipant(BROWSER);
    await untilSaid('Good day Asha.');
    rig.room.removeParticipant(BROWSER);
    expect(voice.requested).toEqual(['Good day Asha.']);
  });

  test('says the disclosure of the rules before the greeting', async () => {
    const ready = isReady();
    converse({ callContext: { disclosure: 'This is an automated call.' } });
    await ready;
    phone('dialing', 'ringing');
    await voice.say();
    answer();
    await untilSaid('This is an automated call. Good day Asha.');
    expect(voice.requested.join(' ')).toBe('This is an automated call. Good day Asha.');
  });

  test("uses the greeting of an organization's own server in place of the agent's", async () => {
    const server = await CustomLlmServer.open();
    try {
      const hello = JSON.stringify({ interaction_type: 'greeting', content: 'Namaste from the server.' });
      await server.behave({ kind: 'take', hello: [hello] });
      rig.allowedHosts.push(server.host);
      const ready = isReady();
      const custom_llm = { x_agent_id: 't', modify_agent: null, contact_number: null, metadata: {} };
      const primary = { provider: 'custom', url: `ws://${server.host}`, auth_token: 'a-token' };
      converse({ brain: { llm: { primary } }, callContext: { custom_llm } });
      await ready;
      phone('dialing', 'ringing');
      await voice.say();
      answer();
      await untilSaid('Namaste from the server.');
      expect(voice.requested).toEqual(['Namaste from the server.']);
      rig.hangUp();
      await conversation;
    } finally {
      await server.close();
    }
  });

  test('synthesises the whole greeting again when the voice returned only a part while the phone rang', async () => {
    const ready = isReady();
    converse({ identity: { agent_message: 'Good day {{name}}. We call about your order of today.' } });
    await ready;
    phone('dialing', 'ringing');
    await voice.say();
    await voice.reject(400);
    while (!rig.counted.some(({ kind }) => kind === 'failed')) await new Promise(setImmediate);
    answer();
    await voice.say();
    await voice.say();
    await untilSaid('Good day Asha. We call about your order of today.');
    const pieces = ['Good day Asha.', 'We call about your order of today.'];
    expect(voice.requested).toEqual([...pieces, ...pieces]);
  });

  test('synthesises the greeting again after the answer when the voice failed while the phone rang', async () => {
    const ready = isReady();
    converse();
    await ready;
    phone('dialing', 'ringing');
    await voice.reject(400);
    // The failure has arrived once the provider's error is counted.
    while (!rig.counted.some(({ kind }) => kind === 'failed')) await new Promise(setImmediate);
    answer();
    await voice.say();
    await untilSaid('Good day Asha.');
    expect([order, voice.requested]).toEqual([
      ['answered', 'audible'],
      ['Good day Asha.', 'Good day Asha.'],
    ]);
  });

  test('synthesises the greeting again immediately when synthesis fails after the answer', async () => {
    const ready = isReady();
    converse();
    await ready;
    phone('dialing', 'active');
    await rig.platform.until(() => rig.platform.types.includes('answered'));
    await voice.reject(400);
    await voice.say();
    await untilSaid('Good day Asha.');
    expect(voice.requested).toEqual(['Good day Asha.', 'Good day Asha.']);
  });

  test('speaks the greeting with its pronunciations, and writes it without them', async () => {
    const ready = isReady();
    converse({ mouth: { word_pronunciation_pairs: { Asha: 'Aasha' } } });
    await ready;
    phone('dialing', 'ringing');
    await voice.say();
    answer();
    await untilSaid('Good day Asha.');
    expect(voice.requested).toEqual(['Good day Aasha.']);
  });

  test('prepares the greeting even if the agent lets the user speak first', async () => {
    const ready = isReady();
    converse({ identity: { let_user_speak_first: true } });
    await ready;
    phone('dialing', 'ringing');
    await voice.say();
    answer();
    await rig.platform.until(() => rig.platform.types.includes('answered'));
    order.push('user');
    rig.room.speak(CALLEE);
    await untilSaid('Good day Asha.');
    expect([order, voice.requested.length]).toEqual([['answered', 'user', 'audible'], 1]);
  });

  test('plays the greeting after a disclosure that was synthesised before it, and starts recording between the two', async () => {
    const ready = isReady();
    converse({ experience: { settings: { recording: { disclosure: DISCLOSURE } } } });
    await ready;
    phone('dialing', 'ringing');
    await voice.say();
    await voice.say();
    answer();
    await untilSaid(DISCLOSURE, 'Good day Asha.');
    rig.hangUp();
    await conversation;
    expect(voice.requested).toEqual([DISCLOSURE, 'Good day Asha.']);
    expect(rig.platform.recordings.has(CALL)).toBe(true);
  });

  test('plays and records the greeting after a disclosure that failed at first and was synthesised again', async () => {
    const ready = isReady();
    converse({ experience: { settings: { recording: { disclosure: DISCLOSURE } } } });
    await ready;
    phone('dialing', 'active');
    await rig.platform.until(() => rig.platform.types.includes('answered'));
    await voice.reject(400);
    // The greeting and the second synthesis of the disclosure can be requested in either order.
    await voice.say();
    await voice.say();
    await untilSaid(DISCLOSURE, 'Good day Asha.');
    rig.hangUp();
    await conversation;
    expect([...voice.requested].sort()).toEqual(['Good day Asha.', DISCLOSURE, DISCLOSURE]);
    expect(rig.platform.recordings.has(CALL)).toBe(true);
  });
});

describe('the usage', () => {
  test('counts a played greeting once', async () => {
    const ready = isReady();
    converse();
    await ready;
    phone('dialing', 'ringing');
    await voice.say();
    answer();
    await untilSaid('Good day Asha.');
    rig.hangUp();
    await conversation;
    expect(ttsUsage()).toMatchObject({ provider: expect.any(String), characters: 14, requests: 1 });
  });

  test('counts speech that was synthesised for an unanswered call', async () => {
    const ready = isReady();
    converse({ experience: { settings: { recording: { disclosure: DISCLOSURE } } } });
    await ready;
    phone('dialing', 'ringing');
    await voice.say();
    // The greeting is requested after the disclosure has arrived.
    await voice.untilRequested('Good day Asha.');
    rig.hangUp('USER_REJECTED');
    await conversation;
    expect(rig.platform.types).toEqual(['ringing', 'usage']);
    expect(ttsUsage()).toMatchObject({ characters: DISCLOSURE.length });
  });

  test('requests no speech and reports no usage for a phone that is never dialled', async () => {
    const ready = isReady();
    converse();
    await ready;
    rig.room.close();
    await conversation;
    expect([voice.requested, rig.platform.events]).toEqual([[], []]);
  });
});
