/**
 * Reads how API, worker and admin command line connect to Temporal, from the variables of Temporal's own command line and SDKs. A TOML
 * profile is read only if TEMPORAL_CONFIG_FILE names the file, so that a file in a home folder never decides.
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

/** Variables that are read here. `@temporalio/envconfig` reads the others of Temporal's documentation. */
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

/** Adds `temporal`, the profile, to a process's schema, so that one error lists faults of the profile and of variables. */
export function withTemporal<Values extends { temporal: TemporalProfile }>(
  schema: Joi.ObjectSchema<Values>,
): Joi.ObjectSchema<Values> {
  return schema.concat(Joi.object(VARIABLES)).custom((values: Record<string, unknown>, helpers) => {
    const read = profileOf(values);
    return 'fault' in read ? helpers.message({ custom: read.fault }) : { ...values, temporal: read.profile };
  });
}

/** Reads only the Temporal profile. @throws Error with a sentence per fault */
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
      // Reads the file here, because the library ignores a missing one.
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

/** Checks what the library doesn't: half of a certificate, and an API key over a connection without TLS. */
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

/** Options that both kinds of SDK connection accept. */
export interface TemporalAccess {
  address: string;
  tls?: TLSConfig | boolean;
  apiKey?: string;
  metadata?: Record<string, string>;
}

/**
 * Reads the certificate files once, so a renewed certificate needs a restart. @throws Error with the file's path if a file can't be
 * read
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
    throw new Error(`Cannot read a certificate or key for Temporal: ${reason}`, { cause: error });
  }
}
