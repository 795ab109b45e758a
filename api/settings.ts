/** Settings of the API and of the operators' command line. `config/` documents each variable. */
import { join } from 'node:path';
import { readVariables, storedDataSettings, VARIABLES, type Environment, type Values } from '../config';
import { QUOTA_DEFAULTS, type Quotas } from '../domain/quotas';
import { metricsAddress } from '../runtime/observability/metrics-server';
import { temporalProfile } from '../runtime/temporal-access';

type ApiValues = Values<typeof VARIABLES, 'api'>;

export interface LiveKitSettings {
  /** URL under which our own processes reach the media server. */
  url: string;
  /** URL under which browsers reach the media server. */
  publicUrl: string;
  apiKey: string;
  apiSecret: string;
}

export type ApiSettings = ReturnType<typeof readApiSettings>;

/** Throws one error that names all invalid variables. An empty variable is treated as unset. */
export function readApiSettings(env: Environment) {
  const temporal = temporalProfile(env);
  const { values, settings } = readVariables(VARIABLES, 'api', env, temporal.faults);
  const quotas: Quotas = { ...QUOTA_DEFAULTS, ...values.QUOTAS };
  return {
    ...settings,
    ...storedDataSettings(values),
    /** URL of the API for clients, without a trailing slash. URLs in responses start with it. */
    publicUrl: values.PUBLIC_URL ?? `http://localhost:${values.PORT}`,
    /** Direct connection to Postgres, needed for notifications. */
    databaseUrl: values.DATABASE_URL,
    temporal: temporal.profile,
    /** If true, only registered numbers can be used as caller ID and receive calls. */
    registeredOnly: values.NUMBERS === 'registered',
    dispatchWaitLimitMs: values.DISPATCH_WAIT_LIMIT_S * 1000,
    /** Spend limits in credits, for organizations without their own; 0 means unlimited. */
    spendPerDay: {
      perCampaign: values.CAMPAIGN_SPEND_PER_DAY,
      perOrganization: values.ORGANIZATION_SPEND_PER_DAY,
    },
    /** Null if not configured. The API then rejects browser sessions. */
    livekit: livekitOf(values),
    workflowPages: workflowPagesOf(values.TEMPORAL_WEB_UI, temporal.profile.namespace),
    /** Limits of organizations without their own. */
    rateLimits: {
      dispatchPerMinute: values.RATE_LIMIT_DISPATCH_PER_MIN,
      otherPerMinute: values.RATE_LIMIT_PER_MIN,
    },
    bodyBufferBytes: values.BODY_BUFFER_MIB * 1024 * 1024,
    /** Folder of uploaded files while their requests are handled. */
    uploadFolder: join(values.DATA_DIR, 'uploads'),
    /** Quotas of organizations without their own; 0 means unlimited. */
    quotas,
    metrics: metricsAddress(values.METRICS_HOST, values.METRICS_PORT, 'METRICS_PORT'),
  };
}

/** URL of a workflow in Temporal's Web UI, without the slash and id; null if the console shows no links. */
const workflowPagesOf = (address: string | null, namespace: string): string | null =>
  address === null ? null : `${address}/namespaces/${encodeURIComponent(namespace)}/workflows`;

function livekitOf(values: ApiValues): LiveKitSettings | null {
  const { LIVEKIT_URL: url, LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret } = values;
  return url === null || apiKey === null || apiSecret === null
    ? null
    : { url, publicUrl: values.LIVEKIT_PUBLIC_URL ?? url, apiKey, apiSecret };
}

export function readAdminSettings(env: Environment) {
  const temporal = temporalProfile(env);
  const { values, settings } = readVariables(VARIABLES, 'admin', env, temporal.faults);
  // Temporal is connected on first use, so that other commands work without it.
  return { ...settings, ...storedDataSettings(values), temporal: temporal.profile };
}
