/** The options of `npm run agent:chat`. */
import { parseArgs, types } from 'node:util';
import type { JsonObject } from '../../domain/json';
import { UserFault } from './loaded-agent';

export interface ChatOptions {
  agent: { from: 'file'; path: string } | { from: 'api'; agentId: string; url: string; key: string };
  variables: JsonObject;
  /** Shows the requests of actions without sending them. */
  isDryRun: boolean;
}

export const USAGE = `Chats with an agent, with the same prompt, tools and guardrails as on the phone.

  npm run agent:chat -- agent.json                   an agent from a file
  npm run agent:chat -- --agent-id ID                an agent from the API

  --variable NAME=VALUE   fills {{NAME}}; can be repeated
  --dry-run               shows requests of actions without sending them
  --api-url URL           the API (default: API_URL, or http://localhost:8080)
  --api-key KEY           the API key (default: API_KEY)

Set the model with AGENT_LLM=openai/<model>, OPENAI_BASE_URL and OPENAI_API_KEY, unless the agent names its own.`;
const OPTIONS = {
  agent: { type: 'string' },
  'agent-id': { type: 'string' },
  variable: { type: 'string', multiple: true },
  'dry-run': { type: 'boolean' },
  'api-url': { type: 'string' },
  'api-key': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Returns null when the user requests help. */
export function readChatOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ChatOptions | null {
  const { values, positionals } = parsed(args);
  if (values.help === true) return null;
  const [file, ...more] = [...(values.agent === undefined ? [] : [values.agent]), ...positionals];
  if (more.length > 0) throw new UserFault('specify only one agent');
  return {
    agent: file === undefined ? fromApi(values, env) : { from: 'file', path: file },
    variables: variablesOf(values.variable ?? []),
    isDryRun: values['dry-run'] === true,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UserFault(types.isNativeError(error) ? error.message : 'the command line is invalid');
  }
}

function fromApi(
  values: { 'agent-id'?: string | undefined; 'api-url'?: string | undefined; 'api-key'?: string | undefined },
  env: Readonly<Record<string, string | undefined>>,
): ChatOptions['agent'] {
  const agentId = values['agent-id'];
  if (agentId === undefined) throw new UserFault('specify an agent: pass a file or --agent-id');
  const key = values['api-key'] ?? env.API_KEY ?? '';
  if (key === '') throw new UserFault('no API key: pass --api-key or set API_KEY');
  return { from: 'api', agentId, url: values['api-url'] ?? env.API_URL ?? 'http://localhost:8080', key };
}

function variablesOf(pairs: readonly string[]): JsonObject {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new UserFault(`--variable takes NAME=VALUE, not ${pair}`);
      return [pair.slice(0, at).trim(), pair.slice(at + 1)];
    }),
  );
}
