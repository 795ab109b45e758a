/** What activities reach outside themselves, as the settings say. */
import type { Logger } from 'pino';
import type { ActivityDependencies } from '../activities/dependencies';
import { httpDndRegistry } from '../activities/do-not-disturb/http-registry';
import { registryCheck, type RegistryCheck } from '../activities/do-not-disturb/registry-check';
import { smtpSender, type MailSender } from '../activities/mail/sender';
import { httpCarrier } from '../activities/telephony/http-carrier';
import { webhookSender } from '../activities/webhooks/sender';
import { decryptSecret } from '../db/signing-secrets';
import type { WorkerSettings } from './settings';

/** The HTTP carrier is one trunk, whatever is behind it. */
const ONLY_TRUNK = 'carrier';

/** The mail sender is the caller's to close. */
export async function activityDependencies(
  settings: WorkerSettings,
  open: Pick<ActivityDependencies, 'db' | 'clock' | 'signals' | 'workflows'> & { log: Logger },
) {
  const { carrierUrl, carrierSecret: secret, eventsUrl, webhookAllowedHosts: allowedHosts } = settings;
  return {
    ...open,
    telephony: httpCarrier({ carrierUrl, secret, eventsUrl, clock: open.clock }),
    webhooks: await webhookSender({ allowedHosts }),
    dndRegistry: dndRegistryCheck(settings.dndRegistry, open),
    mail: mailSender(settings.mail, open.log),
    settings: activitySettings(settings),
  };
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
  log.info('no mail server is configured: nobody is told by e-mail how a campaign ended');
  return null;
}

function activitySettings(settings: WorkerSettings) {
  return {
    ringTimeoutS: settings.ringTimeoutS,
    creditsPerMinute: settings.creditsPerMinute,
    dispatchWaitLimitMs: settings.dispatchWaitLimitMs,
    dialGuards: {
      trunk: ONLY_TRUNK,
      dialEveryMs: settings.callsPerSecond === 0 ? null : 1000 / settings.callsPerSecond,
      brakes: settings.brakes,
    },
    callbacks: { defaultDelayMs: settings.callbackDelayMs, window: settings.legalWindow },
    decryptSecret: (encrypted: Buffer) => decryptSecret(encrypted, settings.secretsKey),
  };
}
