import { clientOfKey } from '../../../db/clients/api-keys';
import type { Actor } from '../../../db/clients/audit';
import type { Client } from '../../../db/clients/clients';
import type { Db } from '../../../db/kernel/connection';
import type { Clock } from '../../../runtime/clock';
import type { ApiContext } from '../endpoint/context';
import { invalidApiKey, missingApiKey } from '../errors/refusals';
import { alsoConcerns } from '../log';
import { clientAddress, networkOf, trustedProxies } from './client-address';
import { WrongKeys } from './wrong-keys';

/** The client that asks, and by which key, for the audit. */
export interface Caller extends Client {
  actor: Actor;
}

export type Authenticate = (ctx: ApiContext) => Promise<Caller>;

interface Dependencies {
  db: Db;
  clock: Clock;
  settings: { trustedProxies: string[] };
}

/** The client whose key the X-API-Key header carries. Wrong ones are counted by the network of the client's address. */
export function apiKey({ db, clock, settings }: Dependencies): Authenticate {
  const wrongKeys = new WrongKeys(db);
  const proxies = trustedProxies(settings.trustedProxies);
  if (proxies === null) throw new TypeError('a trusted proxy is neither an address nor a network');
  return async (ctx) => {
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
    const { keyId, ...client } = found;
    alsoConcerns({ client_id: client.id });
    return { ...client, actor: { kind: 'api_key', id: keyId, requestId: ctx.state.requestId } };
  };
}
