/** What the programs that the platform is compared with have in common: their settings and their requests. */
import { Agent } from 'node:http';
import fetch from 'node-fetch';

/** @throws Error for a variable that is not set */
export function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

const agent = new Agent({ keepAlive: true });

/** @throws Error unless the answer is a success */
export async function post(url: string, body: object, headers: Record<string, string> = {}): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    agent,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  await response.text();
  if (!response.ok) throw new Error(`answered ${response.status}`);
}
