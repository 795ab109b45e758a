import { SCOPES } from '../../db/organizations/api-keys';
import { recordAudit } from '../../db/organizations/audit';
import { endSessionsOfKey, keyOfSession, sessionsOfKey } from '../../db/organizations/console-tokens';
import type { RouteTools } from '../dependencies';
import type { ApiClient } from '../http/auth/api-key';
import { answers, byKey, endpoint, type Endpoint } from '../http/endpoint';
import { uuidParam } from '../http/input/fields';
import { iso } from '../http/responses';
import { flag, id, integer, text, timestamp } from '../http/schema/kinds';
import { insufficientScope, keyNotFound, sessionNotFound } from '../http/errors/refusals';
import { about, list, nullable, object } from '../http/schema/field';
import { assertScopes, ownKey } from './keys';

const PATH = '/api/keys/:key_id/sessions';

const keySession = object(
  {
    id: about(id(), 'Identifies the session but does not authenticate it'),
    created_at: timestamp(),
    expires_at: timestamp(),
    address: about(nullable(text()), 'Client address of the sign-in'),
    is_current: about(flag(), 'True for the session of this request'),
  },
  { name: 'KeySession' },
);

const ended = object(
  { ended: about(integer(0), 'Number of sessions that were ended') },
  { name: 'EndedSessions' },
);

export const keySessionEndpoints = (tools: RouteTools): Endpoint[] => [
  listing(tools),
  endingAll(tools),
  endingOne(tools),
];

const listing = ({ deps: { db, clock } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: PATH,
    tag: 'Account',
    summary: 'List the open console sessions of an API key, newest first',
    access: byKey,
    scope: 'configure',
    input: { params: uuidParam('key_id', 'Identifier of the key') },
    answer: answers('At most 50 sessions', object({ data: list(keySession) }, { name: 'KeySessionList' })),
    refusals: [keyNotFound()],
    handle: async ({ params }, organization) => {
      await ownKey(db, params.key_id, organization);
      return sessionsOfKey(db, params.key_id, clock.now());
    },
    present: (sessions, { who }) => ({
      data: sessions.map(({ id: sessionId, createdAt, expiresAt, address }) => ({
        id: sessionId,
        created_at: iso(createdAt),
        expires_at: iso(expiresAt),
        address,
        is_current: sessionId === who.session?.id,
      })),
    }),
  });

const endingAll = ({ deps }: RouteTools) =>
  endpoint({
    method: 'post',
    path: `${PATH}/end`,
    tag: 'Account',
    summary: 'End all console sessions of an API key',
    description: 'Also invalidates its sign-in links. The key stays valid.',
    access: byKey,
    scope: 'configure',
    input: { params: uuidParam('key_id', 'Identifier of the key') },
    answer: answers('Number of ended sessions', ended),
    refusals: [insufficientScope('operate'), keyNotFound()],
    handle: ({ params }, organization) =>
      endSessions(deps, { keyId: params.key_id, sessionId: null }, organization),
    present: (count) => ({ ended: count }),
  });

const endingOne = ({ deps }: RouteTools) =>
  endpoint({
    method: 'post',
    path: '/api/keys/sessions/:session_id/end',
    tag: 'Account',
    summary: 'End one console session',
    access: byKey,
    scope: 'configure',
    input: { params: uuidParam('session_id', 'Identifier of the session') },
    answer: answers('Number of ended sessions', ended),
    refusals: [insufficientScope('operate'), sessionNotFound()],
    handle: async ({ params: { session_id: sessionId } }, organization) => {
      const keyId = await keyOfSession(deps.db, organization.id, sessionId);
      const count = keyId === undefined ? 0 : await endSessions(deps, { keyId, sessionId }, organization);
      if (count === 0) throw sessionNotFound();
      return count;
    },
    present: (count) => ({ ended: count }),
  });

/** @throws ApiError 404 for another organization's key, 403 if the key has a scope that the client's key lacks */
function endSessions(
  { db, clock }: RouteTools['deps'],
  of: { keyId: string; sessionId: string | null },
  client: ApiClient,
): Promise<number> {
  const now = clock.now();
  return db.transaction(async (trx) => {
    const key = await ownKey(trx, of.keyId, client);
    assertScopes(client, key.scopes ?? SCOPES);
    const count = await endSessionsOfKey(trx, of, now);
    const entry = {
      organizationId: client.id,
      actor: client.actor,
      action: 'session.end',
      subjectId: key.id,
      now,
    } as const;
    if (count > 0) await recordAudit(trx, entry);
    return count;
  });
}
