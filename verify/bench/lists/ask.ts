import type { Place } from './list-servers';

/** @throws Error if the status is not 2xx */
export async function ask({ apiUrl, key }: Place, path: string): Promise<unknown> {
  const response = await fetch(`${apiUrl}${path}`, {
    headers: { 'X-API-Key': key },
    signal: AbortSignal.timeout(10_000),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`GET ${path} returned ${response.status}: ${answer.slice(0, 500)}`);
  return JSON.parse(answer);
}
