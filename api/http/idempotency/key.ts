import Joi from 'joi';
import { about, optional, typed } from '../schema/field';

/** Response header. `true` if this is the response to an earlier request. */
export const REPLAYED = 'Idempotent-Replayed';

const VISIBLE = 'must be 1 to 255 visible ASCII characters, without spaces';

/** Request header. An empty value is rejected, because the API client expects it to protect the request. */
export const idempotencyKey = about(
  optional(
    typed<string>(
      Joi.string()
        .pattern(/^[!-~]+$/)
        .max(255)
        .messages({ 'string.empty': VISIBLE, 'string.pattern.base': VISIBLE }),
    ),
  ),
  'Makes retries safe: for 24 hours, a request with the same key gets the first response again and creates nothing. Use a new key for each request, such as a UUID',
);
