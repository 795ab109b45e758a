import { clientOfKey, type Scope } from '../../../db/clients/api-keys';
import type { Actor } from '../../../db/clients/audit';
import type { Client } from '../../../db/clients/clients';
import type { Db } from '../../../db/kernel/connection';
import type { Clock } from '../../../runtime/clock';
import type { ApiContext } from '../endpoint/context';
import { insufficientScope, invalidApiKey, missingApiKey } from '../errors/refusals';
import { alsoConcerns } from '../log';
import { clientAddress, networkOf, trustedProxies } from './client-address';
import { KeyUse } from './key-use';
import { WrongKeys } from './wrong-keys';

/** The client that asks, and by which key, for the audit. */
export interface Caller extends Client {
  actor: Actor;
  /** Of the key; null for all. */
  scopes: readonly Scope[] | null;
}

export type Authenticate = (ctx: ApiContext, scope: Scope) => Promise<Caller>;

/** For what only some requests to an endpoint do, beside the endpoint's own scope. */
export function assertScope({ scopes }: Pick<Caller, 'scopes'>, needed: Scope): void {
  if (scopes !== null && !scopes.includes(needed)) throw insufficientScope(needed);
}

interface Dependencies {
  db: Db;
  clock: Clock;
  settings: { trustedProxies: string[] };
}

/** The client whose key the X-API-Key header carries, if the key has the scope. Wrong ones are counted by the network of the client's address. */
export function apiKey({ db, clock, settings }: Dependencies): Authenticate {
  const wrongKeys = new WrongKeys(db);
  const keyUse = new KeyUse(db);
  const proxies = trustedProxies(settings.trustedProxies);
  if (proxies === null) throw new TypeError('a trusted proxy is neither an address nor a network');
  return async (ctx, scope) => {
    const key = ctx.get('X-API-Key').trim();
    if (key === '') throw missingApiKey();
    const now = clock.now();
    const network = networkOf(clientAddress(ctx.req, proxies));
    const found = (await wrongKeys.mayBeValid(key, network, now))
      ? await clientOfKey(db, key, now)
      : undefined;
    if (found === undefined) {
      wrongKeys.count(network, now);
      throw invalidApiKey();
    }
    const { keyId, lastUsedAt, ...client } = found;
    alsoConcerns({ client_id: client.id });
    keyUse.note(keyId, lastUsedAt?.getTime() ?? null, now);
    assertScope(client, scope);
    return { ...client, actor: { kind: 'api_key', id: keyId, requestId: ctx.state.requestId } };
  };
}
