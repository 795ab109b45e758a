/** API keys of an organization: schemas, endpoints and the rules for creating and revoking keys. */
import Joi from 'joi';
import type { Db } from '../../db/kernel/connection';
import {
  apiKeyPage,
  countValidKeys,
  findOrganizationKey,
  forgetOldKeys,
  holdValidKey,
  issueApiKey,
  MAX_VALID_KEYS,
  revokeApiKey,
  SCOPES,
  stateOfKey,
  type ApiKey,
  type Scope,
} from '../../db/organizations/api-keys';
import { recordAudit, type AuditAction } from '../../db/organizations/audit';
import { lockOrganization } from '../../db/organizations/organizations';
import type { ApiDependencies, RouteTools } from '../dependencies';
import { assertScope, type ApiClient } from '../http/auth/api-key';
import { answers, byKey, endpoint, json, type Endpoint } from '../http/endpoint';
import { instant, pageOf, paging, uuidParam } from '../http/input/fields';
import { iso, presentPagination, pagination } from '../http/responses';
import { id, notBlank, oneOf, text, timestamp } from '../http/schema/kinds';
import {
  insufficientScope,
  invalidApiKey,
  invalidInput,
  keyNotFound,
  tooManyKeys,
} from '../http/errors/refusals';
import { about, list, nullable, object, optional, typed, type ValueOf } from '../http/schema/field';

const MAX_NAME = 200;

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

const apiKey = object(fields, { name: 'ApiKey', description: 'Does not contain the key itself.' });
type ApiKeyBody = ValueOf<typeof apiKey>;

const issuedKey = object(
  { ...fields, key: about(text(), 'The key. It is shown only once, because only its hash is stored') },
  { name: 'IssuedApiKey' },
);

const NEW_KEY = object(
  {
    name: about(notBlank(MAX_NAME), 'Purpose of the key'),
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
type NewKey = ValueOf<typeof NEW_KEY>;

const newKeyBody = json(NEW_KEY, {
  examples: {
    reports: { summary: 'A key for a program that only reads', value: { name: 'Reports', scopes: ['read'] } },
    agency: {
      summary: 'A key that expires',
      value: { name: 'Agency', scopes: ['read', 'operate'], expires_at: '2099-12-31T18:00:00Z' },
    },
  },
});

const presentKey = (key: ApiKey, now: number): ApiKeyBody => ({
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

const PATH = '/api/keys';

export const keyEndpoints = (tools: RouteTools): Endpoint[] => [
  listing(tools),
  creating(tools),
  revoking(tools),
];

const listing = ({ deps: { db, clock } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: PATH,
    tag: 'Account',
    summary: 'List the API keys of the organization, newest first',
    access: byKey,
    scope: 'configure',
    input: { query: object(paging({ default: 50, max: 200 })) },
    answer: answers('A page of keys', object({ data: list(apiKey), pagination }, { name: 'ApiKeyPage' })),
    handle: ({ query }, organization) => apiKeyPage(db, organization.id, pageOf(query)),
    present: ({ items, total }, { input: { query } }) => ({
      data: items.map((key) => presentKey(key, clock.now())),
      pagination: presentPagination(query, total),
    }),
  });

const creating = ({ deps }: RouteTools) =>
  endpoint({
    method: 'post',
    path: PATH,
    tag: 'Account',
    summary: 'Create an API key',
    description:
      'The key is shown only once. It may do no more, and lasts no longer, than the API key of the request. Created by a console session, it lasts at most 90 days.',
    access: byKey,
    scope: 'configure',
    input: { body: newKeyBody },
    answer: answers('The new key', issuedKey, { status: 201 }),
    refusals: [insufficientScope('operate'), tooManyKeys(MAX_VALID_KEYS)],
    handle: ({ body }, organization) => createKey(deps, body, organization),
    present: ({ stored, key }) => ({ ...presentKey(stored, deps.clock.now()), key }),
  });

const revoking = ({ deps }: RouteTools) =>
  endpoint({
    method: 'post',
    path: `${PATH}/:key_id/revoke`,
    tag: 'Account',
    summary: 'Revoke an API key permanently',
    description:
      'Also revokes the keys that it created and ends the console sessions of all of them. A key with more scopes than that of the request cannot be revoked.',
    access: byKey,
    scope: 'configure',
    input: { params: uuidParam('key_id', 'Identifier of the key') },
    answer: answers('The revoked key', apiKey),
    refusals: [insufficientScope('operate'), keyNotFound()],
    handle: ({ params }, organization) => revokeKey(deps, params.key_id, organization),
    present: (key) => presentKey(key, deps.clock.now()),
  });

type Dependencies = Pick<ApiDependencies, 'db' | 'clock'>;

interface CreatedKey {
  key: string;
  stored: ApiKey;
}

/** A session belongs to a person and lasts hours, so keys that it creates must expire. */
const SESSION_KEY_LASTS_DAYS = 90;

/**
 * Creates a key with at most the scopes and the lifetime of the key that requests it.
 * @throws ApiError 403 for a scope that the client's key lacks, 409 if the organization has too many keys
 */
async function createKey(
  { db, clock }: Dependencies,
  wanted: NewKey,
  client: ApiClient,
): Promise<CreatedKey> {
  const now = clock.now();
  return db.transaction(async (trx) => {
    // Lock the organization. Otherwise two concurrent requests could both create the last key that the limit allows.
    await lockOrganization(trx, client.id);
    // Re-read the client's own key. If it was revoked after this request was authenticated, it must not create a new key.
    const own = await holdValidKey(trx, client.actor.id, now);
    if (own === undefined) throw invalidApiKey();
    assertScopes(own, wanted.scopes);
    const expiresAt = expiryOf(wanted, latestExpiry(own, client, now), now);
    if ((await countValidKeys(trx, client.id, now)) >= MAX_VALID_KEYS) throw tooManyKeys(MAX_VALID_KEYS);
    await forgetOldKeys(trx, client.id, now);
    const issued = await issueApiKey(trx, client.id, {
      label: wanted.name.trim(),
      // Store scopes explicitly, so that scopes added in the future aren't granted to existing keys.
      scopes: SCOPES.filter((scope) => wanted.scopes.includes(scope)),
      expiresAt,
      madeBy: client.actor.id,
    });
    await record(trx, 'key.create', issued.id, { client, now });
    return { key: issued.key, stored: await ownKey(trx, issued.id, client) };
  });
}

/**
 * Revokes the key, the keys that it created, and their sessions. Revoking it again changes nothing.
 * @throws ApiError 404 for another organization's key, 403 if the key has a scope that the client's key lacks
 */
async function revokeKey({ db, clock }: Dependencies, keyId: string, client: ApiClient): Promise<ApiKey> {
  const now = clock.now();
  return db.transaction(async (trx) => {
    const found = await ownKey(trx, keyId, client);
    assertScopes(client, found.scopes ?? SCOPES);
    for (const id of await revokeApiKey(trx, keyId, now))
      await record(trx, 'key.revoke', id, { client, now });
    return ownKey(trx, keyId, client);
  });
}

/** @throws ApiError 404 for a key of another organization */
export async function ownKey(trx: Db, keyId: string, { id }: ApiClient): Promise<ApiKey> {
  const found = await findOrganizationKey(trx, id, keyId);
  if (found === undefined) throw keyNotFound();
  return found;
}

export function assertScopes(holder: Pick<ApiClient, 'scopes'>, needed: readonly Scope[]): void {
  for (const scope of needed) assertScope(holder, scope);
}

/** Returns null if the new key doesn't have to expire. */
function latestExpiry(
  { expiresAt }: Pick<ApiKey, 'expiresAt'>,
  { session }: ApiClient,
  now: number,
): { at: number; whose: string } | null {
  const ofKey = expiresAt && { at: expiresAt.getTime(), whose: "the expiry of this request's API key" };
  if (session === undefined) return ofKey;
  const at = now + SESSION_KEY_LASTS_DAYS * 24 * 60 * 60 * 1000;
  const ofSession = {
    at,
    whose: `${SESSION_KEY_LASTS_DAYS} days from now if you create the key in the console`,
  };
  return ofKey !== null && ofKey.at <= at ? ofKey : ofSession;
}

function expiryOf(
  { expires_at: wanted }: NewKey,
  latest: { at: number; whose: string } | null,
  now: number,
): number | undefined {
  if (wanted === undefined) return latest?.at;
  const at = Date.parse(wanted);
  if (at <= now) throw wrongExpiry('must be in the future');
  if (latest !== null && at > latest.at) throw wrongExpiry(`must not be later than ${latest.whose}`);
  return at;
}

const wrongExpiry = (msg: string) => invalidInput([{ loc: ['body', 'expires_at'], msg, type: 'key.expiry' }]);

const record = (
  trx: Db,
  action: AuditAction,
  subjectId: string,
  { client, now }: { client: ApiClient; now: number },
): Promise<void> =>
  recordAudit(trx, { organizationId: client.id, actor: client.actor, action, subjectId, now });
