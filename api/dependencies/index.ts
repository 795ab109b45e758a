import type { Logger } from 'pino';
import type { Db } from '../../db/kernel/connection';
import type { Clock } from '../../runtime/clock';
import type { ApiMetrics } from '../http/observability/api-metrics';
import type { ApiSettings } from '../settings';
import type { FileStorage } from './stored-files';
import type { TemporalPort } from './temporal-port';

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
