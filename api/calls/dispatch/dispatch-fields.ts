import { CALL_MEDIA } from '../../../workflows/domain/call-kind';
import type { JsonObject } from '../../../workflows/domain/json';
import { modifyAgent } from '../../agents/config/documented';
import { MAXIMA } from '../../../workflows/domain/agent-config/maxima';
import { MAX_VARIABLES, MAX_VARIABLES_BYTES, variablesBytes } from '../../http/input/variables';
import {
  about,
  defaulting,
  nullable,
  object,
  optional,
  typed,
  type Field,
  type ValueOf,
} from '../../http/schema/field';
import {
  flag,
  freeObject,
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

/** Pages of call history show it of each call. */
const callMetadata = (): Field<JsonObject> =>
  typed(
    freeObject(MAX_VARIABLES).custom((given: JsonObject, helpers) =>
      variablesBytes(given) > MAX_VARIABLES_BYTES
        ? helpers.error('object.bytes', { limit: MAX_VARIABLES_BYTES })
        : given,
    ),
  );

export const MEDIUM = object({
  medium: defaulting(oneOf(...CALL_MEDIA), 'telephony'),
});

const COMMON = {
  agent_id: about(nonEmptyText(255), "The agent's id, or its agent_name", 'check-up-reminder'),
  metadata: about(
    defaulting(callMetadata(), {}),
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

/** Both media in one, as the document shows it: fields of the other medium are ignored. */
export const DISPATCH = object(
  {
    ...COMMON,
    medium: about(defaulting(oneOf(...CALL_MEDIA), 'telephony'), 'A phone call or a browser session'),
    modify_agent: optional(nullable(modifyAgent)),
    ...TELEPHONY_ONLY,
    contact_number: optional(TELEPHONY_ONLY.contact_number),
    name: optional(TELEPHONY_ONLY.name),
    ...WEBRTC_ONLY,
  },
  { name: 'Dispatch', description: 'contact_number and name are required for telephony' },
);
