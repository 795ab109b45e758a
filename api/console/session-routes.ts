import { organizationOfKey, SCOPES, type KeyHolder, keyOfSecret } from '../../db/organizations/api-keys';
import { recordAudit } from '../../db/organizations/audit';
import {
  endSession,
  openSession,
  useSignInToken,
  type ConsoleSession,
} from '../../db/organizations/console-tokens';
import { workflowId } from '../../workflows/contract';
import type { ApiDependencies, RouteTools } from '../dependencies';
import { csrfTokenOf, sessionCookie } from '../http/auth/session-cookie';
import {
  answers,
  answersNothing,
  bySecretInBody,
  bySession,
  endpoint,
  json,
  type Endpoint,
  type Visitor,
} from '../http/endpoint';
import { iso } from '../http/responses';
import { invalidApiKey, invalidInput, invalidSignInToken } from '../http/errors/refusals';
import { about, exactlyOneOf, list, nullable, object, optional, type ValueOf } from '../http/schema/field';
import { nonEmptyText, oneOf, text, timestamp } from '../http/schema/kinds';
import type { Db } from '../../db/kernel/connection';

const PATH = '/api/console/session';
/** The endpoint is public, and a key or token takes only about a hundred bytes. */
const MAX_SIGN_IN_BYTES = 4 * 1024;

export const consoleSessionEndpoints = (tools: RouteTools): Endpoint[] => [
  opening(tools),
  reading(tools),
  ending(tools),
];

const opening = ({ deps }: RouteTools) => {
  const failures = new FailedSignIns(deps.db);
  return endpoint({
    method: 'post',
    path: PATH,
    tag: 'Console',
    summary: 'Open a console session',
    description:
      'Takes an API key or the token of a sign-in link. The session is a cookie that lasts twelve hours and ends with its key. Opening it ends the session of the request, if any. A key has at most 50 sessions; another one ends the oldest.',
    access: bySecretInBody,
    scope: null,
    input: {
      body: json(signIn, {
        maxBytes: MAX_SIGN_IN_BYTES,
        examples: { key: { summary: 'Sign in with an API key', value: { api_key: 'vap_Xx1yZ2w3' } } },
      }),
    },
    answer: answers('The new session. Its cookie is set', consoleSession, { status: 201 }),
    refusals: [invalidApiKey(), invalidSignInToken()],
    async handle({ body }, visitor): Promise<ConsoleSession> {
      const now = deps.clock.now();
      const holder = await holderOf(deps, body, visitor, failures);
      const { authentication, ctx } = visitor;
      const { actor } = authentication.admitted(holder, ctx);
      const { showsWorkflows = false } = holder;
      await visitor.admit(holder);
      const issued = await deps.db.transaction(async (trx) => {
        await recordAudit(trx, {
          organizationId: holder.id,
          actor,
          action: 'console.sign_in',
          subjectId: holder.keyId,
          now,
        });
        await endSession(trx, authentication.sessionTokenOf(ctx.req));
        return openSession(trx, holder.keyId, now, { address: actor.address, showsWorkflows });
      });
      return { ...issued, holder, showsWorkflows };
    },
    present: (session, { ctx, who: { authentication } }) => {
      const isSecure = authentication.isSecure(ctx.req);
      const maxAgeS = Math.round((session.expiresAt.getTime() - deps.clock.now()) / 1000);
      ctx.append('Set-Cookie', sessionCookie(session.token, { maxAgeS, isSecure }));
      return presentSession(session, deps);
    },
  });
};

const reading = ({ deps }: RouteTools) =>
  endpoint({
    method: 'get',
    path: PATH,
    tag: 'Console',
    summary: 'Get the current session',
    access: bySession,
    scope: null,
    input: {},
    answer: answers('The session', consoleSession),
    handle: (_input, { session }) => session,
    present: (session) => presentSession(session, deps),
  });

const ending = ({ deps }: RouteTools) =>
  endpoint({
    method: 'delete',
    path: PATH,
    tag: 'Console',
    summary: 'End the current session',
    access: bySession,
    scope: null,
    input: {},
    answer: answersNothing('The session has ended and its cookie is removed'),
    handle: (_input, { session }) => endSession(deps.db, session.token),
    present: (_ended, { ctx }) => {
      for (const isSecure of [false, true])
        ctx.append('Set-Cookie', sessionCookie('', { maxAgeS: 0, isSecure }));
      return null;
    },
  });

type SignedIn = KeyHolder & { showsWorkflows?: boolean };

/** A link is used up even if its key is over the rate limit, because a new link is easy to create. */
async function holderOf(
  { db, clock }: Pick<ApiDependencies, 'db' | 'clock'>,
  given: { api_key?: string; sign_in_token?: string },
  { authentication, ctx }: Visitor,
  failures: FailedSignIns,
): Promise<SignedIn> {
  const { api_key: key, sign_in_token: token } = given;
  if ((key === undefined) === (token === undefined)) {
    throw invalidInput([
      {
        loc: ['body'],
        msg: 'must contain either `api_key` or `sign_in_token`, not both',
        type: 'object.xor',
      },
    ]);
  }
  const secret = (key ?? token ?? '').trim();
  const holder = await authentication.find<SignedIn>(ctx.req, secret, (now) =>
    key === undefined ? useSignInToken(db, secret, now) : organizationOfKey(db, secret, now),
  );
  if (holder !== undefined) return holder;
  const address = authentication.addressOf(ctx.req);
  await failures.record({ secret, address, requestId: ctx.state.requestId }, clock.now());
  throw key === undefined ? invalidSignInToken() : invalidApiKey();
}

function presentSession(
  { token, expiresAt, holder, showsWorkflows }: ConsoleSession,
  { settings }: ApiDependencies,
): ConsoleSessionBody {
  return {
    organization: holder.name,
    key_name: holder.keyName,
    scopes: [...(holder.scopes ?? SCOPES)],
    csrf_token: csrfTokenOf(token),
    expires_at: iso(expiresAt),
    workflow_pages: showsWorkflows ? workflowPagesOf(settings.workflowPages) : null,
  };
}

/** `{id}` needs no escaping, because ids consist of letters, digits, dots and hyphens. */
function workflowPagesOf(address: string | null): ConsoleSessionBody['workflow_pages'] {
  if (address === null) return null;
  const { campaign, call } = workflowId;
  return { campaign: `${address}/${campaign('{id}')}`, call: `${address}/${call('{id}')}`, list: address };
}

const MAX_SECRET = 200;

const signIn = exactlyOneOf(
  object(
    {
      api_key: about(optional(nonEmptyText(MAX_SECRET)), 'An API key of the organization'),
      sign_in_token: about(optional(nonEmptyText(MAX_SECRET)), 'Token of a sign-in link. It works only once'),
    },
    { name: 'ConsoleSignIn' },
  ),
  ['api_key', 'sign_in_token'],
);

const consoleSession = object(
  {
    organization: about(text(), 'Name of the organization'),
    key_name: about(text(), 'Name or first characters of the key that the session acts for'),
    scopes: about(list(oneOf(...SCOPES)), 'Current scopes of the key'),
    csrf_token: about(text(), 'Send it as X-CSRF-Token with every request that changes something'),
    expires_at: timestamp(),
    workflow_pages: about(
      nullable(
        object({
          campaign: about(text(), 'URL of a campaign, with `{id}` in place of its id'),
          call: about(text(), 'URL of a call, with `{id}` in place of its id'),
          list: about(text(), 'URL of the list of all workflows'),
        }),
      ),
      "URLs in Temporal's Web UI. Null unless the session began with a link that an operator created for this",
    ),
  },
  { name: 'ConsoleSession' },
);
type ConsoleSessionBody = ValueOf<typeof consoleSession>;

const WINDOW_MS = 60_000;
/** Failed sign-ins that one process records per minute, for all addresses together. */
export const MAX_RECORDED_PER_MINUTE = 20;

interface FailedSignIn {
  /** The API key or sign-in token that the visitor sent. */
  secret: string;
  address: string;
  requestId: string;
}

/**
 * Records failed sign-ins in the audit log. A sign-in with a revoked or expired key is recorded for its organization, all
 * others for the operator. Beyond the limit none are recorded, so that they can't fill the log.
 */
class FailedSignIns {
  private recorded = 0;
  private windowEndsAt = -Infinity;

  constructor(private readonly db: Db) {}

  async record({ secret, address, requestId }: FailedSignIn, now: number): Promise<void> {
    if (!this.hasRoom(now)) return;
    const key = await keyOfSecret(this.db, secret);
    await recordAudit(this.db, {
      organizationId: key?.organizationId ?? null,
      actor: { kind: 'visitor', id: 'unknown', requestId, address },
      action: 'console.sign_in_failed',
      subjectId: key?.id ?? 'unknown',
      now,
    });
  }

  private hasRoom(now: number): boolean {
    if (now >= this.windowEndsAt) {
      this.windowEndsAt = now + WINDOW_MS;
      this.recorded = 0;
    }
    this.recorded += 1;
    return this.recorded <= MAX_RECORDED_PER_MINUTE;
  }
}
