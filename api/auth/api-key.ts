import { clientOfKey } from '../../db/api-keys';
import type { Actor } from '../../db/audit';
import type { Client } from '../../db/clients';
import type { ApiDependencies } from '../dependencies';
import type { ApiContext } from '../endpoint/context';
import { invalidApiKey, missingApiKey } from '../errors/refusals';
import { alsoConcerns } from '../log';

/** The client that asks, and by which key, for the audit. */
export interface Caller extends Client {
  actor: Actor;
}

export type Authenticate = (ctx: ApiContext) => Promise<Caller>;

/** The client whose key the X-API-Key header carries. */
export function apiKey({ db, clock }: Pick<ApiDependencies, 'db' | 'clock'>): Authenticate {
  return async (ctx) => {
    const key = ctx.get('X-API-Key').trim();
    if (key === '') throw missingApiKey();
    const found = await clientOfKey(db, key, clock.now());
    if (found === undefined) throw invalidApiKey();
    const { keyId, ...client } = found;
    alsoConcerns({ client_id: client.id });
    return { ...client, actor: { kind: 'api_key', id: keyId, requestId: ctx.state.requestId } };
  };
}
