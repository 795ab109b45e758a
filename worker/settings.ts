/** Settings of the worker. `config/` documents each variable. */
import type { OpenAiModelOptions } from '../activities/analysis/openai-model';
import type { LiveKitOptions, SipTrunk } from '../activities/telephony/livekit/clients';
import { readVariables, storedDataSettings, VARIABLES, type Environment, type Values } from '../config';
import { metricsAddress } from '../runtime/observability/metrics-server';
import { temporalProfile } from '../runtime/temporal-access';

type WorkerValues = Values<typeof VARIABLES, 'worker'>;

export type WorkerSettings = ReturnType<typeof readWorkerSettings>;

/** Names of the carriers that `activity-dependencies.ts` can create. */
export type CarrierName = WorkerValues['TELEPHONY'];

/** @throws one error that names every wrong or missing variable */
export function readWorkerSettings(env: Environment) {
  const temporal = temporalProfile(env);
  const { values, settings } = readVariables(VARIABLES, 'worker', env, temporal.faults);
  const { timeZone, usageRates: rates, ...others } = settings;
  return {
    ...others,
    ...storedDataSettings(values),
    slots: {
      workflowTasks: values.WORKFLOW_TASK_SLOTS,
      localActivities: values.LOCAL_ACTIVITY_SLOTS,
      activities: values.ACTIVITY_SLOTS,
    },
    temporal: temporal.profile,
    carrier: values.TELEPHONY,
    databaseUrl: values.DATABASE_URL,
    /** Null unless the carrier is `http`. */
    carrierUrl: values.TELEPHONY === 'http' ? values.CARRIER_URL : null,
    /** Null if LiveKit isn't configured, in which case browser sessions aren't possible. */
    livekit: livekitOf(values),
    publicUrl: values.PUBLIC_URL,
    /** URL for the carrier's events. */
    eventsUrl: `${values.PUBLIC_URL}/api/carrier/events`,
    dispatchWaitLimitMs: values.DISPATCH_WAIT_LIMIT_S * 1000,
    /** Allows organizations to use only registered numbers, as in the API. */
    registeredOnly: values.NUMBERS === 'registered',
    breakers: {
      campaignSpendPerDay: values.CAMPAIGN_SPEND_PER_DAY,
      organizationSpendPerDay: values.ORGANIZATION_SPEND_PER_DAY,
      failureRate: values.BREAKER_FAILURE_RATE,
      failureDials: values.BREAKER_DIALS,
    },
    callbackDelayMs: values.CALLBACK_DELAY_MINS * 60_000,
    /** Null if no registry is configured, in which case only the organizations' own lists are checked. */
    dndRegistry: dndRegistryOf(values),
    /** Model that analyses calls. Null if none is configured, in which case rules analyse calls. */
    model: modelOf(values),
    analysis: { timeZone, atOnce: values.ANALYSIS_AT_ONCE, rates },
    /** Null if no mail server is configured, in which case no e-mails are sent. */
    mail: mailOf(values),
    metrics: metricsAddress(values.METRICS_HOST, values.WORKER_METRICS_PORT, 'WORKER_METRICS_PORT'),
  };
}

function livekitOf(values: WorkerValues): LiveKitOptions | null {
  const { LIVEKIT_URL: url, LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret } = values;
  if (url === null || apiKey === null || apiSecret === null) return null;
  return {
    url,
    apiKey,
    apiSecret,
    agentName: values.LIVEKIT_AGENT_NAME,
    trunk: values.TELEPHONY === 'livekit' ? trunkOf(values) : null,
    inboundAddresses: values.SIP_INBOUND_ADDRESSES,
  };
}

function trunkOf(values: WorkerValues): SipTrunk | null {
  const { LIVEKIT_SIP_TRUNK_ID: trunkId, SIP_TRUNK_ADDRESS: address } = values;
  if (trunkId !== null) return { kind: 'stored', trunkId };
  if (address === null) return null;
  const {
    SIP_TRUNK_USERNAME: username,
    SIP_TRUNK_PASSWORD: password,
    SIP_TRUNK_TRANSPORT: transport,
  } = values;
  return { kind: 'inline', address, username, password, transport };
}

function dndRegistryOf(values: WorkerValues) {
  if (values.DND_REGISTRY_URL === null) return null;
  return {
    url: values.DND_REGISTRY_URL,
    /** Null if the registry needs no token. */
    token: values.DND_REGISTRY_TOKEN,
    timeoutMs: values.DND_REGISTRY_TIMEOUT_MS,
    /** How long a result is cached. */
    keptForMs: values.DND_REGISTRY_CACHE_S * 1000,
    whenDown: values.DND_REGISTRY_WHEN_DOWN,
  };
}

function modelOf(values: WorkerValues): OpenAiModelOptions | null {
  const { ANALYSIS_MODEL_URL: url, ANALYSIS_MODEL: model, ANALYSIS_MODEL_KEY: key } = values;
  if (url === null || model === null) return null;
  return { url, key, model, timeoutMs: values.ANALYSIS_TIMEOUT_S * 1000 };
}

/** The URL can contain a password, so it must never be logged. */
const mailOf = ({ SMTP_URL: url, MAIL_FROM: from }: WorkerValues) =>
  url === null || from === null ? null : { url, from };
