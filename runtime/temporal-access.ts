/** How API, worker and the operators' command line reach Temporal: in the clear, over TLS, with a client's certificate, or with an API key. */
import type Joi from 'joi';

export interface TemporalSecurity {
  /** Null: in the clear. */
  tls: TlsSettings | null;
  /** Never goes out without TLS. */
  apiKey: string | null;
}

/** Paths of PEM files, each null where the SDK's own way holds. */
export interface TlsSettings {
  certificatePath: string | null;
  keyPath: string | null;
  /** Whom to trust; the system's authorities unless set. */
  authorityPath: string | null;
  /** The name that the server's certificate must hold; that of the address unless set. */
  serverName: string | null;
}

/** The variables, named as Temporal's own command line names them. */
export interface TemporalSecurityVariables {
  TEMPORAL_TLS?: boolean;
  TEMPORAL_TLS_CLIENT_CERT_PATH?: string;
  TEMPORAL_TLS_CLIENT_KEY_PATH?: string;
  TEMPORAL_TLS_SERVER_CA_CERT_PATH?: string;
  TEMPORAL_TLS_SERVER_NAME?: string;
  TEMPORAL_API_KEY?: string;
}

const IMPLY_TLS = [
  'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_KEY_PATH',
  'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  'TEMPORAL_TLS_SERVER_NAME',
  'TEMPORAL_API_KEY',
] as const;

/** The rules over several variables, for the schema of each process: a certificate with its key, and TLS not off where something needs it. */
export function withTemporalRules<Values extends TemporalSecurityVariables>(
  schema: Joi.ObjectSchema<Values>,
): Joi.ObjectSchema<Values> {
  return schema.custom((values: Values, helpers) => {
    const fault = faultOf(values);
    return fault === null ? values : helpers.message({ custom: fault });
  });
}

function faultOf(values: TemporalSecurityVariables): string | null {
  const { TEMPORAL_TLS_CLIENT_CERT_PATH: certificate, TEMPORAL_TLS_CLIENT_KEY_PATH: key } = values;
  if ((certificate === undefined) !== (key === undefined)) {
    return 'TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH go together';
  }
  const needing = values.TEMPORAL_TLS === false ? IMPLY_TLS.filter((name) => values[name] !== undefined) : [];
  return needing.length === 0 ? null : `TEMPORAL_TLS must not be false with ${needing.join(', ')}`;
}

/** TLS is on where it is asked for, and where anything is set that has a meaning with it only. */
export function temporalSecurity(values: TemporalSecurityVariables): TemporalSecurity {
  const apiKey = values.TEMPORAL_API_KEY ?? null;
  if (values.TEMPORAL_TLS !== true && IMPLY_TLS.every((name) => values[name] === undefined)) {
    return { tls: null, apiKey };
  }
  return {
    tls: {
      certificatePath: values.TEMPORAL_TLS_CLIENT_CERT_PATH ?? null,
      keyPath: values.TEMPORAL_TLS_CLIENT_KEY_PATH ?? null,
      authorityPath: values.TEMPORAL_TLS_SERVER_CA_CERT_PATH ?? null,
      serverName: values.TEMPORAL_TLS_SERVER_NAME ?? null,
    },
    apiKey,
  };
}

/** What both of the SDK's kinds of connection take. */
export interface TemporalAccess {
  address: string;
  tls?: {
    serverNameOverride?: string;
    serverRootCACertificate?: Uint8Array;
    clientCertPair?: { crt: Uint8Array; key: Uint8Array };
  };
  apiKey?: string;
}

/**
 * Reads the files once: a renewed certificate is taken up by a restart. Throws with the variable's name where a file cannot be read.
 */
export function temporalAccess(
  settings: { temporalAddress: string; temporalSecurity: TemporalSecurity },
  readFile: (path: string) => Uint8Array,
): TemporalAccess {
  const { tls, apiKey } = settings.temporalSecurity;
  return {
    address: settings.temporalAddress,
    ...(tls === null ? {} : { tls: tlsOptions(tls, reader(readFile)) }),
    ...(apiKey === null ? {} : { apiKey }),
  };
}

type NamedReader = (variable: keyof TemporalSecurityVariables, path: string) => Uint8Array;

function tlsOptions(tls: TlsSettings, read: NamedReader): NonNullable<TemporalAccess['tls']> {
  const { certificatePath, keyPath, authorityPath, serverName } = tls;
  return {
    ...(serverName === null ? {} : { serverNameOverride: serverName }),
    ...(authorityPath === null
      ? {}
      : { serverRootCACertificate: read('TEMPORAL_TLS_SERVER_CA_CERT_PATH', authorityPath) }),
    ...(certificatePath === null || keyPath === null
      ? {}
      : {
          clientCertPair: {
            crt: read('TEMPORAL_TLS_CLIENT_CERT_PATH', certificatePath),
            key: read('TEMPORAL_TLS_CLIENT_KEY_PATH', keyPath),
          },
        }),
  };
}

function reader(readFile: (path: string) => Uint8Array): NamedReader {
  return (variable, path) => {
    try {
      return readFile(path);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${variable} cannot be read: ${reason}`, { cause: error });
    }
  };
}
