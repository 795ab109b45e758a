import { apiKeyPage, MOST_VALID_KEYS } from '../../db/organizations/api-keys';
import type { RouteTools } from '../dependencies/route-tools';
import { answers, byKey, endpoint, type Endpoint } from '../http/endpoint';
import { insufficientScope, keyNotFound, tooManyKeys } from '../http/errors/refusals';
import { pageOf, paging } from '../http/input/fields';
import { uuidParam } from '../http/input/path';
import { pagination } from '../http/presenters/pagination';
import { pagination as paginationSchema } from '../http/resources/pagination';
import { list, object } from '../http/schema/field';
import { createKey, revokeKey } from './change-keys';
import { apiKey, issuedKey, newKeyBody, presentKey } from './key-resource';

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
    input: { query: object(paging({ default: 50, most: 200 })) },
    answer: answers(
      'A page of keys',
      object({ data: list(apiKey), pagination: paginationSchema }, { name: 'ApiKeyPage' }),
    ),
    handle: ({ query }, organization) => apiKeyPage(db, organization.id, pageOf(query)),
    present: ({ items, total }, { input: { query } }) => ({
      data: items.map((key) => presentKey(key, clock.now())),
      pagination: pagination(query, total),
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
    refusals: [insufficientScope('operate'), tooManyKeys(MOST_VALID_KEYS)],
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
