import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { derivedSecret, type Secrets } from './secrets';

export type Environment = NodeJS.ProcessEnv;

/** Variables for one process that override those of the stack. */
export type Overrides = Partial<Record<'all' | 'api' | 'worker' | 'simulator' | 'agent', Environment>>;

/**
 * How calls are made: `http` uses the carrier protocol, `livekit` uses LiveKit, and `browser` uses LiveKit for browser sessions and the
 * carrier protocol for phone calls.
 */
export type StackTelephony = 'http' | 'livekit' | 'browser';

/** How the platform reaches LiveKit. */
export type LivekitAccess = {
  url: string;
  /** The URL for browsers. */
  publicUrl: string;
  apiKey: string;
  apiSecret: string;
};

type Addresses = {
  databaseUrl: string;
  temporalAddress: string;
  /** Web UI of the Temporal server that the stack started. */
  temporalUiUrl?: string | undefined;
  carrierUrl: string;
  /** Base URL of the API, for API clients and the carrier. */
  apiUrl: string;
  /** URL of the mail catcher. If absent, the user's environment decides whether the platform sends e-mails. */
  smtpUrl?: string | undefined;
};

const LOCAL_SENDER = 'Voice agent platform <calls@localhost>';

/**
 * Builds the environment of the platform's processes. The stack's addresses and data folder override `environment`, and `overrides`
 * overrides both.
 */
export function platformEnvironment(options: {
  environment: Environment;
  addresses: Addresses;
  secrets: Secrets;
  dataFolder: string;
  overrides: Overrides;
  livekit?: LivekitAccess | undefined;
  /** Only used with LiveKit; `livekit` by default. */
  telephony?: StackTelephony | undefined;
}): Environment {
  const { environment, addresses, secrets, livekit, telephony = 'livekit' } = options;
  return {
    ...environment,
    HOST: environment.HOST || '127.0.0.1',
    PUBLIC_URL: environment.PUBLIC_URL || addresses.apiUrl,
    DATABASE_URL: addresses.databaseUrl,
    TEMPORAL_ADDRESS: addresses.temporalAddress,
    TEMPORAL_NAMESPACE: environment.TEMPORAL_NAMESPACE || 'default',
    ...(addresses.temporalUiUrl === undefined ? {} : { TEMPORAL_WEB_UI: addresses.temporalUiUrl }),
    TELEPHONY: environment.TELEPHONY || 'http',
    CARRIER_URL: addresses.carrierUrl,
    CARRIER_SECRET: environment.CARRIER_SECRET || secrets.carrierSecret,
    AGENT_SECRET: environment.AGENT_SECRET || derivedSecret(secrets, 'agent'),
    SECRETS_KEY: environment.SECRETS_KEY || secrets.secretsKey,
    DATA_DIR: options.dataFolder,
    ...(addresses.smtpUrl === undefined
      ? {}
      : {
          SMTP_URL: addresses.smtpUrl,
          MAIL_FROM: environment.MAIL_FROM || LOCAL_SENDER,
          // Any recipient is safe, because the mail catcher keeps all e-mails on this machine.
          MAIL_CONFIRMED_DOMAINS: environment.MAIL_CONFIRMED_DOMAINS || '*',
        }),
    ...(livekit === undefined ? {} : livekitEnvironment(livekit, telephony)),
    ...options.overrides.all,
  };
}

function livekitEnvironment(
  { url, publicUrl, apiKey, apiSecret }: LivekitAccess,
  telephony: StackTelephony,
): Environment {
  return {
    TELEPHONY: telephony === 'livekit' ? 'livekit' : 'http',
    LIVEKIT_URL: url,
    LIVEKIT_PUBLIC_URL: publicUrl,
    LIVEKIT_API_KEY: apiKey,
    LIVEKIT_API_SECRET: apiSecret,
  };
}

const IN_FILE = [
  'DATABASE_URL',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'TEMPORAL_WEB_UI',
  'TELEPHONY',
  'CARRIER_URL',
  'CARRIER_SECRET',
  'AGENT_SECRET',
  'SECRETS_KEY',
  'PUBLIC_URL',
  'HOST',
  'DATA_DIR',
  'SMTP_URL',
  'MAIL_FROM',
  'LIVEKIT_URL',
  'LIVEKIT_PUBLIC_URL',
  'LIVEKIT_API_KEY',
  'LIVEKIT_API_SECRET',
  'LIVEKIT_SIP_TRUNK_ID',
] as const;

/** Writes the running platform's variables for `node --env-file`, so that you can start any process by hand. */
export async function writeEnvironmentFile(folder: string, environment: Environment): Promise<string> {
  const file = join(folder, 'platform.env');
  const lines = IN_FILE.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [`${name}='${value}'`];
  });
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  return file;
}
