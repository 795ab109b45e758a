/** Settings and requests of the textbook program. */
import { Agent } from 'node:http';
import fetch from 'node-fetch';

/** @throws Error if the variable is not set */
export function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

const agent = new Agent({ keepAlive: true });

/** @throws Error if the status is not 2xx */
export async function post(url: string, body: object, headers: Record<string, string> = {}): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    agent,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  await response.text();
  if (!response.ok) throw new Error(`the server returned ${response.status}`);
}
