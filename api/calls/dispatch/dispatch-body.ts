import type { AgentConfig } from '../../../domain/agent-config';
import type { JsonObject } from '../../../domain/json';
import { normalisePhone, type PhoneRules } from '../../../domain/phone-number';
import { validateModifyAgent, withoutForbiddenTransfers } from '../../agents/config/validate';
import type { TransferRules } from '../../../domain/transfer';
import { MAXIMA } from '../../../domain/agent-config/maxima';
import type { InputFault } from '../../http/errors/api-error';
import type { Body, Reading, RequestExample } from '../../http/endpoint';
import { jsonBody } from '../../http/input/json-body';
import { check } from '../../http/input/validate';
import { dispatch, MEDIUM, TELEPHONY, WEBRTC, type CommonBody, type WebrtcBody } from './dispatch-fields';

interface Common {
  agentIdOrName: string;
  metadata: JsonObject;
  /** Null leaves the agent unchanged. */
  modifyAgent: AgentConfig | null;
}

export type DispatchRequest =
  | (Common & {
      medium: 'telephony';
      name: string;
      toNumber: string;
      outboundNumber: string | null;
      voice: string | null;
      dndCheckSkipped: boolean;
    })
  | (Common & { medium: 'webrtc'; session: Omit<WebrtcBody, keyof CommonBody> });

/** A dispatch body together with its headers. */
export type RequestedDispatch = DispatchRequest & {
  /** Forwarded to a custom-LLM socket server. This isn't the agent's id. */
  xAgentId: string | null;
};

const EXAMPLES: Record<string, RequestExample> = {
  phone: {
    summary: 'A phone call',
    value: {
      agent_id: 'check-up-reminder',
      contact_number: '+919876543210',
      name: 'Asha Rao',
      metadata: { city: 'Pune' },
    },
  },
  override: {
    summary: 'A phone call with another greeting',
    value: {
      agent_id: 'check-up-reminder',
      contact_number: '09876543210',
      name: 'Asha Rao',
      modify_agent: {
        persona: { identity: { greeting_message: { agent_message: 'Good evening {{name}}.' } } },
      },
    },
  },
};

/** Reports all faults in one response. Fields of the other medium are ignored. */
export function dispatchBody(rules: TransferRules): Body<DispatchRequest> {
  return {
    content: { 'application/json': dispatch(rules) },
    examples: EXAMPLES,
    read: async (ctx) => {
      const body = await jsonBody(ctx, { mostValues: MAXIMA.values, checkedApart: ['modify_agent'] });
      return readDispatch(body, rules);
    },
  };
}

function readDispatch(body: JsonObject, rules: TransferRules): Reading<DispatchRequest> {
  const medium = check(MEDIUM, body, 'body');
  if ('faults' in medium) return medium;
  const modification = withoutForbiddenTransfers(
    validateModifyAgent(body.modify_agent),
    (sections) => sections,
    { rules, locOf: (section) => ['body', 'modify_agent', section] },
  );
  return medium.value.medium === 'webrtc'
    ? readSession(body, modification)
    : readPhoneCall(body, modification, rules);
}

function readSession(body: JsonObject, modification: Reading<AgentConfig>): Reading<DispatchRequest> {
  const checked = check(WEBRTC, body, 'body');
  if ('faults' in checked || 'faults' in modification) return faultsOf(checked, modification);
  const { agent_id, metadata, modify_agent, ...session } = checked.value;
  return {
    value: {
      medium: 'webrtc',
      ...commonOf({ agent_id, metadata, modify_agent }, modification.value),
      session,
    },
  };
}

function readPhoneCall(
  body: JsonObject,
  modification: Reading<AgentConfig>,
  phoneRules: PhoneRules,
): Reading<DispatchRequest> {
  const checked = check(TELEPHONY, body, 'body');
  const contact = readContactNumber(body.contact_number, phoneRules);
  if ('faults' in checked || 'faults' in contact || 'faults' in modification) {
    return faultsOf(checked, contact, modification);
  }
  const { name, outbound_number, voice, dnd_check_skipped, ...common } = checked.value;
  return {
    value: {
      medium: 'telephony',
      ...commonOf(common, modification.value),
      name: name.trim(),
      toNumber: contact.value,
      outboundNumber: outbound_number,
      voice: voice === '' ? null : voice,
      dndCheckSkipped: dnd_check_skipped,
    },
  };
}

const faultsOf = (...readings: Reading<unknown>[]): { faults: InputFault[] } => ({
  faults: readings.flatMap((reading) => ('faults' in reading ? reading.faults : [])),
});

function commonOf({ agent_id, metadata, modify_agent }: CommonBody, modification: AgentConfig): Common {
  const modifies = modify_agent !== undefined && modify_agent !== null;
  return { agentIdOrName: agent_id, metadata, modifyAgent: modifies ? modification : null };
}

function readContactNumber(given: unknown, rules: PhoneRules): Reading<string> {
  // The schema reports a missing or mistyped number.
  if (typeof given !== 'string' || given === '') return { value: '' };
  const reading = normalisePhone(given, rules);
  if ('e164' in reading) return { value: reading.e164 };
  return { faults: [{ loc: ['body', 'contact_number'], msg: reading.fault, type: 'phone_number' }] };
}
