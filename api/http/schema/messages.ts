/** Messages for broken rules, which replace joi's and serve checks in code. A rule has the same message in bodies, forms and queries. */
export const MESSAGES = {
  'any.invalid': 'must not be `__proto__`, `constructor` or `prototype`',
  'boolean.base': 'must be true or false',
  'number.base': 'must be a number',
  'number.integer': 'must be an integer',
  'number.max': 'must be at most {#limit}',
  'number.min': 'must be at least {#limit}',
  'number.unsafe': 'is too large',
  'array.max': 'must have at most {#limit} entries',
  'array.min': 'must have at least {#limit} entries',
  'object.base': 'must be an object',
  'object.bytes': 'must be at most {#limit} bytes as JSON',
  'object.max': 'must have at most {#limit} keys',
  'string.base': 'must be a string',
  'string.date': 'must be a date in the form YYYY-MM-DD',
  'string.email': 'must be a comma-separated list of e-mail addresses',
  'string.empty': 'must not be empty',
  'string.guid': 'must be a UUID',
  'string.isoDate': 'must be a date or an ISO 8601 timestamp',
  'string.max': 'must be at most {#limit} characters long',
  'string.time': 'must be a time in the form HH:MM',
  'string.uri': 'must be an http or https URL',
  'turn.user':
    'must have `user` in every turn except the first. Leave it out of the first turn if the agent speaks first',
  'string.weekdays': 'must be a comma-separated list of lowercase weekday names',
};

/** A broken rule. It is the `type` of the fault and selects the message. */
export interface Broken {
  rule: keyof typeof MESSAGES;
  limit?: number;
}
