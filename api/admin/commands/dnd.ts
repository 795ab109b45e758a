import type { Command } from 'commander';
import type { AuditAction } from '../../../db/organizations/audit';
import type { Organization } from '../../../db/organizations/organizations';
import {
  addDndNumbers,
  clearDndNumbers,
  countDndNumbers,
  findDndNumber,
  listDndNumbers,
  removeDndNumber,
} from '../../../db/calls/do-not-disturb';
import { maskPhone } from '../../../domain/phone-number';
import { confirm, requireOrganization, audited } from '../session';
import { givenNumber, importedNumbers, ofFile, type FileOptions } from '../number-file';
import { label, wholeNumber } from '../option-values';
import { plain, table } from '../table';
import { noun, runs, verb, type Admin } from '../verb';
import type { Terminal } from '../terminal';

const LIMIT = 50;
const NUMBER_ARGUMENT = 'number with + and its country code, or a ten-digit Indian number';

export function dndCommands(program: Command, admin: Admin): void {
  const dnd = noun(program, 'dnd', 'numbers that an organization must not call');
  importNumbers(dnd, admin);
  add(dnd, admin);
  remove(dnd, admin);
  check(dnd, admin);
  list(dnd, admin);
  count(dnd, admin);
  clear(dnd, admin);
}

/** The audit log must not contain phone numbers, so the subject is the organization. */
const recordOf = (organization: Organization, action: AuditAction) => ({
  organizationId: organization.id,
  action,
  subjectId: organization.id,
});

function add(dnd: Command, admin: Admin): void {
  const command = verb(dnd, 'add', 'add a number', [
    'add +919876543210 --org Acme --source "asked by e-mail"',
  ])
    .argument('<number>', NUMBER_ARGUMENT)
    .requiredOption('--org <org>', 'id or name')
    .option('--source <text>', 'source of the entry; default "operator"', label);
  runs<{ org: string; source?: string }>(command, admin, async (session, options, given = '') => {
    const phoneNumber = givenNumber(given);
    const organization = await requireOrganization(session.db, options.org);
    const isNew = await audited(session, async (trx, now) => {
      const source = options.source ?? 'operator';
      const added = await addDndNumbers(trx, {
        organizationId: organization.id,
        numbers: [phoneNumber],
        source,
        now,
      });
      return { answer: added > 0, record: added > 0 ? recordOf(organization, 'dnd.add') : null };
    });
    const text = `${phoneNumber} ${isNew ? 'is now' : 'was already'} on the list.`;
    return { text, json: { phone_number: phoneNumber, on_list: true, changed: isNew } };
  });
}

function remove(dnd: Command, admin: Admin): void {
  const command = verb(dnd, 'remove', 'remove a number', ['remove +919876543210 --org Acme'])
    .argument('<number>', NUMBER_ARGUMENT)
    .requiredOption('--org <org>', 'id or name');
  runs<{ org: string }>(command, admin, async (session, options, given = '') => {
    const phoneNumber = givenNumber(given);
    const organization = await requireOrganization(session.db, options.org);
    const wasListed = await audited(session, async (trx) => {
      const removed = await removeDndNumber(trx, organization.id, phoneNumber);
      return { answer: removed, record: removed ? recordOf(organization, 'dnd.remove') : null };
    });
    const text = `${phoneNumber} ${wasListed ? 'is no longer on the list' : 'was not on the list'}.`;
    return { text, json: { phone_number: phoneNumber, on_list: false, changed: wasListed } };
  });
}

function check(dnd: Command, admin: Admin): void {
  const command = verb(dnd, 'check', 'check if a number is on the list', ['check 9876543210 --org Acme'])
    .argument('<number>', NUMBER_ARGUMENT)
    .requiredOption('--org <org>', 'id or name');
  runs<{ org: string }>(command, admin, async ({ db }, options, given = '') => {
    const phoneNumber = givenNumber(given);
    const organization = await requireOrganization(db, options.org);
    const found = await findDndNumber(db, organization.id, phoneNumber);
    const text =
      found === undefined
        ? `${phoneNumber} is not on the list.`
        : `${phoneNumber} has been on the list since ${found.addedAt.toISOString()} (${plain(found.source)}).`;
    const json = {
      phone_number: phoneNumber,
      on_list: found !== undefined,
      source: found?.source ?? null,
      added_at: found?.addedAt ?? null,
    };
    return { text, json };
  });
}

function list(dnd: Command, admin: Admin): void {
  const command = verb(dnd, 'list', 'list the numbers, newest first, masked', [
    'list --org Acme',
    'list --org Acme --full --limit 1000000 --json',
  ])
    .requiredOption('--org <org>', 'id or name')
    .option('--limit <n>', `maximum number to show; default ${LIMIT}`, wholeNumber(1, 1_000_000))
    .option('--full', 'show numbers unmasked');
  runs<{ org: string; limit?: number; full?: true }>(command, admin, async (session, options) => {
    const { db, terminal } = session;
    const organization = await requireOrganization(db, options.org);
    const numbers = await listDndNumbers(db, organization.id, options.limit ?? LIMIT);
    const shown = numbers.map(({ phoneNumber, source, addedAt }) => ({
      phone_number: options.full === true ? phoneNumber : maskPhone(phoneNumber),
      source,
      added_at: addedAt,
    }));
    const body = shown.map((row) => [row.phone_number, row.source, row.added_at]);
    const empty = 'There are no numbers on the list.';
    const { isStyled } = terminal;
    return { text: table(['number', 'source', 'added'], body, { empty, isStyled }), json: shown };
  });
}

function count(dnd: Command, admin: Admin): void {
  const command = verb(dnd, 'count', 'count the numbers on the list', ['count --org Acme']).requiredOption(
    '--org <org>',
    'id or name',
  );
  runs<{ org: string }>(command, admin, async ({ db }, options) => {
    const organization = await requireOrganization(db, options.org);
    const total = await countDndNumbers(db, organization.id);
    return { text: String(total), json: { count: total } };
  });
}

function clear(dnd: Command, admin: Admin): void {
  const command = verb(dnd, 'clear', 'remove all numbers', ['clear --org Acme']).requiredOption(
    '--org <org>',
    'id or name',
  );
  runs<{ org: string }>(command, admin, async (session, options) => {
    const organization = await requireOrganization(session.db, options.org);
    const total = (await countDndNumbers(session.db, organization.id)).toLocaleString('en');
    const consequence = `All ${total} numbers of ${plain(organization.name)} will be removed from the list and may be called again.`;
    await confirm(session.terminal, consequence, session.isConfirmed);
    const removed = await audited(session, async (trx) => {
      const cleared = await clearDndNumbers(trx, organization.id);
      return { answer: cleared, record: cleared > 0 ? recordOf(organization, 'dnd.clear') : null };
    });
    return { text: `Removed ${removed.toLocaleString('en')} numbers from the list.`, json: { removed } };
  });
}

interface ImportOptions extends FileOptions {
  org: string;
  source?: string;
}

const counted = (n: number): string => n.toLocaleString('en');

function importNumbers(dnd: Command, admin: Admin): void {
  const command = ofFile(
    verb(dnd, 'import', 'add the numbers of a file: one per line, or a column of a CSV file', [
      'import --org Acme numbers.txt',
      'import --org Acme customers.csv --column "Telephone" --skip-bad',
    ]),
  ).option('--source <text>', 'source of the entries; default "import"', label);
  runs<ImportOptions>(command, admin, async (session, options, path = '') => {
    const { terminal } = session;
    const organization = await requireOrganization(session.db, options.org);
    const { numbers, duplicates, faults } = await importedNumbers(terminal, path, options);
    const added = await audited(session, async (trx, now) => {
      const source = options.source ?? 'import';
      const onProgress = progressIn(terminal, numbers.length);
      const count = await addDndNumbers(trx, {
        organizationId: organization.id,
        numbers,
        source,
        now,
        onProgress,
      });
      const record = {
        organizationId: organization.id,
        action: 'dnd.import' as const,
        subjectId: organization.id,
      };
      return { answer: count, record: count > 0 ? record : null };
    });
    const json = {
      added,
      already_listed: numbers.length - added,
      duplicates,
      skipped: faults.length,
    };
    const text =
      `Added ${counted(added)} numbers; ${counted(json.already_listed)} were already listed. ` +
      `Skipped ${counted(duplicates)} duplicates and ${counted(faults.length)} invalid rows.`;
    return { text, json };
  });
}

/** Reports progress every 10 %. */
function progressIn(terminal: Terminal, total: number): (done: number) => void {
  let printed = 0;
  return (done) => {
    const tenth = Math.floor((10 * done) / total);
    if (tenth === printed || total <= 10_000) return;
    printed = tenth;
    terminal.note(`${counted(done)} of ${counted(total)} numbers written`);
  };
}
