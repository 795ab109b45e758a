/** Settings of the MCP server. `config/tools.ts` documents each variable. */
import { readVariables, type Environment } from '../config/read';
import { CONNECTIONS } from '../config/connections';
import { TOOLS } from '../config/tools';

export type Transport =
  | { kind: 'stdio'; apiKey: string }
  /** Each request carries its own key. */
  | { kind: 'http'; host: string; port: number; allowedHosts: string[] };

const VARIABLES = { ...CONNECTIONS, ...TOOLS };

/** @throws a single error that lists every fault */
export function readMcpSettings(kind: Transport['kind'], env: Environment) {
  if (kind === 'stdio') {
    const { values, settings } = readVariables(VARIABLES, 'mcp', env);
    return { ...settings, transport: { kind, apiKey: values.VOICE_API_KEY } satisfies Transport };
  }
  const { values, settings } = readVariables(VARIABLES, 'mcp-http', env);
  const { MCP_HOST: host, MCP_PORT: port, MCP_ALLOWED_HOSTS: allowedHosts } = values;
  return { ...settings, transport: { kind, host, port, allowedHosts } satisfies Transport };
}
