/** Dependencies of activities for tests that don't use them. They contact no peer and reject nothing. */
import { Registry } from 'prom-client';
import type { ActivityDependencies } from '../../../activities/dependencies';
import { activityMetrics } from '../../../activities/metrics';
import { MANY_AT_ONCE, patientWaits } from '../../servers/at-once';
import { CALLBACK_SETTINGS, DIAL_SETTINGS } from '../../servers/dial-settings';
import { NO_GUARDS } from '../../servers/no-guards';
import { MINUTE_MS } from './engine-database';

type Idle = Omit<ActivityDependencies, 'db' | 'telephony' | 'signals' | 'workflows'>;

export const idleDependencies = (engine: { now: number }): Idle => ({
  webhooks: { post: () => Promise.reject(new Error('no webhook is expected')) },
  briefWaits: patientWaits(),
  mail: null,
  dndRegistry: null,
  model: null,
  files: { remove: () => Promise.resolve() },
  log: { info: () => undefined, warn: () => undefined },
  metrics: activityMetrics(new Registry()),
  clock: () => engine.now,
  settings: {
    ...DIAL_SETTINGS,
    dialGuards: NO_GUARDS,
    callbacks: {
      ...CALLBACK_SETTINGS,
      defaultDelayMs: MINUTE_MS,
      window: { startMinute: 0, endMinute: 1440 },
    },
    analysis: { timeZone: 'Asia/Kolkata', atOnce: 16, rates: {} },
    atOnce: MANY_AT_ONCE,
    decryptSecret: (encrypted) => encrypted.toString(),
  },
});
