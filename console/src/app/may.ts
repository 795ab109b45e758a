import type { ConsoleSession } from '../../../sdk/typescript/generated';
import { useSession } from './session';

type Scope = ConsoleSession['scopes'][number];

/** Whether the key of the session may do it: what would only be refused is not offered. The API looks again. */
export const useMay = (scope: Scope): boolean => useSession(true).data?.scopes.includes(scope) ?? false;
