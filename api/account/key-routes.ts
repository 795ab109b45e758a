import { apiKeyPage, MOST_VALID_KEYS } from '../../db/clients/api-keys';
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
    summary: 'List the API keys of the organization, the newest first',
    access: byKey,
    scope: 'configure',
    input: { query: object(paging({ default: 50, most: 200 })) },
    answer: answers(
      'A page of keys',
      object({ data: list(apiKey), pagination: paginationSchema }, { name: 'ApiKeyPage' }),
    ),
    handle: ({ query }, client) => apiKeyPage(db, client.id, pageOf(query)),
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
    summary: 'Make an API key, which is shown once',
    description:
      'It may do no more, and lasts no longer, than the key of the request. Made by a session of the console it lasts 90 days at most.',
    access: byKey,
    scope: 'configure',
    input: { body: newKeyBody },
    answer: answers('The key', issuedKey, { status: 201 }),
    refusals: [insufficientScope('operate'), tooManyKeys(MOST_VALID_KEYS)],
    handle: ({ body }, client) => createKey(deps, body, client),
    present: ({ stored, key }) => ({ ...presentKey(stored, deps.clock.now()), key }),
  });

const revoking = ({ deps }: RouteTools) =>
  endpoint({
    method: 'post',
    path: `${PATH}/:key_id/revoke`,
    tag: 'Account',
    summary: 'Revoke an API key for good',
    description:
      'Requests with it, with the keys that it made, and with sessions of the console that these opened, are refused from now on. A key that may do more than that of the request is left alone.',
    access: byKey,
    scope: 'configure',
    input: { params: uuidParam('key_id', 'Identifier of the key') },
    answer: answers('The key, revoked', apiKey),
    refusals: [insufficientScope('operate'), keyNotFound()],
    handle: ({ params }, client) => revokeKey(deps, params.key_id, client),
    present: (key) => presentKey(key, deps.clock.now()),
  });
