/**
 * Reads how the API, the worker and the admin command line connect to Temporal, from the same variables as Temporal's own command line and
 * SDKs. A TOML profile is read only if TEMPORAL_CONFIG_FILE names the file, so that a file in a home folder has no effect.
 */
import { readFileSync } from 'node:fs';
import { loadClientConfigProfile, toClientOptions, type ClientConfigProfile } from '@temporalio/envconfig';
import type { TLSConfig } from '@temporalio/client';

export interface TemporalProfile extends ClientConfigProfile {
  address: string;
  namespace: string;
}

const DEFAULTS = { address: 'localhost:7233', namespace: 'default' };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the variables that Temporal documents. If there are faults, returns the default profile. Each fault begins with the name of a
 * variable.
 */
export function temporalProfile(env: Environment): { profile: TemporalProfile; faults: string[] } {
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (name.startsWith('TEMPORAL_') && value !== undefined && value !== '') variables[name] = value;
  }
  if (variables.TEMPORAL_TLS !== undefined) variables.TEMPORAL_TLS = variables.TEMPORAL_TLS.toLowerCase();
  const wrong = wrongValuesIn(variables);
  const read = wrong.length > 0 ? wrong : profileOf(variables);
  return Array.isArray(read) ? { profile: DEFAULTS, faults: read } : { profile: read, faults: [] };
}

/**
 * Reads only the Temporal profile.
 * @throws Error with one sentence per fault
 */
export function temporalProfileIn(env: Environment): TemporalProfile {
  const { profile, faults } = temporalProfile(env);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return profile;
}

function wrongValuesIn({
  TEMPORAL_TLS: tls,
  TEMPORAL_TLS_SERVER_NAME: name,
}: Record<string, string>): string[] {
  const isName = name === undefined || /^[a-z0-9]([\w.:-]*[a-z0-9])?$/i.test(name);
  return [
    ...(tls === undefined || ['true', 'false'].includes(tls)
      ? []
      : ['TEMPORAL_TLS must be one of [true, false]']),
    ...(isName ? [] : ['TEMPORAL_TLS_SERVER_NAME must be a valid hostname']),
  ];
}

/** Returns the profile. If there are faults, returns those. */
function profileOf(variables: Record<string, string>): TemporalProfile | string[] {
  const { TEMPORAL_CONFIG_FILE: file, ...overrideEnvVars } = variables;
  try {
    const profile = loadClientConfigProfile({
      overrideEnvVars,
      // Read the file here, because the library ignores a missing one.
      ...(file === undefined
        ? { disableFile: true }
        : { configSource: { data: readFileSync(file) }, configFileStrict: true }),
    });
    const fault = faultOf(profile);
    return fault === null ? { ...DEFAULTS, ...profile } : [fault];
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    return [`${file === undefined ? 'TEMPORAL_TLS' : 'TEMPORAL_CONFIG_FILE'} cannot be used: ${reason}`];
  }
}

/** Checks two things that the library doesn't: half of a certificate, and an API key over a connection without TLS. */
function faultOf({ tls, apiKey }: ClientConfigProfile): string | null {
  if ((tls?.clientCert === undefined) !== (tls?.clientKey === undefined)) {
    return 'TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH must be set together';
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
 * Reads the certificate files once, so a renewed certificate takes effect only after a restart.
 * @throws Error with the file's path if a file can't be read
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
