import Joi from 'joi';
import { about, optional, typed } from '../schema/field';

/** The header, `true`, of an answer that was made for an earlier request. */
export const REPLAYED = 'Idempotent-Replayed';

const VISIBLE = 'must be 1 to 255 visible ASCII characters, without blanks';

/** The header. An empty one is a fault and not no key: who sends one expects to be protected. */
export const idempotencyKey = about(
  optional(
    typed<string>(
      Joi.string()
        .pattern(/^[!-~]+$/)
        .max(255)
        .messages({ 'string.empty': VISIBLE, 'string.pattern.base': VISIBLE }),
    ),
  ),
  'For 24 hours, a request that comes again with the same key is answered as before and makes nothing new. A key of its own for each request, such as a UUID',
);
