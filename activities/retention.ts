/** Deletes data past its organization's retention period (`npm run admin -- org retention`). */
import { Context } from '@temporalio/activity';
import {
  erasePeople,
  eraseTranscripts,
  forgetRecordings,
  takeContactFiles,
} from '../db/organizations/erasing';
import { archiveCalls, dropArchivedCalls } from '../db/calls/archive';
import { keepPartitions, type PartitionedTable } from '../db/kernel/partitions';
import { allOrganizationIds } from '../db/organizations/people';
import { forgetUnconfirmed } from '../db/campaigns/mail-addresses';
import { removeExpiredTokens } from '../db/organizations/console-tokens';
import { removeListContacts } from '../db/contact-lists/lists';
import { listForRemoval, removeListedFiles } from '../db/organizations/files-to-remove';
import {
  callsPast,
  campaignsPast,
  eraseContactsAfter,
  forgetCaps,
  forgetfulOrganizations,
  forgetLeft,
  markContactsErased,
  storePosition,
  processedSince,
  RETENTION_KINDS,
  type ForgetfulOrganization,
  type RetentionKind,
} from '../db/organizations/retention';
import { removeIdleSlots } from '../db/webhooks/receiver-slots';
import { assertNever } from '../domain/assert-never';
import type { ActivityDependencies } from './dependencies';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Pages of this size hold locks for about 0.1 s. */
const CALLS_PER_PAGE = 200;
const CAMPAIGNS_PER_PAGE = 50;
const CONTACTS_PER_PAGE = 1_000;
/**
 * Calls are archived this long after they and their campaign have ended. By then, all late webhooks, recordings and e-mails have arrived.
 */
const ARCHIVED_AFTER_DAYS = 31;

/** Counts of one run, for operators. */
export interface Forgotten {
  recordings: number;
  /** Calls whose transcript is past its retention period, including those that never had one. */
  transcripts: number;
  /** Calls whose personal data is past its retention period. */
  calls: number;
  contacts: number;
  contactFiles: number;
  /** Calls past their retention period that are not processed yet. A later run deletes their data without counting them again. */
  left: number;
  /** Dropped partitions of the audit log. */
  auditPartitions: number;
  /** Dropped partitions of webhook deliveries. */
  deliveryPartitions: number;
  archived: number;
  /** Dropped partitions of calls. */
  callPartitions: number;
}

type Deps = Pick<ActivityDependencies, 'db' | 'files' | 'log' | 'clock'> & {
  settings: Pick<ActivityDependencies['settings'], 'auditDays' | 'deliveryDays' | 'callDays'>;
};

export function retentionActivities(deps: Deps) {
  return {
    /**
     * Deletes in pages, each in its own transaction, so that the next run can continue after a crash. The transaction that deletes rows
     * lists their files for removal, and the end of the run removes those files.
     */
    async enforceRetention(): Promise<Forgotten> {
      const forgotten: Forgotten = {
        recordings: 0,
        transcripts: 0,
        calls: 0,
        contacts: 0,
        contactFiles: 0,
        left: 0,
        auditPartitions: 0,
        deliveryPartitions: 0,
        archived: 0,
        callPartitions: 0,
      };
      const failures: unknown[] = [];
      const failed = (cause: unknown): void => void failures.push(cause);
      await keepAudit(deps, forgotten).catch(failed);
      await keepDeliveries(deps, forgotten).catch(failed);
      for (const organization of await forgetfulOrganizations(deps.db)) {
        await forget(deps, organization, forgotten).catch(failed);
      }
      await archive(deps, forgotten).catch(failed);
      await dropCalls(deps, forgotten).catch(failed);
      await forgetCaps(deps.db, deps.clock()).catch(failed);
      await removeExpiredTokens(deps.db, deps.clock()).catch(failed);
      await forgetUnconfirmed(deps.db, deps.clock()).catch(failed);
      const heartbeat = (): void => Context.current().heartbeat();
      await removeListContacts(deps.db, heartbeat).catch(failed);
      await removeListedFiles(deps, deps.clock(), heartbeat).catch(failed);
      deps.log.info({ ...forgotten }, 'data past its retention period was deleted');
      if (failures.length > 0) throw new AggregateError(failures, 'some data could not be deleted');
      return forgotten;
    },
  };
}

async function keepAudit(deps: Deps, forgotten: Forgotten): Promise<void> {
  forgotten.auditPartitions = await dropPartitions(deps, 'audit_log', deps.settings.auditDays);
}

async function keepDeliveries(deps: Deps, forgotten: Forgotten): Promise<void> {
  await removeIdleSlots(deps.db, deps.clock());
  forgotten.deliveryPartitions = await dropPartitions(deps, 'webhook_deliveries', deps.settings.deliveryDays);
}

function dropPartitions({ db, clock }: Deps, table: PartitionedTable, days: number | null): Promise<number> {
  const now = clock();
  return keepPartitions(db, table, { now, keepFrom: days === null ? null : now - days * DAY_MS });
}

async function archive({ db, clock }: Deps, forgotten: Forgotten): Promise<void> {
  const before = clock() - ARCHIVED_AFTER_DAYS * DAY_MS;
  for (const organizationId of await allOrganizationIds(db)) {
    let after: Parameters<typeof archiveCalls>[1]['after'] = null;
    do {
      Context.current().heartbeat();
      const page = await archiveCalls(db, { organizationId, after, before, limit: CALLS_PER_PAGE });
      forgotten.archived += page.moved;
      after = page.until;
    } while (after !== null);
  }
}

async function dropCalls({ db, clock, settings }: Deps, forgotten: Forgotten): Promise<void> {
  if (settings.callDays === null) return;
  forgotten.callPartitions = await dropArchivedCalls(db, {
    before: clock() - settings.callDays * DAY_MS,
    limit: CALLS_PER_PAGE,
    clock,
    onPage: () => Context.current().heartbeat(),
  });
}

async function forget(
  deps: Deps,
  { organizationId, retention }: ForgetfulOrganization,
  forgotten: Forgotten,
): Promise<void> {
  for (const kind of RETENTION_KINDS) {
    const days = retention[kind];
    if (days === null) continue;
    const past = { organizationId, kind, endedBefore: deps.clock() - days * DAY_MS };
    await forgetCalls(deps, past, forgotten);
    if (kind === 'contacts') await forgetContacts(deps, past, forgotten);
  }
}

interface Past {
  organizationId: string;
  kind: RetentionKind;
  endedBefore: number;
}

async function forgetCalls(deps: Deps, past: Past, forgotten: Forgotten): Promise<void> {
  for (;;) {
    Context.current().heartbeat();
    const callIds = await processedSince(deps.db, { ...past, limit: CALLS_PER_PAGE });
    if (callIds.length === 0) break;
    await forgetPage(deps, past.kind, callIds, forgotten);
    await forgetLeft(deps.db, past, callIds);
  }
  for (;;) {
    Context.current().heartbeat();
    const { callIds, left, until } = await callsPast(deps.db, { ...past, limit: CALLS_PER_PAGE });
    if (until === null) return;
    await forgetPage(deps, past.kind, callIds, forgotten);
    forgotten.left += left.length;
    await storePosition(deps.db, past, until, left);
  }
}

async function forgetPage(
  { db, clock }: Deps,
  kind: RetentionKind,
  callIds: readonly string[],
  forgotten: Forgotten,
): Promise<void> {
  switch (kind) {
    case 'recordings':
      forgotten.recordings += await db.transaction(async (trx) => {
        const keys = await forgetRecordings(trx, callIds);
        await listForRemoval(trx, keys, clock());
        return keys.length;
      });
      return;
    case 'transcripts':
      await db.transaction((trx) => eraseTranscripts(trx, callIds));
      forgotten.transcripts += callIds.length;
      return;
    case 'contacts':
      await db.transaction((trx) => erasePeople(trx, callIds));
      forgotten.calls += callIds.length;
      return;
    default:
      assertNever(kind);
  }
}

async function forgetContacts({ db, clock }: Deps, past: Past, forgotten: Forgotten): Promise<void> {
  for (;;) {
    const campaigns = await campaignsPast(db, { ...past, limit: CAMPAIGNS_PER_PAGE });
    if (campaigns.length === 0) return;
    for (const campaignId of campaigns) {
      await db.transaction(async (trx) =>
        listForRemoval(trx, await takeContactFiles(trx, [campaignId]), clock()),
      );
      forgotten.contactFiles += 1;
      let afterRow = 0;
      for (;;) {
        Context.current().heartbeat();
        const page = await eraseContactsAfter(db, campaignId, { afterRow, limit: CONTACTS_PER_PAGE });
        if (page === null) break;
        afterRow = page.lastRow;
        forgotten.contacts += page.count;
      }
      await markContactsErased(db, campaignId, clock());
    }
  }
}
