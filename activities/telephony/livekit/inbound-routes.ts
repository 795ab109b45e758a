/**
 * Manages inbound routes in LiveKit. A route is a trunk for the number and a dispatch rule that gives each caller a room with one of our
 * agents. The platform chooses the agent's configuration when the call arrives, so a changed greeting needs no new route.
 */
import {
  RoomAgentDispatch,
  RoomConfiguration,
  type SIPDispatchRuleInfo,
  type SIPInboundTrunkInfo,
} from 'livekit-server-sdk';
import { CALLERS_ROOM } from '../../../domain/inbound-call';
import { RouteRefused } from '../port';
import type { LiveKitClients } from './clients';
import { isNotFound, twirpCode, unreachable } from './fault';
import { DEPARTURE_S, EMPTY_S } from './preparing';
import { firstRoomRecord } from './room-record';

/** Marks our trunks and rules, because other systems and deployments can use the same LiveKit. */
const metadataOf = (deployment: string): string => `voice-agent-platform ${deployment}`;

interface RouteParts {
  clients: LiveKitClients;
  agentName: string;
  deployment: string;
  inboundAddresses: readonly string[];
}

/** Creates the parts that are missing. Safe to repeat. LiveKit rejects a number that another trunk already has. */
export function setRoute(parts: RouteParts, number: string): Promise<void> {
  return asked(async () => {
    const [trunk, ...doubles] = await ourTrunks(parts, number);
    for (const double of doubles) await removeTrunk(parts, double);
    await setRule(parts, trunk ?? (await createTrunk(parts, number)));
  });
}

/** Removes the rules before their trunk, so that a run after a crash can still find the trunk by its number. */
export function removeRoute(parts: RouteParts, number: string): Promise<void> {
  return asked(async () => {
    for (const trunk of await ourTrunks(parts, number)) await removeTrunk(parts, trunk);
  });
}

async function ourTrunks(
  { clients, deployment }: RouteParts,
  number: string,
): Promise<SIPInboundTrunkInfo[]> {
  const metadata = metadataOf(deployment);
  const trunks = await clients.sip.listSipInboundTrunk({ numbers: [number] });
  return trunks.filter((trunk) => trunk.metadata === metadata && trunk.numbers.includes(number));
}

function createTrunk(
  { clients, deployment, inboundAddresses }: RouteParts,
  number: string,
): Promise<SIPInboundTrunkInfo> {
  return clients.sip.createSipInboundTrunk('voice agent', [number], {
    metadata: metadataOf(deployment),
    allowedAddresses: [...inboundAddresses],
  });
}

async function setRule(
  { clients, agentName, deployment }: RouteParts,
  { sipTrunkId }: SIPInboundTrunkInfo,
): Promise<void> {
  const rules = await rulesOf(clients, sipTrunkId);
  const isRight = (rule: SIPDispatchRuleInfo): boolean =>
    rule.metadata === metadataOf(deployment) &&
    rule.roomConfig?.agents.length === 1 &&
    rule.roomConfig.agents[0]?.agentName === agentName;
  const right = rules.find(isRight);
  for (const rule of rules) if (rule !== right) await removeRule(clients, rule);
  if (right !== undefined) return;
  await clients.sip.createSipDispatchRule(
    { type: 'individual', roomPrefix: CALLERS_ROOM },
    {
      name: 'voice agent',
      metadata: metadataOf(deployment),
      trunkIds: [sipTrunkId],
      roomConfig: new RoomConfiguration({
        agents: [new RoomAgentDispatch({ agentName })],
        emptyTimeout: EMPTY_S.call,
        departureTimeout: DEPARTURE_S,
        metadata: firstRoomRecord(deployment),
      }),
    },
  );
}

async function removeTrunk({ clients }: RouteParts, { sipTrunkId }: SIPInboundTrunkInfo): Promise<void> {
  for (const rule of await rulesOf(clients, sipTrunkId)) await removeRule(clients, rule);
  await unlessGone(() => clients.sip.deleteSipTrunk(sipTrunkId));
}

async function rulesOf({ sip }: LiveKitClients, trunkId: string): Promise<SIPDispatchRuleInfo[]> {
  const rules = await sip.listSipDispatchRule({ trunkIds: [trunkId] });
  // The list also includes rules that apply to every trunk.
  return rules.filter(({ trunkIds }) => trunkIds.length === 1 && trunkIds[0] === trunkId);
}

const removeRule = ({ sip }: LiveKitClients, { sipDispatchRuleId }: SIPDispatchRuleInfo): Promise<void> =>
  unlessGone(() => sip.deleteSipDispatchRule(sipDispatchRuleId));

async function unlessGone(remove: () => Promise<unknown>): Promise<void> {
  try {
    await remove();
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Errors that a retry would not fix. */
const REFUSALS: readonly (string | null)[] = [
  'invalid_argument',
  'already_exists',
  'failed_precondition',
  'malformed',
];

async function asked(request: () => Promise<void>): Promise<void> {
  try {
    await request();
  } catch (error) {
    const code = twirpCode(error);
    if (REFUSALS.includes(code)) throw new RouteRefused(`LiveKit rejected a route: ${code}`);
    throw unreachable('LiveKit did not respond to a route request', error);
  }
}
