/** Adds contacts to a list. Rows at fault are skipped and reported. */
import {
  mergeListContacts,
  recordImport,
  type ListImport,
  type NewListContact,
  type SkippedRow,
} from '../../db/contact-lists/imports';
import { findContactList } from '../../db/contact-lists/lists';
import { exceededQuota } from '../../db/organizations/quotas';
import type { PhoneRules } from '../../domain/phone-number';
import { isJsonObject } from '../../domain/json';
import { inPieces } from '../../runtime/loop-turn';
import type { ApiDependencies } from '../dependencies';
import type { ApiClient } from '../http/auth/api-key';
import { isUnreachable } from '../http/errors/answer';
import { contactListNotFound, importInterrupted } from '../http/errors/refusals';
import { assertRoom, quotasOf } from '../http/limits';
import { readListContact } from './read-contact';
import { SkippedRows } from './skipped-rows';

/** Contacts per statement. It takes about 0.1 s. */
const BATCH = 2_000;
const MAX_ROWS = 1_000_000;

/** A row of a file or an entry of a request: a contact, or the reason why it is skipped. */
export type GivenRow = { row: number; contact: NewListContact } | SkippedRow;

type Dependencies = Pick<ApiDependencies, 'db' | 'storage' | 'clock' | 'settings'>;

interface Target {
  listId: string;
  importId: string;
  organization: ApiClient;
}

/** @throws ApiError 404 if the list is unknown, 409 if no contact fits into the quota */
export async function assertMayAdd(
  deps: Pick<Dependencies, 'db' | 'settings'>,
  { listId, organization }: Pick<Target, 'listId' | 'organization'>,
): Promise<void> {
  if ((await findContactList(deps.db, organization.id, listId)) === undefined) throw contactListNotFound();
  await assertRoom(deps, organization, { contacts: 1 });
}

/**
 * Adds all contacts. Each batch is a transaction, so an import that fails has added the rows before the fault. A repeat updates them and adds
 * nothing twice.
 */
export async function addContacts(
  deps: Dependencies,
  target: Target,
  pieces: AsyncIterable<GivenRow[]>,
): Promise<ListImport> {
  const skipped = new SkippedRows(deps, target.importId);
  const addition = new Addition(deps, target, skipped);
  try {
    let rows = 0;
    for await (const piece of pieces) {
      for (const given of piece) {
        rows += 1;
        if ('contact' in given && rows <= MAX_ROWS) await addition.add(given);
        else await skipped.add('contact' in given ? afterLast(given.row) : given);
      }
    }
    return await addition.end();
  } catch (error) {
    skipped.abandon(error);
    throw isUnreachable(error) && (await addition.hasStored()) ? importInterrupted(error) : error;
  }
}

const afterLast = (row: number): SkippedRow => ({
  row,
  column: null,
  reason: `is after the first ${MAX_ROWS.toLocaleString('en')} rows; import it with another file`,
});

class Addition {
  private waiting: { row: number; contact: NewListContact }[] = [];
  /** The batch that is being stored while the next one is read. */
  private storing: Promise<void> = Promise.resolve();
  private added = 0;
  private accepted = 0;

  constructor(
    private readonly deps: Dependencies,
    private readonly target: Target,
    private readonly skipped: SkippedRows,
  ) {}

  async hasStored(): Promise<boolean> {
    await this.storing.catch(() => undefined);
    return this.accepted > 0;
  }

  async add(given: { row: number; contact: NewListContact }): Promise<void> {
    this.waiting.push(given);
    if (this.waiting.length < BATCH) return;
    await this.storing;
    this.storing = this.store(this.taken());
    // The next batch or the end awaits it.
    this.storing.catch(() => undefined);
  }

  /** Stores the last batch together with the result. */
  async end(): Promise<ListImport> {
    const { deps, target, skipped } = this;
    const { listId, importId, organization } = target;
    await this.storing;
    const last = await this.fitting(this.taken());
    const skippedRows = await skipped.end();
    const now = deps.clock.now();
    const owner = { listId, organizationId: organization.id };
    return deps.db.transaction(async (trx) => {
      const added = await mergeListContacts(trx, owner, last, now);
      if (added === null) throw contactListNotFound();
      const sum = this.added + added;
      const updated = this.accepted + last.length - sum;
      const result = { id: importId, added: sum, updated, ...skippedRows };
      await recordImport(trx, owner, result, { actor: organization.actor, now });
      return result;
    });
  }

  private taken(): { row: number; contact: NewListContact }[] {
    const { waiting } = this;
    this.waiting = [];
    return waiting;
  }

  private async store(batch: { row: number; contact: NewListContact }[]): Promise<void> {
    const { deps, target } = this;
    const contacts = await this.fitting(batch);
    const owner = { listId: target.listId, organizationId: target.organization.id };
    const added = await deps.db.transaction((trx) =>
      mergeListContacts(trx, owner, contacts, deps.clock.now()),
    );
    if (added === null) throw contactListNotFound();
    this.added += added;
    this.accepted += contacts.length;
  }

  /** Skips a batch that could exceed the quota, and returns the contacts of any other. */
  private async fitting(batch: { row: number; contact: NewListContact }[]): Promise<NewListContact[]> {
    const { db, settings } = this.deps;
    const { organization } = this.target;
    const exceeded = await exceededQuota(db, organization.id, {
      quotas: quotasOf(organization, settings.quotas),
      adding: { contacts: batch.length },
    });
    if (exceeded === undefined) return batch.map(({ contact }) => contact);
    const reason = "could exceed the organization's `contacts` quota";
    for (const { row } of batch) await this.skipped.add({ row, column: null, reason });
    return [];
  }
}

/** Contacts are checked in small pieces, because a thousand take 0.1 s. */
const CONTACTS_PER_PIECE = 20;

/** Reads the contacts of a JSON request. Rows are their places, starting at 1. */
export async function* givenContacts(
  contacts: readonly unknown[],
  rules: PhoneRules,
): AsyncGenerator<GivenRow[]> {
  let row = 0;
  for await (const piece of inPieces(contacts, CONTACTS_PER_PIECE))
    yield piece.map((given): GivenRow => {
      row += 1;
      if (!isJsonObject(given)) return { row, column: null, reason: 'must be an object' };
      const read = readListContact(given, rules);
      return 'reason' in read ? { row, ...read } : { row, contact: read };
    });
}
