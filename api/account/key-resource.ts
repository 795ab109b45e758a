import Joi from 'joi';
import { SCOPES, stateOfKey, type ApiKey, type Scope } from '../../db/organizations/api-keys';
import { json } from '../http/endpoint';
import { instant } from '../http/input/fields';
import { iso } from '../http/presenters/instant';
import { about, list, nullable, object, optional, typed, type ValueOf } from '../http/schema/field';
import { id, notBlank, oneOf, text, timestamp } from '../http/schema/kinds';

const MOST_NAME = 200;

const fields = {
  id: id(),
  name: nullable(text()),
  prefix: about(text(), 'First twelve characters of the key', 'vap_Xx1yZ2w3'),
  scopes: about(list(oneOf(...SCOPES)), 'Scopes of the key'),
  made_by: about(
    nullable(id()),
    'Id of the key that created it. Revoking that key also revokes this one. Null if the operator created it',
  ),
  created_at: timestamp(),
  last_used_at: about(nullable(timestamp()), 'Time of the last use, to the minute'),
  expires_at: about(nullable(timestamp()), 'Null if it never expires'),
  revoked_at: nullable(timestamp()),
  state: oneOf('valid', 'expired', 'revoked'),
};

export const apiKey = object(fields, { name: 'ApiKey', description: 'Does not contain the key itself.' });
export type ApiKeyBody = ValueOf<typeof apiKey>;

export const issuedKey = object(
  { ...fields, key: about(text(), 'The key. It is shown only once, because only its hash is stored') },
  { name: 'IssuedApiKey' },
);

const NEW_KEY = object(
  {
    name: about(notBlank(MOST_NAME), 'Purpose of the key'),
    scopes: about(
      typed<Scope[]>(
        Joi.array()
          .items(Joi.string().valid(...SCOPES))
          .min(1)
          .max(SCOPES.length),
      ),
      'Scopes of the key. The API key of the request must have all of them',
    ),
    expires_at: about(
      optional(instant()),
      'A date or timestamp in UTC. Default: never, or when the API key of the request expires. Keys created by a console session expire after 90 days',
    ),
  },
  { name: 'NewApiKey' },
);
export type NewKey = ValueOf<typeof NEW_KEY>;

export const newKeyBody = json(NEW_KEY, {
  examples: {
    reports: { summary: 'A key for a program that only reads', value: { name: 'Reports', scopes: ['read'] } },
    agency: {
      summary: 'A key that expires',
      value: { name: 'Agency', scopes: ['read', 'operate'], expires_at: '2099-12-31T18:00:00Z' },
    },
  },
});

export const presentKey = (key: ApiKey, now: number): ApiKeyBody => ({
  id: key.id,
  name: key.label,
  prefix: key.prefix,
  scopes: [...(key.scopes ?? SCOPES)],
  made_by: key.madeBy,
  created_at: iso(key.createdAt),
  last_used_at: iso(key.lastUsedAt),
  expires_at: iso(key.expiresAt),
  revoked_at: iso(key.revokedAt),
  state: stateOfKey(key, now),
});
