/** Tests a trunk over TCP, and trunks that don't respond. */
import { SIPTransport } from '@livekit/protocol';
import { eventually } from '../stack/support/eventually';
import { STOP_TIMEOUT_MS, START_TIMEOUT_MS, SipStage, SOON_MS } from './support/stage';

let stage: SipStage;
beforeAll(async () => {
  stage = await SipStage.open({ transport: 'tcp', environment: { RING_TIMEOUT_S: '8' } });
}, START_TIMEOUT_MS);
afterAll(() => stage?.close(), STOP_TIMEOUT_MS);

jest.setTimeout(120_000);

test('calls a phone over TCP and reports that the callee hung up', async () => {
  const { number, callId } = await stage.dispatch(201);
  expect(await stage.untilOver(callId)).toMatchObject({ call_status: 'User disconnected' });
  const { ladder, messages } = await stage.untilHungUp(number);
  expect(ladder).toBe('INVITE 100 180 200 ACK BYE 200');
  expect(messages[0]?.text).toContain('SIP/2.0/TCP');
});

test('reports a call as rejected if the phone rejects it over TCP', async () => {
  const { number, callId } = await stage.dispatch(603);
  expect(await stage.untilOver(callId)).toMatchObject({ call_status: 'rejected' });
  expect((await stage.untilHungUp(number)).ladder).toBe('INVITE 100 603 ACK');
});

test('connects a caller over TCP to an agent', async () => {
  const number = await stage.answeredNumber();
  const caller = stage.phones.call(number, 201, { transport: 'tcp' });
  expect(await stage.untilCallerOver(caller)).toMatchObject({ call_status: 'User disconnected' });
  expect(await caller.done).toMatchObject({ code: 0 });
});

test('finishes a live call before the bridge exits on SIGTERM', async () => {
  const { number, callId } = await stage.dispatch(205);
  await stage.untilAnswered(number);
  process.kill(stage.bridge.pid, 'SIGTERM');
  await eventually(SOON_MS, async () =>
    expect(await stage.bridge.lastLines(1_000)).toContain('exit requested, finishing all SIP'),
  );
  expect((await stage.organization.post(`/api/calls/${callId}/hangup`)).status).toBe(200);
  expect(await stage.untilOver(callId)).toMatchObject({ call_status: 'completed' });
  expect((await stage.untilHungUp(number)).ladder).toBe('INVITE 100 180 200 ACK BYE 200');
  expect(await stage.bridge.end).toBe('ended with status 0');
  await stage.bridge.start();
});

test("ends a call as failed if the trunk's TCP port is closed", async () => {
  await stage.trunk.stop();
  const { callId } = await stage.dispatch(200);
  expect(await stage.untilOver(callId)).toMatchObject({ call_status: 'failed' });
});

test("ends a call as failed if the trunk's UDP port is closed", async () => {
  const [trunk] = await stage.sip.listSipOutboundTrunk();
  trunk!.transport = SIPTransport.SIP_TRANSPORT_UDP;
  await stage.sip.updateSipOutboundTrunk(trunk!.sipTrunkId, trunk!);
  const { callId } = await stage.dispatch(200);
  expect(await stage.untilOver(callId)).toMatchObject({ call_status: 'failed', call_ringing_at: null });
});
