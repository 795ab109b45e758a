import type { ConsoleSession } from '../../../sdk/typescript/generated';
import { useSession } from './session';

type Scope = ConsoleSession['scopes'][number];

/** What the person's key may do: what it may not is not offered. The API decides it all the same. */
export function useMay(): (scope: Scope) => boolean {
  const { data: session } = useSession(true);
  return (scope) => session?.scopes.includes(scope) === true;
}
