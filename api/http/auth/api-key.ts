import type { IncomingMessage } from 'node:http';
import {
  organizationOfKey,
  type KeyHolder,
  type Scope,
  validKeyHashPrefixes,
  type KeyHashPrefixes,
  LAST_USED_PRECISION_MS,
  noteKeyUse,
} from '../../../db/organizations/api-keys';
import type { Actor } from '../../../db/organizations/audit';
import type { Organization } from '../../../db/organizations/organizations';
import { findSession, type ConsoleSession } from '../../../db/organizations/console-tokens';
import type { Db } from '../../../db/kernel/connection';
import type { Clock } from '../../../runtime/clock';
import type { ApiContext } from '../context';
import {
  insufficientScope,
  invalidApiKey,
  invalidCsrfToken,
  invalidSession,
  missingApiKey,
} from '../errors/refusals';
import { alsoConcerns } from '../log';
import { trustedProxies } from '../../../config/trusted-proxies';
import { clientAddress, isSecureRequest, networkOf } from './client-address';
import { hasCsrfToken, sessionTokenIn } from './session-cookie';

/** The organization that sent the request. `actor` names the key for the audit log. */
export interface ApiClient extends Organization {
  actor: Actor;
  /** Scopes of the key; null allows everything. */
  scopes: readonly Scope[] | null;
  /** Set if the request used a session instead of a key. */
  session?: ConsoleSession;
}

/** An API client with a console session. */
export interface SessionClient extends ApiClient {
  session: ConsoleSession;
}

/** Authenticates a request whose key has the scope. If the scope is null, any key is accepted. */
export type Authenticate = (ctx: ApiContext, scope: Scope | null) => Promise<ApiClient>;

/** Checks an additional scope that only some requests to an endpoint need. */
export function assertScope({ scopes }: Pick<ApiClient, 'scopes'>, needed: Scope): void {
  if (scopes !== null && !scopes.includes(needed)) throw insufficientScope(needed);
}

interface Dependencies {
  db: Db;
  clock: Clock;
  settings: { trustedProxies: string[]; publicUrl: string };
}

/** Looks up API keys, session tokens and sign-in tokens. Counts wrong ones per network of the client's address. */
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

  /** Identifies the API client by the X-API-Key header or, without that header, by the session cookie. */
  readonly authenticate: Authenticate = async (ctx, scope) => {
    const key = ctx.get('X-API-Key').trim();
    const client =
      key === '' && this.sessionTokenOf(ctx.req) !== ''
        ? await this.authenticateSession(ctx)
        : this.admitted(await this.holderOf(ctx.req, key), ctx);
    if (scope !== null) assertScope(client, scope);
    return client;
  };

  /** Accepts the session cookie only. Doesn't check scopes. */
  readonly authenticateSession = async (ctx: ApiContext): Promise<SessionClient> => {
    const session = await this.sessionOf(ctx.req);
    if (!hasCsrfToken({ method: ctx.method, given: ctx.get('X-CSRF-Token') }, session.token)) {
      throw invalidCsrfToken();
    }
    return { ...this.admitted(session.holder, ctx), session };
  };

  /** @throws ApiError if the key is missing or invalid */
  async holderOf(request: IncomingMessage, key: string): Promise<KeyHolder> {
    if (key === '') throw missingApiKey();
    const holder = await this.find(request, key, (now) => organizationOfKey(this.deps.db, key, now));
    if (holder === undefined) throw invalidApiKey();
    return holder;
  }

  /** @throws ApiError if the request has no cookie of a valid session */
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

  /** Returns the session token from the request's cookie, or an empty string. */
  sessionTokenOf(request: IncomingMessage): string {
    return sessionTokenIn(request.headers.cookie, { isSecure: this.isSecure(request) });
  }

  /** Runs `lookUp`. Once the network has sent too many wrong secrets, runs it only for a secret that may be valid. */
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

  admitted(holder: KeyHolder, ctx: ApiContext): ApiClient {
    const { keyId, keyName: _name, lastUsedAt, ...organization } = holder;
    alsoConcerns({ organization_id: organization.id });
    ctx.state.bodyOwner = { organization: organization.id };
    this.keyUse.note(keyId, lastUsedAt?.getTime() ?? null, this.deps.clock.now());
    const { requestId } = ctx.state;
    return {
      ...organization,
      actor: { kind: 'api_key', id: keyId, requestId, address: this.addressOf(ctx.req) },
    };
  }
}

const WINDOW_MS = 60_000;
/** Wrong keys from one address that are looked up per window. A misconfigured client sends fewer before its operator notices. */
export const MAX_WRONG_KEYS = 20;
/** The least recently used addresses are dropped. An entry takes about 100 bytes. */
const MAX_ADDRESSES = 10_000;
/** How long the marks of valid keys are cached. From an address above the limit, a new key can fail for this long. */
const PREFIXES_KEPT_MS = 2_000;

interface Window {
  failures: number;
  endsAt: number;
}

/**
 * Keeps wrong keys from loading the database. Above its address's limit, a key is looked up only if its hash prefix matches a valid key; all prefixes
 * are read at most every two seconds. Valid keys from that address keep working, and revoked ones stay rejected.
 */
export class WrongKeys {
  private readonly windows = new Map<string, Window>();
  private prefixes: { read: Promise<KeyHashPrefixes>; at: number } | null = null;

  constructor(
    private readonly db: Db,
    private readonly maxAddresses: number = MAX_ADDRESSES,
  ) {}

  /** Returns false if the key is certainly wrong. Throws if the database is down. */
  async mayBeValid(key: string, address: string, now: number): Promise<boolean> {
    const window = this.windows.get(address);
    if (window === undefined || window.endsAt <= now || window.failures < MAX_WRONG_KEYS) return true;
    return (await this.validPrefixes(now)).has(key);
  }

  /** Counts a wrong key. The first wrong key starts a window. */
  count(address: string, now: number): void {
    const known = this.windows.get(address);
    const window =
      known === undefined || known.endsAt <= now ? { failures: 0, endsAt: now + WINDOW_MS } : known;
    window.failures += 1;
    // Re-insert it at the end, so that the map's first entry is the least recently used.
    this.windows.delete(address);
    this.windows.set(address, window);
    if (this.windows.size <= this.maxAddresses) return;
    for (const oldest of this.windows.keys()) {
      this.windows.delete(oldest);
      return;
    }
  }

  private validPrefixes(now: number): Promise<KeyHashPrefixes> {
    if (this.prefixes !== null && Math.abs(now - this.prefixes.at) < PREFIXES_KEPT_MS)
      return this.prefixes.read;
    const prefixes = { read: validKeyHashPrefixes(this.db, now), at: now };
    this.prefixes = prefixes;
    prefixes.read.catch(() => {
      if (this.prefixes === prefixes) this.prefixes = null;
    });
    return prefixes.read;
  }
}

/**
 * Records when a key was last used, to the minute, without delaying or failing requests. A failed write is retried after a minute, so a row
 * that can't be written costs at most one connection a minute.
 */
class KeyUse {
  /** Earliest time of the next write, by key id. Holds only keys whose write is in progress or failed. */
  private readonly nextWriteAt = new Map<string, number>();

  constructor(private readonly db: Db) {}

  note(keyId: string, lastUsedAt: number | null, now: number): void {
    if (lastUsedAt !== null && now - lastUsedAt < LAST_USED_PRECISION_MS) return;
    if ((this.nextWriteAt.get(keyId) ?? -Infinity) > now) return;
    this.nextWriteAt.set(keyId, now + LAST_USED_PRECISION_MS);
    noteKeyUse(this.db, keyId, now).then(
      () => this.nextWriteAt.delete(keyId),
      () => undefined,
    );
  }
}
