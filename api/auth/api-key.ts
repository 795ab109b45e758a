import { clientOfKey } from '../../db/api-keys';
import type { Client } from '../../db/clients';
import type { ApiDependencies } from '../dependencies';
import { invalidApiKey, missingApiKey } from '../errors/refusals';
import type { ApiContext } from '../pipeline';

export type Authenticate = (ctx: ApiContext) => Promise<Client>;

/** The client whose key the X-API-Key header carries. */
export function apiKey({ db, clock }: Pick<ApiDependencies, 'db' | 'clock'>): Authenticate {
  return async (ctx) => {
    const key = ctx.get('X-API-Key').trim();
    if (key === '') throw missingApiKey();
    const client = await clientOfKey(db, key, clock.now());
    if (client === undefined) throw invalidApiKey();
    ctx.state.clientId = client.id;
    return client;
  };
}
