/**
 * How API, worker and the operators' command line reach Temporal: in the clear, over TLS, with a client's certificate, or with an API
 * key. The variables are those of Temporal's own command line and SDKs; a profile of a TOML file is read only where TEMPORAL_CONFIG_FILE
 * names the file, so that what stands in somebody's home folder never decides.
 */
import { readFileSync } from 'node:fs';
import { loadClientConfigProfile, toClientOptions, type ClientConfigProfile } from '@temporalio/envconfig';
import type { TLSConfig } from '@temporalio/client';
import Joi from 'joi';
import { readEnvironment } from './environment';

export interface TemporalProfile extends ClientConfigProfile {
  address: string;
  namespace: string;
}

const DEFAULTS = { address: 'localhost:7233', namespace: 'default' };

/** What is read here; `@temporalio/envconfig` takes the other variables of Temporal's documentation too. */
const VARIABLES = {
  TEMPORAL_ADDRESS: Joi.string(),
  TEMPORAL_NAMESPACE: Joi.string(),
  TEMPORAL_CONFIG_FILE: Joi.string(),
  TEMPORAL_PROFILE: Joi.string(),
  TEMPORAL_TLS: Joi.string().lowercase().valid('true', 'false'),
  TEMPORAL_TLS_CLIENT_CERT_PATH: Joi.string(),
  TEMPORAL_TLS_CLIENT_KEY_PATH: Joi.string(),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: Joi.string(),
  TEMPORAL_TLS_SERVER_NAME: Joi.string().hostname(),
  TEMPORAL_API_KEY: Joi.string(),
};

/** The schema of a process with `temporal`, the profile that its variables make. Faults of the profile stand beside those of variables. */
export function withTemporal<Values extends { temporal: TemporalProfile }>(
  schema: Joi.ObjectSchema<Values>,
): Joi.ObjectSchema<Values> {
  return schema.concat(Joi.object(VARIABLES)).custom((values: Record<string, unknown>, helpers) => {
    const read = profileOf(values);
    return 'fault' in read ? helpers.message({ custom: read.fault }) : { ...values, temporal: read.profile };
  });
}

/** For who needs nothing else of an environment. Throws with a sentence for each fault. */
export const temporalProfileIn = (
  environment: Readonly<Record<string, string | undefined>>,
): TemporalProfile =>
  readEnvironment(withTemporal(Joi.object<{ temporal: TemporalProfile }>().unknown(true)), environment)
    .temporal;

function profileOf(values: Record<string, unknown>): { profile: TemporalProfile } | { fault: string } {
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (name.startsWith('TEMPORAL_') && typeof value === 'string') variables[name] = value;
  }
  const { TEMPORAL_CONFIG_FILE: file, ...overrideEnvVars } = variables;
  try {
    const profile = loadClientConfigProfile({
      overrideEnvVars,
      // Read here: a file that is not there is passed over by the library.
      ...(file === undefined
        ? { disableFile: true }
        : { configSource: { data: readFileSync(file) }, configFileStrict: true }),
    });
    const fault = faultOf(profile);
    return fault === null ? { profile: { ...DEFAULTS, ...profile } } : { fault };
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    return {
      fault: `${file === undefined ? 'TEMPORAL_TLS' : 'TEMPORAL_CONFIG_FILE'} cannot be used: ${reason}`,
    };
  }
}

/** What the library passes over: half of a certificate, and an API key that would go out in the clear. */
function faultOf({ tls, apiKey }: ClientConfigProfile): string | null {
  if ((tls?.clientCert === undefined) !== (tls?.clientKey === undefined)) {
    return 'TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH go together';
  }
  if (tls?.disabled !== true) return null;
  const needing = [
    ...(tls.clientCert === undefined ? [] : ['TEMPORAL_TLS_CLIENT_CERT_PATH']),
    ...(tls.serverCACert === undefined ? [] : ['TEMPORAL_TLS_SERVER_CA_CERT_PATH']),
    ...(tls.serverName === undefined ? [] : ['TEMPORAL_TLS_SERVER_NAME']),
    ...(apiKey === undefined ? [] : ['TEMPORAL_API_KEY']),
  ];
  return needing.length === 0 ? null : `TEMPORAL_TLS must not be false with ${needing.join(', ')}`;
}

/** What both of the SDK's kinds of connection take. */
export interface TemporalAccess {
  address: string;
  tls?: TLSConfig | boolean;
  apiKey?: string;
  metadata?: Record<string, string>;
}

/**
 * Reads the files of certificates once: a renewed certificate is taken up by a restart. Throws with the file's path where one cannot be
 * read.
 */
export function temporalAccess(profile: TemporalProfile): TemporalAccess {
  try {
    const { tls } = toClientOptions(profile).connectionOptions;
    return {
      address: profile.address,
      ...(tls === undefined || tls === null ? {} : { tls }),
      ...(profile.apiKey === undefined ? {} : { apiKey: profile.apiKey }),
      ...(profile.grpcMeta === undefined ? {} : { metadata: profile.grpcMeta }),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`A certificate or key for Temporal cannot be read: ${reason}`, { cause: error });
  }
}
