/** Settings of the simulated platform: those of `npm start`, without LiveKit, e-mail or a language model. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ORDINARY_TYPES } from '../../../domain/phone-number';
import { QUOTA_DEFAULTS } from '../../../domain/quotas';
import type { ActivityDependencies } from '../../../activities/dependencies';
import type { ApiDependencies } from '../../../api/dependencies';
import { onlyKey } from '../../../db/kernel/secrets-keys';
import { decryptSecret } from '../../../db/webhooks/signing-secrets';
import { ONLY_TRUNK } from '../../../db/calls/engine';
import { atOnceWith, type WorkerSlots } from '../../../worker/slots';

export const SECRETS_KEYS = onlyKey(Buffer.alloc(32, 7));
export const CARRIER_SECRET = 'secret';
export const EVENTS_URL = 'http://api/carrier/events';
export const receiverUrl = (organization: number, path: string): string =>
  `http://receiver-${organization}${path}`;
const DISPATCH_WAIT_LIMIT_MS = 900_000;

/** The smallest worker that is allowed, so that even a few calls compete for slots. */
export const SLOTS: WorkerSlots = { workflowTasks: 8, localActivities: 16, activities: 8 };

const breakers = {
  campaignSpendPerDay: null,
  organizationSpendPerDay: null,
  failureRate: null,
  failureDials: 20,
};

export const ACTIVITY_SETTINGS: ActivityDependencies['settings'] = {
  registeredOnly: false,
  ringTimeoutS: 30,
  creditsPerMinute: 1,
  dispatchWaitLimitMs: DISPATCH_WAIT_LIMIT_MS,
  newRunAfterCalls: true,
  dialGuards: { trunk: ONLY_TRUNK, dialEveryMs: null, breakers },
  ruleProfile: null,
  callbacks: {
    maxPerDay: 3,
    hashKeys: [Buffer.alloc(32)],
    defaultDelayMs: 60_000,
    window: { startMinute: 0, endMinute: 1_440 },
    allowedCountries: ['IN'],
    allowedNumberTypes: [...ORDINARY_TYPES],
  },
  analysis: { timeZone: 'Asia/Kolkata', atOnce: 4, rates: {} },
  atOnce: atOnceWith(SLOTS),
  auditDays: null,
  deliveryDays: null,
  callDays: null,
  mails: { confirmedDomains: [], perDay: 0, confirmationLink: () => '' },
  decryptSecret: (encrypted) => decryptSecret(encrypted, SECRETS_KEYS),
};

export const API_SETTINGS: ApiDependencies['settings'] = {
  publicUrl: 'http://api',
  secretsKeys: SECRETS_KEYS,
  legalWindow: { startMinute: 0, endMinute: 1_440 },
  legalWindowLocal: { startMinute: 0, endMinute: 1_440 },
  ruleProfile: null,
  allowedCountries: ['IN'],
  allowedNumberTypes: [...ORDINARY_TYPES],
  registeredOnly: false,
  transferSipDomains: [],
  dispatchWaitLimitMs: DISPATCH_WAIT_LIMIT_MS,
  creditsPerMinute: 1,
  usageRates: {},
  callsPerSecond: 0,
  spendPerDay: { perCampaign: 0, perOrganization: 0 },
  livekit: null,
  workflowPages: null,
  trustedProxies: [],
  bodyBufferBytes: 64 * 1024 * 1024,
  uploadFolder: join(tmpdir(), 'simulated-uploads'),
  corsOrigins: [],
  quotas: QUOTA_DEFAULTS,
  mailConfirmedDomains: [],
  rateLimits: { dispatchPerMinute: 0, otherPerMinute: 0 },
};
