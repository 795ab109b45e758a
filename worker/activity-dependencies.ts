import type { Logger } from 'pino';
import { openAiModel } from '../activities/analysis/openai-model';
import { briefWaits } from '../activities/brief-waits';
import type { ActivityDependencies } from '../activities/dependencies';
import { httpDndRegistry } from '../activities/dialling/do-not-disturb/http-registry';
import { registryCheck, type RegistryCheck } from '../activities/dialling/do-not-disturb/registry-check';
import { smtpSender, type MailSender } from '../activities/mail/sender';
import { dialOutcomes } from '../activities/dialling/dial-outcomes';
import { telephonyByReference } from '../activities/telephony/by-reference';
import { httpCarrier } from '../activities/telephony/http/http-carrier';
import type { LiveKitOptions } from '../activities/telephony/livekit/clients';
import type { Telephony } from '../activities/telephony/port';
import { webhookSender } from '../activities/delivering/sender';
import { jobTicket } from '../db/calls/agent-access';
import { callState, dialEveryMs, ONLY_TRUNK } from '../db/calls/engine';
import { deploymentId } from '../db/reconciliation/deployment';
import { shippedProfile } from '../domain/rules/profile';
import { numberHashKeys } from '../db/kernel/number-hash';
import { decryptSecret } from '../db/webhooks/signing-secrets';
import { fileStorage } from '../runtime/storage';
import { confirmationPath } from '../db/campaigns/mail-addresses';
import type { CarrierName, WorkerSettings } from './settings';
import { atOnceWith } from './slots';

/** Close the mail sender when the worker stops. */
export async function activityDependencies(
  settings: WorkerSettings,
  open: Pick<ActivityDependencies, 'db' | 'clock' | 'metrics' | 'signals' | 'workflows'> & { log: Logger },
) {
  const ofActivities = activitySettings(settings);
  return {
    ...open,
    telephony: await telephonyOf(settings, { ...open, settings: ofActivities }),
    webhooks: await webhookSender({ allowedHosts: settings.webhookAllowedHosts }),
    briefWaits: briefWaits({ max: ofActivities.atOnce.briefWaits, log: open.log }),
    dndRegistry: dndRegistryCheck(settings.dndRegistry, open),
    model: settings.model && openAiModel(settings.model),
    files: fileStorage(settings.storage),
    mail: mailSender(settings.mail, open.log),
    settings: ofActivities,
  };
}

type TelephonyParts = Pick<
  ActivityDependencies,
  'db' | 'clock' | 'metrics' | 'signals' | 'workflows' | 'settings'
> & { log: Logger };

/** Creates the carrier of phone calls for each value of `TELEPHONY`. `livekit` is null if LiveKit isn't configured. */
const PHONE_CARRIERS: Readonly<
  Record<
    CarrierName,
    (settings: WorkerSettings, parts: TelephonyParts & { livekit: Telephony | null }) => Telephony
  >
> = {
  http: ({ carrierUrl, carrierSecret: secret, eventsUrl }, { clock }) => {
    if (carrierUrl === null) throw new Error('no carrier is configured');
    return httpCarrier({ carrierUrl, secret, eventsUrl, clock });
  },
  livekit: (_settings, { livekit }) => {
    if (livekit === null) throw new Error('LiveKit is not configured');
    return livekit;
  },
};

/** Browser sessions always use LiveKit, regardless of the carrier for phone calls. */
async function telephonyOf(settings: WorkerSettings, parts: TelephonyParts): Promise<Telephony> {
  const { carrier, livekit: options } = settings;
  const livekit = options && (await overLivekit({ ...settings, livekit: options }, parts));
  const phones = PHONE_CARRIERS[carrier](settings, { ...parts, livekit });
  return livekit === null || phones === livekit ? phones : telephonyByReference(phones, livekit);
}

/** Loads LiveKit's packages only if LiveKit is configured, because they make up a sixth of a worker's modules. */
async function overLivekit(
  { livekit: options, secretsKeys }: Pick<WorkerSettings, 'secretsKeys'> & { livekit: LiveKitOptions },
  parts: TelephonyParts,
): Promise<Telephony> {
  const { livekitTelephony } = await import('../activities/telephony/livekit/index.js');
  return livekitTelephony(options, {
    clock: parts.clock,
    log: parts.log,
    ticketFor: (reference) => jobTicket(secretsKeys, reference, parts.clock()),
    onOutcome: dialOutcomes(parts),
    deployment: deploymentId(parts.db),
    roomOf: async (reference) => (await callState(parts.db, reference))?.carrierId ?? null,
  });
}

function dndRegistryCheck(
  settings: WorkerSettings['dndRegistry'],
  { db, log }: Pick<ActivityDependencies, 'db' | 'log'>,
): RegistryCheck | null {
  if (settings === null) return null;
  const { keptForMs, whenDown } = settings;
  return registryCheck({ db, log, registry: httpDndRegistry(settings), keptForMs, whenDown });
}

function mailSender(settings: WorkerSettings['mail'], log: Logger): MailSender | null {
  if (settings !== null) return smtpSender(settings);
  log.info('no mail server is configured: no e-mail is sent when a campaign ends');
  return null;
}

function activitySettings(settings: WorkerSettings) {
  return {
    registeredOnly: settings.registeredOnly,
    ringTimeoutS: settings.ringTimeoutS,
    creditsPerMinute: settings.creditsPerMinute,
    dispatchWaitLimitMs: settings.dispatchWaitLimitMs,
    newRunAfterCalls: true,
    dialGuards: {
      trunk: ONLY_TRUNK,
      dialEveryMs: dialEveryMs(settings.callsPerSecond),
      breakers: settings.breakers,
      hasOperatorProfile: settings.ruleProfile !== null,
      rulesForDispatches: settings.rulesForDispatches,
    },
    ruleProfile: settings.ruleProfile === null ? null : shippedProfile(settings.ruleProfile),
    callbacks: {
      defaultDelayMs: settings.callbackDelayMs,
      maxPerDay: settings.callbacksPerDay,
      hashKeys: numberHashKeys(settings.secretsKeys),
      window: settings.legalWindow,
      allowedCountries: settings.allowedCountries,
      allowedNumberTypes: settings.allowedNumberTypes,
    },
    analysis: settings.analysis,
    atOnce: atOnceWith(settings.slots),
    auditDays: settings.auditDays,
    deliveryDays: settings.deliveryDays,
    callDays: settings.callDays,
    mails: {
      confirmedDomains: settings.mailConfirmedDomains,
      perDay: settings.mailPerDay,
      confirmationLink: (addressId: string, now: number) =>
        settings.publicUrl + confirmationPath(settings.secretsKeys, addressId, now),
    },
    decryptSecret: (encrypted: Buffer) => decryptSecret(encrypted, settings.secretsKeys),
  };
}
