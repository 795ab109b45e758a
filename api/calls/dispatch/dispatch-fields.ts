import { CALL_MEDIA } from '../../../domain/call';
import { ORDINARY_TYPES, type PhoneRules } from '../../../domain/phone-number';
import { modifyAgent } from '../../agents/config/documented';
import { MAXIMA } from '../../../domain/agent-config/maxima';
import { callVariables } from '../../http/input/variables';
import {
  about,
  defaulting,
  either,
  nullable,
  object,
  optional,
  typed,
  type ValueOf,
} from '../../http/schema/field';
import {
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
import Joi from 'joi';

const MAX_NAME = 255;

export const MEDIUM = object({
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

const TELEPHONY_ONLY = {
  contact_number: about(
    typed<string>(Joi.string()),
    'Number to call: E.164, or 91XXXXXXXXXX, 0XXXXXXXXXX, XXXXXXXXXX',
    '+919876543210',
  ),
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

export const TELEPHONY = object({ ...COMMON, ...TELEPHONY_ONLY });
export const WEBRTC = object({ ...COMMON, ...WEBRTC_ONLY });

export type CommonBody = Pick<ValueOf<typeof TELEPHONY>, keyof typeof COMMON>;
export type WebrtcBody = ValueOf<typeof WEBRTC>;

const MODIFICATION = { modify_agent: optional(nullable(modifyAgent)) };

/** The schema in the OpenAPI document. Fields of the other medium are ignored. */
export const dispatch = (phoneRules: PhoneRules) =>
  either(
    object(
      {
        ...COMMON,
        ...MODIFICATION,
        ...TELEPHONY_ONLY,
        medium: about(defaulting(constant('telephony'), 'telephony'), 'A phone call'),
        contact_number: about(
          typed<string>(Joi.string().meta({ jsonSchema: { pattern: contactPattern(phoneRules) } })),
          'Number to call: E.164, or 91XXXXXXXXXX, 0XXXXXXXXXX, XXXXXXXXXX',
          '+919876543210',
        ),
      },
      { name: 'Dispatch' },
    ),
    object(
      { ...COMMON, ...MODIFICATION, ...WEBRTC_ONLY, medium: about(constant('webrtc'), 'A browser session') },
      { name: 'SessionDispatch' },
    ),
  );

/** With India alone the pattern matches valid numbers only, otherwise plausible ones. The API also accepts spaces, hyphens and brackets. */
export const contactPattern = ({ allowedCountries, allowedNumberTypes }: PhoneRules): string => {
  const isIndiaAlone =
    allowedCountries.length === 1 &&
    allowedCountries[0] === 'IN' &&
    ORDINARY_TYPES.every((type) => allowedNumberTypes.includes(type));
  return isIndiaAlone
    ? String.raw`^(\+91|91|0)?[6-9]\d{9}$`
    : String.raw`^(\+[1-9]\d{6,14}|(91|0)?[1-9]\d{9})$`;
};
