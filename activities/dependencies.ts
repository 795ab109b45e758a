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

/** Starts and inspects workflows; what reconciliation needs beside signals. */
export interface WorkflowStarter {
  /** Starts the workflow unless one with this id runs or has run; `againAfterClose`: unless one runs. */
  startOnce(
    type: string,
    id: string,
    input: unknown,
    options?: { againAfterClose?: boolean; owner?: Owner; summary?: string },
  ): Promise<void>;
  state(id: string): Promise<WorkflowState>;
  /** Ids of all that run and were started before, in pages. */
  openSince(before: number): AsyncIterable<string[]>;
}

/** `stuck`: it runs, and its workflow tasks fail or time out again and again. `missing`: Temporal does not know the id. */
export type WorkflowState = 'running' | 'stuck' | 'closed' | 'missing';

/** With where callers may be called back. */
export interface CallbackSettings extends PhoneRules {
  /** Where the person named no time. */
  defaultDelayMs: number;
  /** To one number of an organization, on a UTC day. */
  mostPerDay: number;
  /** With which numbers are hashed to count their callbacks, the current one first. */
  hashKeys: readonly Buffer[];
  /** Of callbacks that no campaign makes, whose window is the platform's. */
  window: DailyWindow;
}

export interface AnalysisSettings {
  /** The time zone of people whose contact names none: what "at five" means. */
  timeZone: string;
  /** Questions that one worker puts to the model at once. */
  atOnce: number;
  /** What a model costs. */
  rates: Rates;
}

/** How many of a kind one worker does at once, so that none takes all of its slots. */
export interface AtOnce {
  /** Dials, with their preparation as far as it is brief: always fewer than there are slots for workflow tasks. */
  dials: number;
  /** Brief waits for receivers, agents and the registry: with the dials still fewer than there are slots. */
  briefWaits: number;
  /** Of the slots for regular activities: attempts at webhooks. */
  deliveries: number;
  /** Of the same: preparations of calls whose agent or registry takes its time. */
  preparations: number;
}

export interface ActivityDependencies {
  db: Db;
  telephony: Telephony;
  signals: SignalSender;
  workflows: WorkflowStarter;
  webhooks: WebhookSender;
  /** One for the process. */
  briefWaits: BriefWaits;
  /** Null where no mail server is configured: then no e-mail is sent. */
  mail: MailSender | null;
  /** Null where no registry is configured. */
  dndRegistry: RegistryCheck | null;
  /** Null where none is configured: then calls are analysed by rules. */
  model: LanguageModel | null;
  /** Contact files and recordings. */
  files: Pick<FileStorage, 'remove'>;
  log: ActivityLog;
  metrics: ActivityMetrics;
  /** The platform's clock, which all processes share. Windows are decided by the workflow's. */
  clock: () => number;
  settings: {
    /** A number that is registered for nobody is no caller ID, and answers nobody. */
    registeredOnly: boolean;
    ringTimeoutS: number;
    /** Credits for each started minute of talk. */
    creditsPerMinute: number;
    /** How long a dispatched call waits for a line before it expires. */
    dispatchWaitLimitMs: number;
    /** Whether a campaign goes on in a new run once it has started calls (`claimPage`). */
    newRunAfterCalls: boolean;
    dialGuards: Omit<DialGuards, 'registryNotBefore' | 'registryCleared' | 'settlesMs'>;
    callbacks: CallbackSettings;
    analysis: AnalysisSettings;
    atOnce: AtOnce;
    /** How long the audit, webhooks and calls are kept, at least; null for ever. */
    auditDays: number | null;
    deliveryDays: number | null;
    callDays: number | null;
    /** Decrypts a stored signing secret. */
    decryptSecret: (encrypted: Buffer) => string;
    mails: {
      /** Domains whose addresses need no confirmation; `*` is every domain. */
      confirmedDomains: readonly string[];
      /** Reports of one organization in 24 hours; 0 is no limit. */
      perDay: number;
      /** The page on which the owner of an address confirms it. */
      confirmationLink: (addressId: string, now: number) => string;
    };
  };
}
