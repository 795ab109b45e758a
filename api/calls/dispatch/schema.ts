import Joi from 'joi';
import type { AgentConfig } from '../../../domain/agent-config';
import { MAXIMA } from '../../../domain/agent-config/maxima';
import { CALL_MEDIA } from '../../../domain/call';
import type { JsonObject } from '../../../domain/json';
import { normalisePhone, ORDINARY_TYPES, type PhoneRules } from '../../../domain/phone-number';
import type { TransferRules } from '../../../domain/transfer';
import { modifyAgent, validateModifyAgent, withoutForbiddenTransfers } from '../../agents/config/validate';
import type { Body, Reading, RequestExample } from '../../http/endpoint';
import type { InputFault } from '../../http/errors/api-error';
import { check } from '../../http/schema/validate';
import {
  callVariables,
  constant,
  flag,
  integer,
  nonEmptyText,
  notBlank,
  number,
  oneOf,
  phoneNumber,
  textUpTo,
} from '../../http/schema/kinds';
import { jsonBody } from '../../http/input/json-body';
import {
  about,
  defaulting,
  either,
  nullable,
  object,
  optional,
  typed,
  type Field,
  type ValueOf,
} from '../../http/schema/field';

const MAX_NAME = 255;

const MEDIUM = object({
  medium: defaulting(oneOf(...CALL_MEDIA), 'telephony'),
});

const COMMON = {
  agent_id: about(nonEmptyText(255), 'Id or `agent_name` of the agent', 'check-up-reminder'),
  metadata: about(
    defaulting(callVariables(), {}),
    "Template variables for the agent's prompt: at most 100 keys and 16 KiB as JSON",
    { city: 'Pune' },
  ),
  // `validateModifyAgent` checks it and gives better messages.
  modify_agent: about(
    optional(typed<unknown>(Joi.any())),
    'Overrides the agent for this call. Takes the sections persona, training, experience and analysis',
  ),
};

function contactNumber(schema: Joi.StringSchema): Field<string> {
  return about(
    typed<string>(schema),
    'Number to call: E.164, or 91XXXXXXXXXX, 0XXXXXXXXXX, XXXXXXXXXX',
    '+919876543210',
  );
}

const TELEPHONY_ONLY = {
  contact_number: contactNumber(Joi.string()),
  name: about(notBlank(255), 'Name of the callee', 'Asha Rao'),
  voice: about(defaulting(textUpTo(MAX_NAME), ''), "Voice to use. Empty uses the agent's own"),
  outbound_number: about(
    defaulting(nullable(typed<string>(phoneNumber())), null),
    "E.164 caller ID. Must be one of the agent's outbound numbers, if it has any",
  ),
  dnd_check_skipped: about(defaulting(flag(), false), 'If true, the do-not-disturb check is skipped'),
};

const WEBRTC_ONLY = {
  voice_gender: defaulting(oneOf('male', 'female'), 'female'),
  primary_language: defaulting(nonEmptyText(64), 'hi'),
  secondary_language: defaulting(nonEmptyText(64), 'en'),
  welcome_message: about(optional(textUpTo(MAXIMA.text)), 'Overrides the default greeting'),
  welcome_interruptible: defaulting(flag(), true),
  bg_noise_enabled: defaulting(flag(), false),
  bg_noise_volume: defaulting(integer(0, 100), 60),
  voice_speed: defaulting(number(0.6, 1.4), 1),
};

const TELEPHONY = object({ ...COMMON, ...TELEPHONY_ONLY });
const WEBRTC = object({ ...COMMON, ...WEBRTC_ONLY });

type CommonBody = Pick<ValueOf<typeof TELEPHONY>, keyof typeof COMMON>;
type WebrtcBody = ValueOf<typeof WEBRTC>;

const MODIFICATION = { modify_agent: optional(nullable(modifyAgent)) };

/** The schema in the OpenAPI document. Fields of the other medium are ignored. */
const dispatch = (phoneRules: PhoneRules) =>
  either(
    object(
      {
        ...COMMON,
        ...MODIFICATION,
        ...TELEPHONY_ONLY,
        medium: about(defaulting(constant('telephony'), 'telephony'), 'A phone call'),
        contact_number: contactNumber(
          Joi.string().meta({ jsonSchema: { pattern: contactPattern(phoneRules) } }),
        ),
      },
      { name: 'Dispatch' },
    ),
    object(
      { ...COMMON, ...MODIFICATION, ...WEBRTC_ONLY, medium: about(constant('webrtc'), 'A browser session') },
      { name: 'SessionDispatch' },
    ),
  );

/**
 * If only India is allowed, the pattern matches exactly the valid numbers, otherwise all plausible ones. The API also accepts spaces,
 * hyphens and brackets.
 */
export const contactPattern = ({ allowedCountries, allowedNumberTypes }: PhoneRules): string => {
  const isIndiaAlone =
    allowedCountries.length === 1 &&
    allowedCountries[0] === 'IN' &&
    ORDINARY_TYPES.every((type) => allowedNumberTypes.includes(type));
  return isIndiaAlone
    ? String.raw`^(\+91|91|0)?[6-9]\d{9}$`
    : String.raw`^(\+[1-9]\d{6,14}|(91|0)?[1-9]\d{9})$`;
};

interface Common {
  agentIdOrName: string;
  metadata: JsonObject;
  /** Null leaves the agent unchanged. */
  modifyAgent: AgentConfig | null;
}

type DispatchRequest =
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
      const body = await jsonBody(ctx, { maxValues: MAXIMA.values, checkedApart: ['modify_agent'] });
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
