import type { Logger } from 'pino';
import type { Db } from '../../db/kernel/connection';
import type { Clock } from '../../runtime/clock';
import type { FileStorage } from '../../runtime/storage/file-storage';
import type { LiveProgress } from '../campaigns/live/live-progress';
import type { ApiMetrics } from '../http/observability/api-metrics';
import type { UrlSigner } from '../http/signed-url';
import type { ApiSettings } from '../settings';
import type { TemporalPort } from './temporal-client';

/** Everything that the app uses outside itself. The process entry opens and closes it. */
export interface ApiDependencies {
  db: Db;
  temporal: TemporalPort;
  storage: FileStorage;
  settings: Pick<
    ApiSettings,
    | 'publicUrl'
    | 'secretsKeys'
    | 'legalWindow'
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

/** Shared dependencies of all groups of endpoints. */
export interface RouteTools {
  deps: ApiDependencies;
  signer: UrlSigner;
  live: LiveProgress;
}
