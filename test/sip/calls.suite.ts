/** Tests outbound calls over the real SIP bridge: time limit, hang-up, pause, credentials, transfer and voicemail. */
import { briefAgent, machineDetectingAgent, transferringAgent } from './support/agents';
import { digestOf } from './support/digest';
import { STOP_TIMEOUT_MS, LOGIN, START_TIMEOUT_MS, SipStage, SOON_MS } from './support/stage';
import { eventually } from '../stack/support/eventually';
import { headerOf } from './support/sip-log';

const MINUTE_MS = 60_000;
const TRANSFER_TO = '+912250001234';

let stage: SipStage;
beforeAll(async () => {
  stage = await SipStage.open({ environment: { RING_TIMEOUT_S: '20' } });
}, START_TIMEOUT_MS);
afterAll(() => stage?.close(), STOP_TIMEOUT_MS);

jest.setTimeout(4 * MINUTE_MS);

test.concurrent("hangs up at the agent's maximum talk time", async () => {
  const agentId = await briefAgent(stage);
  const { number, callId } = await stage.dispatch(205, agentId);
  expect(await stage.untilOver(callId, 3 * MINUTE_MS)).toMatchObject({
    call_status: 'completed',
  });
  const phone = await stage.untilHungUp(number);
  const talkedMs = phone.endedAt!.getTime() - phone.answeredAt!.getTime();
  expect(talkedMs).toBeGreaterThan(MINUTE_MS - 1_000);
  expect(talkedMs).toBeLessThan(MINUTE_MS + 10_000);
  expect(phone.messages.find(({ method }) => method === 'BYE')?.isSent).toBe(false);
});

test.concurrent('ends an answered call on a hang-up over REST', async () => {
  const { number, callId } = await stage.dispatch(205);
  await stage.untilAnswered(number);
  expect((await stage.organization.post(`/api/calls/${callId}/hangup`)).status).toBe(200);
  expect(await stage.untilOver(callId)).toMatchObject({ call_status: 'completed' });
  expect((await stage.untilHungUp(number)).ladder).toBe('INVITE 100 180 200 ACK BYE 200');
});

test.concurrent('stops the ringing when the call is hung up over REST', async () => {
  const { number, callId } = await stage.dispatch(180);
  await stage.untilPhone(number, 'rings', ({ ladder }) => ladder.endsWith('180'));
  expect((await stage.organization.post(`/api/calls/${callId}/hangup`)).status).toBe(200);
  expect(await stage.untilOver(callId)).toMatchObject({ call_status: 'cancelled', call_cost: 0 });
  expect((await stage.untilHungUp(number)).ladder).toMatch(/^INVITE 100 180 CANCEL/);
});

test.concurrent('dials no phone after the response to a pause until the campaign resumes', async () => {
  const numbers = Array.from({ length: 6 }, () => stage.phones.number(201));
  const campaign = await stage.platform.campaign(
    { numbers, concurrency: 2, maxRetries: 1 },
    stage.organization,
  );
  const invites = () =>
    numbers.flatMap((number) => stage.phones.calls(number).map(({ invitedAt }) => invitedAt));
  await eventually(SOON_MS, () => expect(invites().length).toBeGreaterThan(0));
  const paused = await campaign.command('pause');
  expect(paused.status).toBe(200);
  // Lines are free once the live calls have ended, so only the pause prevents more dials.
  await eventually(2 * SOON_MS, async () => expect((await campaign.detail()).stats.in_progress).toBe(0));
  const resumedAt = Date.now();
  expect(invites().filter((at) => at.getTime() > paused.at && at.getTime() < resumedAt)).toEqual([]);
  expect(invites().length).toBeLessThan(numbers.length);
  await campaign.command('resume');
  await eventually(2 * MINUTE_MS, () => expect(invites()).toHaveLength(numbers.length));
});

test.concurrent('sends credentials to a trunk that requests them', async () => {
  const { number, callId } = await stage.dispatch(407);
  expect(await stage.untilOver(callId)).toMatchObject({ call_status: 'User disconnected' });
  const { ladder, messages } = await stage.untilHungUp(number);
  expect(ladder).toBe('INVITE 100 407 ACK INVITE 180 200 ACK BYE 200');
  const authorized = messages.findLast(({ method }) => method === 'INVITE');
  const given = headerOf(authorized?.text ?? '', 'Proxy-Authorization') ?? '';
  expect(digestOf(given)).toMatchObject({ username: LOGIN.authUsername, realm: 'trunk' });
  expect(digestOf(given).response).toBe(digestOf(given).expected('INVITE', LOGIN.authPassword));
});

test.concurrent('sends a REFER to transfer a callee who asks for a person', async () => {
  const agentId = await transferringAgent(stage, TRANSFER_TO);
  const { number, callId } = await stage.dispatch(204, agentId);
  const over = await stage.untilOver(callId, 2 * MINUTE_MS);
  const { ladder, messages } = await stage.untilHungUp(number);
  expect(ladder).toMatch(/^INVITE 100 180 200 ACK REFER 202 NOTIFY 200 NOTIFY 200 BYE 200$/);
  const refer = messages.find(({ method }) => method === 'REFER');
  expect(headerOf(refer?.text ?? '', 'Refer-To')).toContain(TRANSFER_TO);
  // A phone that follows a REFER leaves the room, which looks like the callee hung up.
  expect(over).toMatchObject({ call_status: 'User disconnected' });
});

test.concurrent('ends a call as voicemail if a long announcement answers it', async () => {
  const agentId = await machineDetectingAgent(stage);
  const { number, callId } = await stage.dispatch(203, agentId);
  expect(await stage.untilOver(callId)).toMatchObject({ call_status: 'voicemail' });
  expect((await stage.untilHungUp(number)).ladder).toBe('INVITE 100 180 200 ACK BYE 200');
});

test.concurrent(
  'drops a call after eight seconds without a packet from the phone, free of charge',
  async () => {
    const { number, callId } = await stage.dispatch(202);
    const { answeredAt } = await stage.untilAnswered(number);
    expect(await stage.untilOver(callId)).toMatchObject({ call_status: 'error', call_cost: 0 });
    const { endedAt } = await stage.untilHungUp(number);
    expect(endedAt!.getTime() - answeredAt!.getTime()).toBeLessThan(15_000);
  },
);
