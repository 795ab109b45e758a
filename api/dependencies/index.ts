import type { Logger } from 'pino';
import type { Db } from '../../db/kernel/connection';
import type { Clock } from '../../runtime/clock';
import type { FileStorage } from '../../runtime/storage/file-storage';
import type { LiveProgress } from '../campaigns/live/live-progress';
import { TemporalUnavailable } from '../http/errors/api-error';
import type { ApiMetrics } from '../http/metrics';
import type { UrlSigner } from '../http/auth/signed-url';
import type { ApiSettings } from '../settings';
import type { TemporalPort } from './temporal-client';

/** The app's connections to the outside. The entry point opens and closes them. */
export interface ApiDependencies {
  db: Db;
  temporal: TemporalPort;
  storage: FileStorage;
  settings: Pick<
    ApiSettings,
    | 'publicUrl'
    | 'secretsKeys'
    | 'legalWindow'
    | 'legalWindowLocal'
    | 'ruleProfile'
    | 'allowedCountries'
    | 'allowedNumberTypes'
    | 'registeredOnly'
    | 'transferSipDomains'
    | 'dispatchWaitLimitMs'
    | 'creditsPerMinute'
    | 'usageRates'
    | 'callsPerSecond'
    | 'spendPerDay'
    | 'rateLimits'
    | 'quotas'
    | 'mailConfirmedDomains'
    | 'livekit'
    | 'workflowPages'
    | 'trustedProxies'
    | 'bodyBufferBytes'
    | 'uploadFolder'
    | 'corsOrigins'
  >;
  clock: Clock;
  log: Logger;
  metrics: ApiMetrics;
}

/** Waits for requests to Temporal. If Temporal is down, calls `warn` instead of throwing, because reconciliation repeats the requests. */
export async function orReconciled(requests: Promise<unknown>[], warn: () => void): Promise<void> {
  const results = await Promise.allSettled(requests);
  const errors = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  const fault = errors.find(
    (error): error is Error => error instanceof Error && !(error instanceof TemporalUnavailable),
  );
  if (fault !== undefined) throw fault;
  if (errors.length > 0) warn();
}

/** Shared dependencies of all groups of endpoints. */
export interface RouteTools {
  deps: ApiDependencies;
  signer: UrlSigner;
  live: LiveProgress;
}
