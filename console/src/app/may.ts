import type { ConsoleSession } from '../../../sdk/typescript/generated';
import { useSession } from './session';

export type Scope = ConsoleSession['scopes'][number];

const NONE: readonly Scope[] = [];

/** Scopes of the session's key. */
export const useScopes = (): readonly Scope[] => useSession(true).data?.scopes ?? NONE;

/** True if the session's key has the scope. Pages use it to hide actions that the API would reject. */
export const useMay = (scope: Scope): boolean => useScopes().includes(scope);
