/**
 * Runs two SIP bridges with one LiveKit. They first handle calls of every kind at once, then one drains during calls, then one is killed.
 */
import type { CampaignRun } from '../stack/support/campaign-run';
import { eventually, eventuallyTrue } from '../stack/support/eventually';
import { machineDetectingAgent, transferringAgent } from './support/agents';
import type { Caller } from './support/phones';
import type { SipCall } from './support/sip-log';
import { STOP_TIMEOUT_MS, START_TIMEOUT_MS, SipStage, SOON_MS, type BridgeProcess } from './support/stage';

const TRANSFER_TO = '+912250001234';
const RING_TIMEOUT_S = 70;
const LONGEST_TALK_MS = 120_000;
/** Allowed difference between the timestamps of two logs on one machine. */
const CLOCK_MS = 500;
/**
 * LiveKit gives each call to the bridge with fewer calls. More than two calls are needed only if it assigns a second call before it has
 * counted the first.
 */
const MAX_BEGUN = 6;
const TALKED = 'INVITE 100 180 200 ACK BYE 200';

let stage: SipStage;
let number: string;
let first: BridgeProcess;
let second: BridgeProcess;

beforeAll(async () => {
  stage = await SipStage.open({ bridges: 2, environment: { RING_TIMEOUT_S: String(RING_TIMEOUT_S) } });
  number = await stage.answeredNumber();
  [first, second] = stage.bridges as [BridgeProcess, BridgeProcess];
}, START_TIMEOUT_MS + SOON_MS);
afterAll(() => stage?.close(), STOP_TIMEOUT_MS);

jest.setTimeout(6 * SOON_MS);

/** Starts calls until each bridge has one. Returns one call of the first bridge and one of the second. */
async function oneOnEach<One>(begin: () => Promise<{ one: One; call: SipCall }>): Promise<[One, One]> {
  const found = new Map<number | null, One>();
  for (let begun = 0; begun < MAX_BEGUN && found.size < 2; begun += 1) {
    const { one, call } = await begin();
    if (!found.has(call.contactPort)) found.set(call.contactPort, one);
  }
  expect([...found.keys()].toSorted()).toEqual([first.sipPort, second.sipPort].toSorted());
  return [found.get(first.sipPort)!, found.get(second.sipPort)!];
}

const answeredCaller = async (kind: number, bridge: BridgeProcess): Promise<Caller> => {
  const caller = stage.phones.call(number, kind, { bridgePort: bridge.sipPort });
  await eventually(SOON_MS, async () => {
    const call = caller.sip();
    if (call?.answeredAt != null) return;
    const said = await bridge.process.lastLines(5);
    throw new Error(`the caller is not answered: ${call?.ladder ?? 'no INVITE'}; its bridge: ${said}`);
  });
  return caller;
};

const hangUp = async (callId: string): Promise<void> => {
  expect((await stage.organization.post(`/api/calls/${callId}/hangup`)).status).toBe(200);
  expect(await stage.untilOver(callId)).toMatchObject({ call_status: 'completed' });
};

/** Calls a phone that picks up and hangs up, and checks that the call uses this bridge. */
const callsOver = async ({ sipPort }: BridgeProcess): Promise<void> => {
  const { number: called, callId } = await stage.dispatch(201);
  expect(await stage.untilOver(callId)).toMatchObject({ call_status: 'User disconnected' });
  expect(await stage.untilHungUp(called)).toMatchObject({ ladder: TALKED, contactPort: sipPort });
};

test('handles a voicemail, a transfer, and inbound and outbound calls at the same time over both bridges', async () => {
  const ends: [kind: number, status: string, ladder: RegExp, agentId?: string][] = [
    [203, 'voicemail', /^INVITE 100 180 200 ACK BYE 200$/, await machineDetectingAgent(stage)],
    [
      204,
      'User disconnected',
      /^INVITE 100 180 200 ACK REFER 202 NOTIFY 200 NOTIFY 200 BYE 200$/,
      await transferringAgent(stage, TRANSFER_TO),
    ],
    [200, 'completed', /^INVITE 100 180 200 ACK BYE 200$/],
    [201, 'User disconnected', /^INVITE 100 180 200 ACK BYE 200$/],
    [486, 'busy', /^INVITE 100 486 ACK$/],
  ];
  const callers = [first, second].map(({ sipPort }) =>
    stage.phones.call(number, 201, { bridgePort: sipPort }),
  );
  const calls = await Promise.all(
    ends.map(async ([kind, status, ladder, agentId]) => {
      const { number: called, callId } = await stage.dispatch(kind, agentId);
      expect(await stage.untilOver(callId, 2 * SOON_MS)).toMatchObject({ call_status: status });
      const call = await stage.untilHungUp(called);
      expect(call.ladder).toMatch(ladder);
      return call;
    }),
  );
  for (const caller of callers) {
    expect(await stage.untilCallerOver(caller)).toMatchObject({ call_status: 'User disconnected' });
    expect(await caller.done).toMatchObject({ code: 0 });
  }
  expect(new Set(calls.map(({ contactPort }) => contactPort)).size).toBe(2);
});

describe('a SIP bridge that gets SIGTERM', () => {
  // The next tests need both bridges, even if this test failed before the first bridge exited.
  afterAll(async () => {
    await first.process.stop();
    await first.process.start();
  }, SOON_MS);

  test('finishes the calls of a bridge that got SIGTERM while new calls use the other bridge', async () => {
    const [talk, ofOther] = await oneOnEach(async () => {
      const one = await stage.dispatch(205);
      return { one, call: await stage.untilAnswered(one.number) };
    });
    const caller = await answeredCaller(203, first);
    process.kill(first.process.pid, 'SIGTERM');
    await eventually(SOON_MS, async () =>
      expect(await first.process.lastLines(1_000)).toContain('exit requested, finishing all SIP'),
    );
    await Promise.all([callsOver(second), callsOver(second), answeredCaller(201, second)]);
    // The trunk can still send a caller to the draining bridge.
    expect(await (await answeredCaller(201, first)).done).toMatchObject({ code: 0 });
    const living = [talk, ofOther].map(({ number: called }) => stage.phones.calls(called)[0]);
    expect([...living, caller.sip()].map((call) => call?.endedAt)).toEqual([null, null, null]);
    await Promise.all([hangUp(talk.callId), stage.callIdOf(caller).then(hangUp)]);
    expect((await stage.untilHungUp(talk.number)).ladder).toBe(TALKED);
    expect(await caller.done).toMatchObject({ code: 0 });
    expect(await first.process.end).toBe('ended with status 0');
    expect(stage.phones.calls(ofOther.number)[0]?.endedAt).toBeNull();
    await hangUp(ofOther.callId);
  });
});

describe('a platform with two SIP bridges, the second of which is killed', () => {
  interface Struck {
    numbers: [struck: string, next: string];
    campaign: CampaignRun;
  }
  let ringing: [Struck, Struck];
  let talking: [Struck, Struck];

  const begin = async (kind: number): Promise<Struck> => {
    const numbers: Struck['numbers'] = [stage.phones.number(kind), stage.phones.number(486)];
    const wish = { numbers, concurrency: 1, maxRetries: 2 };
    return { numbers, campaign: await stage.platform.campaign(wish, stage.organization) };
  };

  /** The call that was live when the bridge died. */
  const struckCall = ({ numbers }: Struck): SipCall => stage.phones.calls(numbers[0])[0]!;

  /** The campaign's first INVITE after the call that lost its bridge. */
  const nextInvite = ({ numbers }: Struck): Promise<SipCall> =>
    eventually(3 * SOON_MS, () => {
      const calls = numbers.flatMap((called) => stage.phones.calls(called));
      calls.sort((one, other) => one.invitedAt.getTime() - other.invitedAt.getTime());
      expect(calls.length).toBeGreaterThan(1);
      return calls[1]!;
    });

  beforeAll(async () => {
    const { status } = await stage.organization.patch(`/api/agent/${stage.organization.agentId}/experience`, {
      settings: { call_settings: { max_call_duration: LONGEST_TALK_MS / 60_000 } },
    });
    expect(status).toBe(200);
    talking = await oneOnEach(async () => {
      const one = await begin(205);
      return { one, call: await stage.untilAnswered(one.numbers[0]) };
    });
    ringing = await oneOnEach(async () => {
      const one = await begin(180);
      const rings = ({ ladder }: SipCall) => ladder.endsWith('180');
      return { one, call: await stage.untilPhone(one.numbers[0], 'rings', rings) };
    });
    await second.process.kill();
  }, 6 * SOON_MS);

  test('handles new calls over the surviving bridge', async () => {
    await callsOver(first);
    await answeredCaller(201, first);
  });

  test('lets a phone on the surviving bridge ring until the timeout', async () => {
    const [{ numbers }] = ringing;
    const rungOut = ({ endedAt }: SipCall) => endedAt !== null;
    await eventuallyTrue(SOON_MS, 'it rings', () => rungOut(stage.phones.calls(numbers[0])[0]!));
    const { ladder, invitedAt, endedAt } = struckCall(ringing[0]);
    expect(ladder).toMatch(/^INVITE 100 180 CANCEL/);
    expect(endedAt!.getTime() - invitedAt.getTime()).toBeGreaterThan(RING_TIMEOUT_S * 1_000 - CLOCK_MS);
  });

  test('keeps the line of a phone that rang over the killed bridge until the ring timeout, and does not redial', async () => {
    const { invitedAt } = await nextInvite(ringing[1]);
    expect(struckCall(ringing[1]).ladder).toBe('INVITE 100 180');
    const heldMs = invitedAt.getTime() - struckCall(ringing[1]).invitedAt.getTime();
    expect(heldMs).toBeGreaterThan(RING_TIMEOUT_S * 1_000 - CLOCK_MS);
  });

  test('lets the agent end a call over the surviving bridge at its time limit', async () => {
    const { answeredAt, endedAt, ladder, messages } = await eventually(2 * SOON_MS, () => {
      const call = struckCall(talking[0]);
      expect(call.endedAt).not.toBeNull();
      return call;
    });
    expect(endedAt!.getTime() - answeredAt!.getTime()).toBeGreaterThan(LONGEST_TALK_MS - CLOCK_MS);
    expect(messages.find(({ method }) => method === 'BYE')?.isSent).toBe(false);
    expect(ladder).toMatch(/^INVITE 100 180 200 ACK BYE/);
  });

  test('keeps the line of a call over the killed bridge until the maximum talk time, and never redials', async () => {
    const { to, invitedAt } = await nextInvite(talking[1]);
    const { numbers, campaign } = talking[1];
    expect(numbers[1]).toContain(to);
    const talked = struckCall(talking[1]);
    expect(talked.ladder).toBe('INVITE 100 180 200 ACK');
    expect(invitedAt.getTime() - talked.answeredAt!.getTime()).toBeGreaterThan(LONGEST_TALK_MS - CLOCK_MS);
    await eventually(2 * SOON_MS, async () =>
      expect((await campaign.detail()).campaign_status).toBe('completed'),
    );
    expect(stage.phones.calls(numbers[0])).toHaveLength(1);
    const attempts = (await campaign.contacts()).flatMap((contact) =>
      contact.phone_number === numbers[0] ? contact.attempts : [],
    );
    expect(attempts).toMatchObject([{ end_reason: 'dropped', call_status: 'error' }]);
  });
});
