/** Loads an agent for a text conversation from a file or from the API, and builds its call context. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { types } from 'node:util';
import { type AgentConfig, hasCustomLlm, maxTalkSeconds, resolveConfig } from '../../domain/agent-config';
import { templateVariables } from '../../domain/effective-config';
import { isJsonObject, valueAt, type JsonObject } from '../../domain/json';
import { SECRET_MASK } from '../../domain/secret-mask';
import type { CallContext } from '../platform/call-context';

const SECTIONS = ['persona', 'training', 'experience', 'analysis', 'deployment'];
const RESPONSE_TIMEOUT_MS = 10_000;

export interface LoadedAgent {
  name: string;
  config: AgentConfig;
}

/** An error that the user of the command can fix. */
export class UserFault extends Error {}

/** Accepts the request body of create-agent, the response of `GET /api/agent/{id}`, or only the sections. */
export function readAgent(value: unknown, unnamed: string): LoadedAgent {
  const name = [
    valueAt(value, 'agent_display_name'),
    valueAt(value, 'display_name'),
    valueAt(value, 'agent_name'),
  ];
  const config = isJsonObject(valueAt(value, 'config')) ? valueAt(value, 'config') : value;
  if (!isJsonObject(config) || !SECTIONS.some((section) => isJsonObject(config[section])))
    throw new UserFault(
      `${unnamed} is not an agent: it must have at least one of the sections ${SECTIONS.join(', ')}`,
    );
  const named = name.find((text): text is string => typeof text === 'string' && text !== '');
  return { name: named ?? unnamed, config };
}

export async function readJsonFile(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const code = types.isNativeError(error) && 'code' in error ? String(error.code) : 'unknown error';
    throw new UserFault(`${path} cannot be read: ${code}`);
  });
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new UserFault(
      `${path} is not valid JSON: ${types.isNativeError(error) ? error.message : 'unknown error'}`,
    );
  }
}

/** Returns the number of secrets that the API has masked. Servers reject requests that contain a masked secret. */
export function maskedSecrets(part: unknown): number {
  if (part === SECRET_MASK) return 1;
  const parts = typeof part === 'object' && part !== null ? Object.values(part) : [];
  return parts.reduce((sum: number, each) => sum + maskedSecrets(each), 0);
}

interface ApiAddress {
  url: string;
  key: string;
}

/** Fetches an agent by id or name. */
export async function fetchAgent({ url, key }: ApiAddress, agentId: string): Promise<LoadedAgent> {
  const address = `${url.replace(/\/+$/, '')}/api/agent/${encodeURIComponent(agentId)}`;
  let response: Response;
  try {
    response = await fetch(address, {
      headers: { 'X-API-Key': key },
      redirect: 'error',
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
  } catch {
    // The connection was refused or timed out, or the address is invalid.
    throw new UserFault(`the API at ${url} isn't responding: start it or check --api-url`);
  }
  if (response.status === 401) throw new UserFault('the API rejected the key: check --api-key or API_KEY');
  if (!response.ok)
    throw new UserFault(`the API has no agent ${agentId} for this key (status ${response.status})`);
  return readAgent(await response.json(), agentId);
}

/**
 * Builds the call context that a call of this agent would have. `variables` are those of a contact or a dispatch, including the person's
 * `name`.
 */
export function textCallContext({ name, config: stored }: LoadedAgent, variables: JsonObject): CallContext {
  const config = resolveConfig(stored);
  return {
    callId: `text-${randomBytes(8).toString('hex')}`,
    medium: 'webrtc',
    direction: 'Outbound',
    agent: { name, config },
    variables: templateVariables(config, { variables, name: null }),
    session: null,
    maxTalkMs: maxTalkSeconds(config) * 1000,
    ringTimeoutMs: 0,
    amd: false,
    disclosure: '',
    customLlm: hasCustomLlm(config)
      ? { x_agent_id: null, modify_agent: null, contact_number: null, metadata: variables }
      : null,
  };
}
