import type { ApiKey } from '../../../sdk/typescript/generated';

export type Scope = ApiKey['scopes'][number];

export const SCOPES = ['read', 'operate', 'configure'] as const satisfies readonly Scope[];

export const SCOPE_HELP: Record<Scope, string> = {
  read: 'See campaigns, calls, agents and reports',
  operate: 'Call people; start, change and stop campaigns; redeliver webhooks',
  configure: 'Change agents; create and revoke keys and secrets',
};

export const scopesOf = (scopes: readonly Scope[]): string =>
  scopes.length === SCOPES.length ? 'Everything' : SCOPES.filter((each) => scopes.includes(each)).join(', ');
