/** State that the steps share: the deployment, the servers around it, and results of earlier steps. */
import type { ModelStandIn } from '../../../dev/model-stand-in/server';
import type { Deployment } from '../deployment';
import type { Docker } from '../docker';
import type { Engine } from '../engine/engine';
import { Api, type Call, until } from './api';
import type { Phones } from './phones';

interface Surroundings {
  docker: Docker;
  deployment: Deployment;
  /** Null if the machine's own engine is used. */
  engine: Engine | null;
  models: ModelStandIn;
  phones: Phones;
  /** Why livekit-sip is missing, or null. */
  withoutBridge: string | null;
  /** The machine's address on the engine's default network. */
  gateway: string;
}

export const ORGANIZATION = 'Acme';
/** The caller ID of every call. */
export const OUR_NUMBER = '+912250001234';
export const CALL_OVER_WITHIN_MS = 180_000;

interface Dispatched {
  call_id: string;
  live_captions_url: string;
}

export class Stage {
  /** The organization's API key. Empty until the key is created. */
  key = '';
  agentId = '';
  /** The call whose captions and recording are checked. */
  call: { id: string; captions: Promise<{ code: number; types: string[] }> } | null = null;

  constructor(readonly surroundings: Surroundings) {}

  get deployment(): Deployment {
    return this.surroundings.deployment;
  }

  get docker(): Docker {
    return this.surroundings.docker;
  }

  get phones(): Phones {
    return this.surroundings.phones;
  }

  get api(): Api {
    return new Api(this.key);
  }

  /** Dispatches a call to a phone and returns the API's response. */
  async dispatch(number: string): Promise<Dispatched> {
    const body = {
      agent_id: this.agentId,
      contact_number: number,
      name: 'Asha Rao',
      outbound_number: OUR_NUMBER,
    };
    return (await this.api.send<{ output: Dispatched }>('POST', '/api/trigger-call/', body)).output;
  }

  async untilOver(callId: string): Promise<Call> {
    return until(`the end of call ${callId}`, CALL_OVER_WITHIN_MS, async () => {
      const call = await this.api.call(({ call_id: id }) => id === callId);
      return call?.End_time == null ? undefined : call;
    });
  }
}
