import { randomUUID } from 'node:crypto';
import { livekitTelephony } from '../../activities/telephony/livekit';
import { CarrierUnreachable, RouteRefused, type Telephony } from '../../activities/telephony/port';
import { agentWorkerName } from '../../domain/agent-worker-name';
import { FakeLiveKit, KEY, TwirpFault } from './support/fake-livekit';
import { DEPLOYMENT, LIVEKIT_PARTS } from './support/livekit-parts';

const UNREACHABLE = new TwirpFault('internal', 'redis is away', {}, 500);

let livekit: FakeLiveKit;
let telephony: Telephony;

beforeEach(async () => {
  livekit = new FakeLiveKit();
  const url = await livekit.open();
  const trunk = { kind: 'stored', trunkId: 'ST_1' } as const;
  const options = { url, ...KEY, agentName: null, trunk, inboundAddresses: ['192.0.2.1'] };
  telephony = livekitTelephony(options, LIVEKIT_PARTS);
});

afterEach(() => livekit.close());

describe('an inbound route', () => {
  const NUMBER = '+918000000001';
  const route = { number: NUMBER, agent: { name: 'Asha', greeting: 'Hello', prompt: 'Help' } };

  test('puts each caller of the number into a new room with one of our agents', async () => {
    await telephony.setInboundRoute(route);
    const [trunk] = [...livekit.trunks.values()];
    expect(trunk).toMatchObject({ numbers: [NUMBER], allowedAddresses: ['192.0.2.1'] });
    const [rule] = [...livekit.rules.values()];
    expect(rule).toMatchObject({
      trunkIds: [trunk.sipTrunkId],
      rule: { dispatchRuleIndividual: { roomPrefix: 'inbound-' } },
      roomConfig: {
        agents: [{ agentName: agentWorkerName(DEPLOYMENT) }],
        metadata: JSON.stringify({ v: 1, deployment: DEPLOYMENT }),
      },
    });
  });

  test('changes nothing when the route is set again', async () => {
    await telephony.setInboundRoute(route);
    const before = [[...livekit.trunks.keys()], [...livekit.rules.keys()]];
    await telephony.setInboundRoute({ ...route, agent: { ...route.agent, greeting: 'Good day' } });
    expect([[...livekit.trunks.keys()], [...livekit.rules.keys()]]).toEqual(before);
  });

  test('adds the missing dispatch rule when a route is set again after a crash', async () => {
    livekit.faults.set('CreateSIPDispatchRule', UNREACHABLE);
    await expect(telephony.setInboundRoute(route)).rejects.toThrow(CarrierUnreachable);
    expect(livekit.trunks.size).toBe(1);
    livekit.faults.clear();
    await telephony.setInboundRoute(route);
    expect([livekit.trunks.size, livekit.rules.size]).toEqual([1, 1]);
  });

  test('replaces a dispatch rule that names another agent worker', async () => {
    await telephony.setInboundRoute(route);
    const [rule] = [...livekit.rules.values()];
    rule.roomConfig.agents[0].agentName = 'an-older-name';
    await telephony.setInboundRoute(route);
    expect([...livekit.rules.values()].map(({ roomConfig }) => roomConfig.agents[0].agentName)).toEqual([
      agentWorkerName(DEPLOYMENT),
    ]);
  });

  test('removes the rule and the trunk of a route, even when repeated', async () => {
    await telephony.setInboundRoute(route);
    await telephony.removeInboundRoute(NUMBER);
    expect([livekit.trunks.size, livekit.rules.size]).toEqual([0, 0]);
    await telephony.removeInboundRoute(NUMBER);
  });

  test('removes the rest of a route when its removal is repeated after a crash', async () => {
    await telephony.setInboundRoute(route);
    livekit.faults.set('DeleteSIPTrunk', UNREACHABLE);
    await expect(telephony.removeInboundRoute(NUMBER)).rejects.toThrow(CarrierUnreachable);
    livekit.faults.clear();
    await telephony.removeInboundRoute(NUMBER);
    expect([livekit.trunks.size, livekit.rules.size]).toEqual([0, 0]);
  });

  test("rejects a number that is on another system's trunk, and leaves that trunk untouched", async () => {
    livekit.trunks.set('ST_theirs', { sipTrunkId: 'ST_theirs', numbers: [NUMBER], metadata: '' });
    await expect(telephony.setInboundRoute(route)).rejects.toThrow(RouteRefused);
    await telephony.removeInboundRoute(NUMBER);
    expect([...livekit.trunks.keys()]).toEqual(['ST_theirs']);
  });

  test('rejects a number of another deployment, and leaves its trunk untouched', async () => {
    const theirs = {
      sipTrunkId: 'ST_theirs',
      numbers: [NUMBER],
      metadata: `voice-agent-platform ${randomUUID()}`,
    };
    livekit.trunks.set('ST_theirs', theirs);
    await expect(telephony.setInboundRoute(route)).rejects.toThrow(RouteRefused);
    await telephony.removeInboundRoute(NUMBER);
    expect([...livekit.trunks.keys()]).toEqual(['ST_theirs']);
  });

  test("omits the route's number from errors", async () => {
    livekit.faults.set('ListSIPInboundTrunk', new TwirpFault('internal', `no ${NUMBER}`, {}, 500));
    const fault = await telephony.setInboundRoute(route).catch((error: unknown) => error);
    expect(String(fault)).not.toContain('918000000001');
  });
});
