import type { RuleProfile } from '../domain/rules/profile';
import type { DialGuards } from '../db/calls/engine';
import type { Db } from '../db/kernel/connection';
import type { SignalSender } from '../runtime/signal-workflows';
import type { DailyWindow } from '../domain/calling-window';
import type { PhoneRules } from '../domain/phone-number';
import type { Rates } from '../domain/usage-cost';
import type { Owner } from '../workflows/workflow-metadata';
import type { FileStorage } from '../runtime/storage/file-storage';
import type { LanguageModel } from './analysis/model';
import type { BriefWaits } from './brief-waits';
import type { RegistryCheck } from './dialling/do-not-disturb/registry-check';
import type { ActivityLog } from './log';
import type { MailSender } from './mail/sender';
import type { ActivityMetrics } from './metrics';
import type { Telephony } from './telephony/port';
import type { WebhookSender } from './delivering/sender';

export interface WorkflowStarter {
  /** Starts the workflow unless one with this id exists. With `againAfterClose`, only a running workflow prevents the start. */
  startOnce(
    type: string,
    id: string,
    input: unknown,
    options?: { againAfterClose?: boolean; owner?: Owner; summary?: string },
  ): Promise<void>;
  state(id: string): Promise<WorkflowState>;
  /** Yields the ids of running workflows that were started before the given instant, page by page. */
  openSince(before: number): AsyncIterable<string[]>;
}

/** `stuck`: the workflow runs, but its tasks repeatedly fail or time out. `missing`: Temporal does not know the id. */
export type WorkflowState = 'running' | 'stuck' | 'closed' | 'missing';

/** Settings for callbacks. The phone rules apply to callbacks of callers. */
export interface CallbackSettings extends PhoneRules {
  /** Delay of a callback if the person named no time. */
  defaultDelayMs: number;
  /** Maximum number of callbacks from an organization to one number per UTC day. */
  maxPerDay: number;
  /** Keys for hashing the numbers whose callbacks are counted, with the current key first. */
  hashKeys: readonly [Buffer, ...Buffer[]];
  /** Calling window for callbacks without a campaign. */
  window: DailyWindow;
}

interface AnalysisSettings {
  /** Default time zone of a person. The model needs it to interpret times such as "at five". */
  timeZone: string;
  /** Maximum number of concurrent model requests per worker. */
  atOnce: number;
  rates: Rates;
}

/** Concurrency limits of one worker. They keep one kind of work from taking all slots. */
export interface AtOnce {
  /** Limit for dials. Must be below the number of workflow-task slots. */
  dials: number;
  /**
   * Limit for brief waits for receivers, agents and the registry. Together with the dials, it must be below the number of workflow-task
   * slots.
   */
  briefWaits: number;
  /** Limit for webhook attempts in slots for regular activities. */
  deliveries: number;
  /** Limit for preparations of calls with a slow agent or registry, in slots for regular activities. */
  preparations: number;
}

export interface ActivityDependencies {
  db: Db;
  telephony: Telephony;
  signals: SignalSender;
  workflows: WorkflowStarter;
  webhooks: WebhookSender;
  /** Shared by the whole process. */
  briefWaits: BriefWaits;
  /** Null if no mail server is configured. */
  mail: MailSender | null;
  /** Null if no registry is configured. */
  dndRegistry: RegistryCheck | null;
  /** Null if no model is configured, in which case the built-in rules analyse calls. */
  model: LanguageModel | null;
  /** Contact files and recordings. */
  files: Pick<FileStorage, 'remove'>;
  log: ActivityLog;
  metrics: ActivityMetrics;
  /** The platform's clock, which all processes share. */
  clock: () => number;
  settings: {
    /** Only registered numbers can be used as caller IDs and for inbound calls. */
    registeredOnly: boolean;
    ringTimeoutS: number;
    /** Credits per started minute of talk. */
    creditsPerMinute: number;
    /** How long a dispatched call waits for a line before it expires. */
    dispatchWaitLimitMs: number;
    /** Whether a campaign continues in a new run after it has started calls (see `claimPage`). */
    newRunAfterCalls: boolean;
    dialGuards: Omit<DialGuards, 'registryNotBefore' | 'registryCleared' | 'pendingDialMs' | 'deadlineMs'>;
    /** The operator's rule profile for all campaigns and callbacks. Null if there is none. */
    ruleProfile: RuleProfile | null;
    callbacks: CallbackSettings;
    analysis: AnalysisSettings;
    atOnce: AtOnce;
    /** Minimum retention of the audit log, webhooks and calls. Null keeps them forever. */
    auditDays: number | null;
    deliveryDays: number | null;
    callDays: number | null;
    /** Decrypts a stored signing secret. */
    decryptSecret: (encrypted: Buffer) => string;
    mails: {
      /** E-mail domains whose addresses need no confirmation. `*` means every domain. */
      confirmedDomains: readonly string[];
      /** Maximum number of reports per organization in 24 hours. 0 means no limit. */
      perDay: number;
      /** Returns the URL of the page on which the owner of an address confirms it. */
      confirmationLink: (addressId: string, now: number) => string;
    };
  };
}
