import { LOCAL } from './model-name';

/** An OpenAI-compatible server: OpenAI's own, or one that the environment names. */
export interface Endpoint {
  /** Null for OpenAI's own. */
  url: string | null;
  /** Null when the server needs none. */
  apiKey: string | null;
}

const NAMED = /^OPENAI_COMPATIBLE_([A-Z0-9_]+)_URL$/;

/**
 * Returns the endpoints by provider: `local` always, and `openai` when it has a key or an address. `OPENAI_COMPATIBLE_<NAME>_URL` and its
 * `_API_KEY` add the provider `<name>`, with hyphens for underscores; invalid addresses are ignored.
 */
export function readEndpoints(
  env: Readonly<Record<string, string | undefined>>,
  own: Endpoint,
  local: Endpoint,
): Record<string, Endpoint> {
  const named = Object.entries(env).flatMap(([key, url]) => {
    const name = NAMED.exec(key)?.[1];
    if (name === undefined || url === undefined || !URL.canParse(url)) return [];
    const apiKey = env[`OPENAI_COMPATIBLE_${name}_API_KEY`];
    const endpoint: Endpoint = {
      url: url.replace(/\/+$/, ''),
      apiKey: apiKey === '' ? null : (apiKey ?? null),
    };
    return [[providerNamed(name), endpoint] as const];
  });
  const isOwnKnown = own.url !== null || own.apiKey !== null;
  return { ...Object.fromEntries(named), [LOCAL]: local, ...(isOwnKnown && { openai: own }) };
}

const providerNamed = (name: string): string => name.toLowerCase().replaceAll('_', '-');
