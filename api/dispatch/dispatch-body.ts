import Joi from 'joi';
import type { AgentConfig } from '../../workflows/domain/agent-config';
import type { JsonObject } from '../../workflows/domain/json';
import { normalisePhone, type PhoneRules } from '../../workflows/domain/phone-number';
import { validateModifyAgent } from '../agent-config';
import type { InputFault } from '../errors/api-error';
import { invalidInput } from '../errors/refusals';
import { check } from '../input/validate';

interface Common {
  agentIdOrName: string;
  metadata: JsonObject;
  /** Null changes nothing. */
  modifyAgent: AgentConfig | null;
  /** For a custom-LLM socket server; not the agent's id. */
  xAgentId: string | null;
}

export type DispatchRequest =
  | (Common & {
      medium: 'telephony';
      name: string;
      contactE164: string;
      outboundNumber: string | null;
      voice: string | null;
      dndCheckSkipped: boolean;
    })
  | (Common & { medium: 'webrtc' });

interface CommonBody {
  agent_id: string;
  metadata: JsonObject;
  modify_agent?: unknown;
}

interface TelephonyBody extends CommonBody {
  name: string;
  contact_number: string;
  outbound_number: string | null;
  voice: string;
  dnd_check_skipped: boolean;
}

const MEDIUM = Joi.object<{ medium: 'telephony' | 'webrtc' }>({
  medium: Joi.string().valid('telephony', 'webrtc').default('telephony'),
});

const COMMON = {
  agent_id: Joi.string().max(255).required(),
  metadata: Joi.object().unknown(true).default({}),
  modify_agent: Joi.any(),
};

const TELEPHONY_FIELDS = {
  ...COMMON,
  contact_number: Joi.string().required(),
  name: Joi.string().max(255).pattern(/\S/, 'not blank').required(),
  voice: Joi.string().allow('').default(''),
  outbound_number: Joi.string().allow('', null).default(null),
  dnd_check_skipped: Joi.boolean().default(false),
};
const TELEPHONY = Joi.object<TelephonyBody>(TELEPHONY_FIELDS);

const WEBRTC_FIELDS = {
  ...COMMON,
  voice_gender: Joi.string().valid('male', 'female').default('female'),
  primary_language: Joi.string().default('hi'),
  secondary_language: Joi.string().default('en'),
  welcome_message: Joi.string().allow(''),
  welcome_interruptible: Joi.boolean().default(true),
  bg_noise_enabled: Joi.boolean().default(false),
  bg_noise_volume: Joi.number().integer().min(0).max(100).default(60),
  voice_speed: Joi.number().min(0.6).max(1.4).default(1),
};
const WEBRTC = Joi.object<CommonBody>(WEBRTC_FIELDS);

const MAX_X_AGENT_ID_LENGTH = 255;

/** Throws one refusal that names every fault. Fields of the other medium are not looked at. */
export function readDispatch(
  body: JsonObject,
  { xAgentId, phoneRules }: { xAgentId: string; phoneRules: PhoneRules },
): DispatchRequest {
  const medium = check(MEDIUM, body, 'body');
  if ('faults' in medium) throw invalidInput(medium.faults);
  const { shared, faults } = readShared(body, xAgentId);
  if (medium.value.medium === 'webrtc') {
    const webrtc = check(WEBRTC, body, 'body');
    if ('faults' in webrtc || faults.length > 0) throw invalidInput([...faultsOf(webrtc), ...faults]);
    return { medium: 'webrtc', ...shared, ...commonOf(webrtc.value) };
  }
  const telephony = check(TELEPHONY, body, 'body');
  const contact = readContactNumber(body.contact_number, phoneRules);
  if ('faults' in telephony || 'faults' in contact || faults.length > 0) {
    throw invalidInput([...faultsOf(telephony), ...faultsOf(contact), ...faults]);
  }
  const {
    name,
    outbound_number: outboundNumber,
    voice,
    dnd_check_skipped: dndCheckSkipped,
  } = telephony.value;
  return {
    medium: 'telephony',
    ...shared,
    ...commonOf(telephony.value),
    name: name.trim(),
    contactE164: contact.value,
    outboundNumber,
    voice: voice === '' ? null : voice,
    dndCheckSkipped,
  };
}

const faultsOf = (checked: object): InputFault[] =>
  'faults' in checked && Array.isArray(checked.faults) ? (checked.faults as InputFault[]) : [];

const commonOf = ({ agent_id, metadata }: CommonBody): Pick<Common, 'agentIdOrName' | 'metadata'> => ({
  agentIdOrName: agent_id,
  metadata,
});

function readShared(
  body: JsonObject,
  xAgentId: string,
): { shared: Pick<Common, 'modifyAgent' | 'xAgentId'>; faults: InputFault[] } {
  const faults: InputFault[] = [];
  if (xAgentId.length > MAX_X_AGENT_ID_LENGTH) {
    const msg = `must be at most ${MAX_X_AGENT_ID_LENGTH} characters`;
    faults.push({ loc: ['header', 'X-Agent-Id'], msg, type: 'string.max' });
  }
  const modification = validateModifyAgent(body.modify_agent);
  if ('faults' in modification) faults.push(...modification.faults);
  const modifies = body.modify_agent !== undefined && body.modify_agent !== null;
  const modifyAgent = modifies && 'value' in modification ? modification.value : null;
  return { shared: { modifyAgent, xAgentId: xAgentId === '' ? null : xAgentId }, faults };
}

function readContactNumber(given: unknown, rules: PhoneRules): { value: string } | { faults: InputFault[] } {
  // Missing or mistyped is the schema's to say.
  if (typeof given !== 'string' || given === '') return { value: '' };
  const reading = normalisePhone(given, rules);
  if ('e164' in reading) return { value: reading.e164 };
  return { faults: [{ loc: ['body', 'contact_number'], msg: reading.fault, type: 'phone_number' }] };
}
