/** Settings of the MCP server, read once from the environment. An empty variable counts as unset, and one error names every fault. */
export interface McpSettings {
  /** Base URL of the API, without a trailing slash. */
  apiUrl: string;
  transport: Transport;
  logLevel: string;
  /** Lets the model itself confirm a change when the client cannot ask the person. */
  modelConfirms: boolean;
}

export type Transport =
  | { kind: 'stdio'; apiKey: string }
  /** Each request brings its own key. */
  | { kind: 'http'; host: string; port: number; allowedHosts: string[] };

type Environment = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

export function readMcpSettings(kind: Transport['kind'], env: Environment): McpSettings {
  const faults: string[] = [];
  const text = (name: string, fallback: string): string => env[name] || fallback;

  const apiUrl = text('VOICE_API_URL', 'http://127.0.0.1:8080').replace(/\/+$/, '');
  const scheme = URL.canParse(apiUrl) ? new URL(apiUrl).protocol : '';
  if (scheme !== 'http:' && scheme !== 'https:')
    faults.push('VOICE_API_URL must be an address with http: or https:');
  const logLevel = text('LOG_LEVEL', 'info');
  if (!LOG_LEVELS.includes(logLevel)) faults.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}`);
  const apiKey = text('VOICE_API_KEY', '');
  if (kind === 'stdio' && apiKey === '')
    faults.push('VOICE_API_KEY is required: an API key with the scope read');
  const port = Number(text('MCP_PORT', '8090'));
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    faults.push('MCP_PORT must be a whole number from 0 to 65535');
  const confirms = text('MCP_MODEL_CONFIRMS', 'false');
  if (confirms !== 'true' && confirms !== 'false') faults.push('MCP_MODEL_CONFIRMS must be true or false');
  const allowedHosts = text('MCP_ALLOWED_HOSTS', '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  const host = text('MCP_HOST', '127.0.0.1');
  if (faults.length > 0)
    throw new Error(`The environment is incomplete:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  const transport: Transport = kind === 'stdio' ? { kind, apiKey } : { kind, host, port, allowedHosts };
  return { apiUrl, transport, logLevel, modelConfirms: confirms === 'true' };
}
