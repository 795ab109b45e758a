import { CALL_MEDIA } from '../../../domain/call-kind';
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
  agent_id: about(nonEmptyText(255), "The agent's id, or its agent_name", 'check-up-reminder'),
  metadata: about(
    defaulting(callVariables(), {}),
    "Template variables for the agent's prompt: at most 100 keys and 16 KiB of JSON",
    { city: 'Pune' },
  ),
  // Its own check finds the same faults and more, and names them better.
  modify_agent: about(
    optional(typed<unknown>(Joi.any())),
    'Per-call override of the agent: persona, training, experience, analysis',
  ),
};

const TELEPHONY_ONLY = {
  contact_number: about(
    typed<string>(Joi.string()),
    'Whom to call: E.164, or 91XXXXXXXXXX, 0XXXXXXXXXX, XXXXXXXXXX',
    '+919876543210',
  ),
  name: about(notBlank(255), 'Customer name', 'Asha Rao'),
  voice: about(defaulting(textUpTo(MAX_NAME), ''), 'Voice to use; empty leaves it to the agent'),
  outbound_number: about(
    defaulting(nullable(typed<string>(phoneNumber())), null),
    'E.164 caller ID, of those the agent may dial from',
  ),
  dnd_check_skipped: about(defaulting(flag(), false), 'Skips the do-not-disturb check'),
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

/** As the document shows it. Fields of the other medium are ignored. */
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
          'Whom to call: E.164, or 91XXXXXXXXXX, 0XXXXXXXXXX, XXXXXXXXXX',
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

/** What certainly is a number where only India is called; elsewhere, what may be one. Blanks, hyphens and brackets are read too. */
export const contactPattern = ({ allowedCountries, allowedNumberTypes }: PhoneRules): string => {
  const isIndiaAlone =
    allowedCountries.length === 1 &&
    allowedCountries[0] === 'IN' &&
    ORDINARY_TYPES.every((type) => allowedNumberTypes.includes(type));
  return isIndiaAlone
    ? String.raw`^(\+91|91|0)?[6-9]\d{9}$`
    : String.raw`^(\+[1-9]\d{6,14}|(91|0)?[1-9]\d{9})$`;
};
