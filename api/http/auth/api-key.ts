import type { IncomingMessage } from 'node:http';
import { clientOfKey, type KeyHolder, type Scope } from '../../../db/clients/api-keys';
import type { Actor } from '../../../db/clients/audit';
import type { Client } from '../../../db/clients/clients';
import { findSession, type ConsoleSession } from '../../../db/clients/console-tokens';
import type { Db } from '../../../db/kernel/connection';
import type { Clock } from '../../../runtime/clock';
import type { ApiContext } from '../endpoint/context';
import {
  insufficientScope,
  invalidApiKey,
  invalidCsrfToken,
  invalidSession,
  missingApiKey,
} from '../errors/refusals';
import { ownedBy } from '../input/within-budget';
import { alsoConcerns } from '../log';
import { clientAddress, isSecureRequest, networkOf, trustedProxies } from './client-address';
import { KeyUse } from './key-use';
import { hasCsrfToken, sessionTokenIn } from './session-cookie';
import { WrongKeys } from './wrong-keys';

/** The client that asks, and by which key, for the audit. */
export interface Caller extends Client {
  actor: Actor;
  /** Of the key; null for all. */
  scopes: readonly Scope[] | null;
  /** The session that the request came with in place of a key. */
  session?: ConsoleSession;
}

/** A caller by the console's session. */
export interface SessionCaller extends Caller {
  session: ConsoleSession;
}

/** Of a key that has the scope; of any key where it is null. */
export type Authenticate = (ctx: ApiContext, scope: Scope | null) => Promise<Caller>;

/** For what only some requests to an endpoint do, beside the endpoint's own scope. */
export function assertScope({ scopes }: Pick<Caller, 'scopes'>, needed: Scope): void {
  if (scopes !== null && !scopes.includes(needed)) throw insufficientScope(needed);
}

export interface Dependencies {
  db: Db;
  clock: Clock;
  settings: { trustedProxies: string[]; publicUrl: string };
}

/** Looks secrets up: keys, and the tokens of sessions and sign-in links. Wrong ones are counted by the network of the client's address. */
export class Authentication {
  private readonly wrongKeys: WrongKeys;
  private readonly keyUse: KeyUse;
  private readonly proxies;

  constructor(private readonly deps: Dependencies) {
    this.wrongKeys = new WrongKeys(deps.db);
    this.keyUse = new KeyUse(deps.db);
    const proxies = trustedProxies(deps.settings.trustedProxies);
    if (proxies === null) throw new TypeError('a trusted proxy is neither an address nor a network');
    this.proxies = proxies;
  }

  /** The client whose key the X-API-Key header carries, or whose session the cookie does, if the key has the scope. The header counts more. */
  readonly authenticate: Authenticate = async (ctx, scope) => {
    const key = ctx.get('X-API-Key').trim();
    const caller =
      key === '' && this.sessionTokenOf(ctx.req) !== ''
        ? await this.authenticateSession(ctx)
        : this.admitted(await this.holderOf(ctx.req, key), ctx);
    if (scope !== null) assertScope(caller, scope);
    return caller;
  };

  /** By the cookie alone, whatever the scopes of the session's key. */
  readonly authenticateSession = async (ctx: ApiContext): Promise<SessionCaller> => {
    const session = await this.sessionOf(ctx.req);
    if (!hasCsrfToken({ method: ctx.method, given: ctx.get('X-CSRF-Token') }, session.token)) {
      throw invalidCsrfToken();
    }
    return { ...this.admitted(session.holder, ctx), session };
  };

  /** @throws ApiError where the key is empty or not valid */
  async holderOf(request: IncomingMessage, key: string): Promise<KeyHolder> {
    if (key === '') throw missingApiKey();
    const holder = await this.find(request, key, (now) => clientOfKey(this.deps.db, key, now));
    if (holder === undefined) throw invalidApiKey();
    return holder;
  }

  /** @throws ApiError where the request has no cookie of a session that is valid */
  async sessionOf(request: IncomingMessage): Promise<ConsoleSession> {
    const token = this.sessionTokenOf(request);
    if (token === '') throw invalidSession();
    const session = await this.find(request, token, (now) => findSession(this.deps.db, token, now));
    if (session === undefined) throw invalidSession();
    return session;
  }

  isSecure(request: IncomingMessage): boolean {
    const { publicUrl } = this.deps.settings;
    return isSecureRequest(request, { publicUrl, proxies: this.proxies });
  }

  addressOf(request: IncomingMessage): string {
    return clientAddress(request, this.proxies);
  }

  /** The session's token in the cookie of the request; empty for none. */
  sessionTokenOf(request: IncomingMessage): string {
    return sessionTokenIn(request.headers.cookie, { isSecure: this.isSecure(request) });
  }

  /** What `lookUp` finds for the secret; above the limit of wrong ones it is called only if the secret can be valid. */
  async find<Found>(
    request: IncomingMessage,
    secret: string,
    lookUp: (now: number) => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    const now = this.deps.clock.now();
    const network = networkOf(this.addressOf(request));
    const found = (await this.wrongKeys.mayBeValid(secret, network, now)) ? await lookUp(now) : undefined;
    if (found === undefined) this.wrongKeys.count(network, now);
    return found;
  }

  admitted(holder: KeyHolder, ctx: ApiContext): Caller {
    const { keyId, keyName: _name, lastUsedAt, ...client } = holder;
    alsoConcerns({ client_id: client.id });
    ownedBy(ctx, client.id);
    this.keyUse.note(keyId, lastUsedAt?.getTime() ?? null, this.deps.clock.now());
    const { requestId } = ctx.state;
    return { ...client, actor: { kind: 'api_key', id: keyId, requestId, address: this.addressOf(ctx.req) } };
  }
}
