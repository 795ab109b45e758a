import type { ConsoleSession } from '../../../sdk/typescript/generated';
import { useSession } from './session';

export type Scope = ConsoleSession['scopes'][number];

const NONE: readonly Scope[] = [];

/** Those of the key of the session. */
export const useScopes = (): readonly Scope[] => useSession(true).data?.scopes ?? NONE;

/** Whether the key of the session may do it: what would only be refused is not offered. The API looks again. */
export const useMay = (scope: Scope): boolean => useScopes().includes(scope);
