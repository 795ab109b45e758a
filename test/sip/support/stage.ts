/** Starts a platform whose calls reach SIPp's phones over the real bridge. The parts are connected as in docker-compose.yml. */
import { SIPTransport } from '@livekit/protocol';
import { SipClient } from 'livekit-server-sdk';
import { startModelStandIn, type ModelStandIn } from '../../../dev/model-stand-in/server';
import { freePort, isFreeEverywhere, releasePort } from '../../../dev/stack/ports';
import type { BridgePorts } from '../../../dev/stack/media-servers';
import type { RunningProcess } from '../../../dev/stack/processes';
import type { Media } from '../../../dev/stack/stack';
import { published } from '../../servers/published';
import { eventually, eventuallyTrue } from '../../stack/support/eventually';
import type { Organization } from '../../stack/support/organization';
import { Platform } from '../../stack/support/platform';
import { Phones, type Caller, type Transport } from './phones';
import type { SipCall } from './sip-log';

export const START_TIMEOUT_MS = 240_000;
export const STOP_TIMEOUT_MS = 60_000;
/** Long enough for a short call, including the start of the agent's process. */
export const SOON_MS = 90_000;

/** Credentials that the bridge sends to the trunk. */
export const LOGIN = { authUsername: 'platform', authPassword: 'on-the-trunk' };

const TRANSPORTS = { udp: SIPTransport.SIP_TRANSPORT_UDP, tcp: SIPTransport.SIP_TRANSPORT_TCP };

export interface StageOptions {
  /** Environment of the platform's processes. */
  environment?: Record<string, string>;
  /** Silence after which the agent hangs up, in milliseconds. */
  silenceMs?: number;
  /** Transport of the trunk. Default: `udp`. */
  transport?: Transport;
  /** Number of SIP bridges. Default: 1. */
  bridges?: number;
}

/** Avoids the ports of SIPp and of a LiveKit service on this machine. */
const FIRST_RTP_PORT = 10_000;
const RTP_PORTS = 4_000;

/** Callers use the first bridge by default. */
export interface BridgeProcess {
  process: RunningProcess;
  sipPort: number;
}

export class SipStage {
  private constructor(
    readonly platform: Platform,
    readonly organization: Organization,
    readonly phones: Phones,
    readonly models: ModelStandIn,
    /** The SIPp process that the bridge calls. */
    readonly trunk: RunningProcess,
    private readonly bridgePorts: readonly BridgePorts[],
    private readonly trunkPort: number,
  ) {}

  static async open({
    environment,
    silenceMs = 5_000,
    transport = 'udp',
    bridges = 1,
  }: StageOptions = {}): Promise<SipStage> {
    const bridgePorts: BridgePorts[] = [];
    while (bridgePorts.length < bridges) bridgePorts.push(await freeBridgePorts(bridgePorts.length));
    const trunkPort = await freePort(0, isFreeEverywhere);
    const models = await startModelStandIn();
    const phones = await Phones.open(bridgePorts[0]!.sip);
    const trunk = await phones.trunk(trunkPort, transport);
    const platform = await Platform.open({
      livekit: true,
      silenceMs,
      sipBridge: {
        program: published('TEST_LIVEKIT_SIP'),
        processes: bridgePorts,
        trunk: { address: `127.0.0.1:${trunkPort}`, transport: TRANSPORTS[transport], ...LOGIN },
      },
      environment: {
        OPENAI_BASE_URL: models.url,
        AGENT_STT: 'openai/stt',
        AGENT_LLM: 'openai/llm',
        AGENT_TTS: 'openai/tts',
        ...environment,
      },
    });
    const organization = await platform.newOrganization(20);
    return new SipStage(platform, organization, phones, models, trunk, bridgePorts, trunkPort);
  }

  get media(): Media {
    const { media } = this.platform.stack;
    if (media === null) throw new Error('the platform has no media servers');
    return media;
  }

  /** Dispatches a call to a new phone of this kind. */
  async dispatch(
    kind: number,
    agentId = this.organization.agentId,
  ): Promise<{ number: string; callId: string }> {
    const number = this.phones.number(kind);
    const { status, body } = await this.organization.post('/api/trigger-call/', {
      agent_id: agentId,
      contact_number: number,
      name: 'Asha Rao',
    });
    if (status !== 200) throw new Error(`the dispatch was refused: ${JSON.stringify(body)}`);
    return { number, callId: body.output.call_id };
  }

  get bridge(): RunningProcess {
    return this.media.bridges[0]!;
  }

  get bridges(): BridgeProcess[] {
    return this.media.bridges.map((process, index) => ({ process, sipPort: this.bridgePorts[index]!.sip }));
  }

  /** LiveKit's API for trunks and dispatch rules, as an operator uses it. */
  get sip(): SipClient {
    const { url, apiKey, apiSecret } = this.media;
    return new SipClient(url, apiKey, apiSecret, { failover: false });
  }

  async agent(config: Readonly<Record<string, unknown>>): Promise<string> {
    const { status, body } = await this.organization.post('/api/create-agent', {
      agent_display_name: 'Asha',
      config: {
        persona: { identity: { greeting_message: { agent_message: 'Namaste, your check-up is due.' } } },
        ...config,
      },
    });
    if (status !== 200) throw new Error(`the agent was not created: ${JSON.stringify(body)}`);
    return body.agent_id;
  }

  /** Creates an agent that answers a new number. Resolves once LiveKit has the trunk and the dispatch rule. */
  async answeredNumber(): Promise<string> {
    const number = this.phones.number(999);
    await this.agent({ deployment: { phone: { call_type: { Inbound: number } } } });
    await eventuallyTrue(SOON_MS, 'LiveKit has no rule for the number', async () => {
      const { sip } = this;
      const trunk = (await sip.listSipInboundTrunk()).find(({ numbers }) => numbers.includes(number));
      const rules = await sip.listSipDispatchRule();
      return trunk !== undefined && rules.some(({ trunkIds }) => trunkIds.includes(trunk.sipTrunkId));
    });
    return number;
  }

  /** Returns the call from the call history. */
  async call(callId: string): Promise<any> {
    const { body } = await this.organization.get('/api/call-history?page_size=200');
    return body.data.find(({ call_id: id }: { call_id: string }) => id === callId);
  }

  untilOver(callId: string, withinMs = SOON_MS): Promise<any> {
    return eventually(withinMs, async () => {
      const call = await this.call(callId);
      expect(call).toMatchObject({ End_time: expect.any(String) });
      return call;
    });
  }

  /** Waits until the caller's call is in the call history, and returns its id. */
  callIdOf({ from }: Caller): Promise<string> {
    return eventually(SOON_MS, async () => {
      const { body } = await this.organization.get('/api/call-history?page_size=200');
      const call = body.data.find((one: any) => one.from_number === from);
      expect(call).toBeDefined();
      return call.call_id;
    });
  }

  /** Waits until this caller's call is over. */
  untilCallerOver({ from, sip }: Caller, withinMs = SOON_MS): Promise<any> {
    return eventually(withinMs, async () => {
      const { body } = await this.organization.get('/api/call-history?page_size=200');
      const calls = body.data.filter((call: any) => call.from_number === from);
      const known = calls.map((call: any) => `${call.call_status}, ended ${call.End_time}`);
      if (calls.length !== 1 || calls[0].End_time === null) {
        throw new Error(
          `the API shows [${known.join('; ')}] of the caller whose messages were ${sip()?.ladder}`,
        );
      }
      return calls[0];
    });
  }

  /** Waits until the phone's call meets the condition. Fails if the phone was called more than once. */
  async untilPhone(
    number: string,
    what: string,
    holds: (call: SipCall) => boolean,
    withinMs = SOON_MS,
  ): Promise<SipCall> {
    const only = (): SipCall | undefined => this.phones.calls(number)[0];
    await eventuallyTrue(withinMs, `${what}: ${only()?.ladder ?? 'no INVITE'}`, () => {
      const call = only();
      return call !== undefined && holds(call);
    });
    const calls = this.phones.calls(number);
    expect(calls).toHaveLength(1);
    return calls[0]!;
  }

  untilAnswered(number: string): Promise<SipCall> {
    return this.untilPhone(number, 'answered', ({ answeredAt }) => answeredAt !== null);
  }

  untilHungUp(number: string, withinMs = SOON_MS): Promise<SipCall> {
    return this.untilPhone(number, 'over', ({ endedAt }) => endedAt !== null, withinMs);
  }

  async close(): Promise<void> {
    await this.platform.close();
    await this.phones.close();
    await this.models.close();
    for (const { sip, health } of this.bridgePorts) [sip, health].forEach(releasePort);
    releasePort(this.trunkPort);
  }
}

async function freeBridgePorts(index: number): Promise<BridgePorts> {
  const rtp = FIRST_RTP_PORT + index * RTP_PORTS;
  const sip = await freePort(0, isFreeEverywhere);
  return { sip, health: await freePort(0), rtp: [rtp, rtp + RTP_PORTS - 1] };
}
