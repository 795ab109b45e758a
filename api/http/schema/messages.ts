/**
 * What a person reads of a broken rule: where joi's own words are clumsy, and for the rules of text that is read by code. One rule reads
 * the same in bodies, forms and queries.
 */
export const MESSAGES = {
  'boolean.base': 'must be true or false',
  'number.base': 'must be a number',
  'number.integer': 'must be an integer',
  'number.max': 'must be at most {#limit}',
  'number.min': 'must be at least {#limit}',
  'array.max': 'must have at most {#limit} entries',
  'array.min': 'must have at least {#limit} entries',
  'object.base': 'must be an object',
  'object.bytes': 'must be at most {#limit} bytes of JSON',
  'object.max': 'must have at most {#limit} keys',
  'string.base': 'must be a string',
  'string.date': 'must be a date, YYYY-MM-DD',
  'string.email': 'must be e-mail addresses, comma-separated',
  'string.empty': 'is not allowed to be empty',
  'string.guid': 'must be a UUID',
  'string.isoDate': 'must be a date or an ISO 8601 timestamp',
  'string.max': 'must be at most {#limit} characters long',
  'string.time': 'must be a time, HH:MM',
  'string.uri': 'must be an http or https address',
  'turn.user':
    'must have `user` in every turn but a first one, which without it is what the agent says by itself',
  'string.weekdays': 'must be lowercase weekday names',
};

/** A rule that a value broke: the `type` of its fault, which names the message. */
export interface Broken {
  rule: keyof typeof MESSAGES;
  limit?: number;
}
