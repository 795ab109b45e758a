import type { AuditAction } from '../../../db/organizations/audit';
import type { Command } from 'commander';
import {
  listRegisteredNumbers,
  registerNumbers,
  unregisterNumber,
  type NumbersOfOrganization,
} from '../../../db/agents/numbers';
import type { Organization } from '../../../db/organizations/organizations';
import { importedNumbers, ofFile, type FileOptions, givenNumber, readOwnNumber } from '../number-file';
import { requireOrganization, audited, type Session, UsageError } from '../session';
import { wholeNumber } from '../option-values';
import { table } from '../table';
import { noun, runs, verb, type Admin } from '../verb';

const LIMIT = 50;
const NUMBER_ARGUMENT = 'number with + and its country code, or a ten-digit Indian number';

export function numberCommands(program: Command, admin: Admin): void {
  const number = noun(program, 'number', 'numbers reserved for one organization');
  add(number, admin);
  remove(number, admin);
  list(number, admin);
  importFile(number, admin);
}

const recordOf = (organization: Organization, action: AuditAction) => ({
  organizationId: organization.id,
  action,
  subjectId: organization.id,
});

/** Registers numbers and returns how many were new. Throws if another organization has any of them. */
function register(
  session: Session,
  organization: Organization,
  { action, numbers }: Pick<NumbersOfOrganization, 'numbers'> & { action: AuditAction },
): Promise<number> {
  return audited(session, async (trx, now) => {
    const { added, elsewhere } = await registerNumbers(
      trx,
      { organizationId: organization.id, numbers },
      now,
    );
    if (elsewhere.length > 0) {
      const which = `${elsewhere.slice(0, 10).join(', ')}${elsewhere.length > 10 ? ', …' : ''}`;
      throw new UsageError(`Nothing was changed, because another organization already has ${which}`);
    }
    return { answer: added, record: added > 0 ? recordOf(organization, action) : null };
  });
}

function add(number: Command, admin: Admin): void {
  const command = verb(number, 'add', 'register a number', ['add +912250001234 --org Acme'])
    .argument('<number>', NUMBER_ARGUMENT)
    .requiredOption('--org <org>', 'id or name');
  runs<{ org: string }>(command, admin, async (session, options, given = '') => {
    const wanted = givenNumber(given, readOwnNumber);
    const organization = await requireOrganization(session.db, options.org);
    const added = await register(session, organization, { action: 'number.add', numbers: [wanted] });
    const text = `${wanted} ${added > 0 ? 'is now registered' : 'was already registered'}.`;
    return { text, json: { number: wanted, registered: true, changed: added > 0 } };
  });
}

function remove(number: Command, admin: Admin): void {
  const command = verb(number, 'remove', 'remove the registration of a number', [
    'remove +912250001234 --org Acme',
  ])
    .argument('<number>', NUMBER_ARGUMENT)
    .requiredOption('--org <org>', 'id or name');
  runs<{ org: string }>(command, admin, async (session, options, given = '') => {
    const wanted = givenNumber(given, readOwnNumber);
    const organization = await requireOrganization(session.db, options.org);
    const changed = await audited(session, async (trx, now) => {
      const removed = await unregisterNumber(trx, { organizationId: organization.id, number: wanted }, now);
      return { answer: removed, record: removed ? recordOf(organization, 'number.remove') : null };
    });
    const text = `${wanted} ${changed ? 'is no longer registered' : 'was not registered for the organization'}.`;
    return { text, json: { number: wanted, registered: false, changed } };
  });
}

function list(number: Command, admin: Admin): void {
  const command = verb(number, 'list', 'list the registered numbers of one organization or of all', [
    'list',
    'list --org Acme --json',
  ])
    .option('--org <org>', 'id or name; default: all organizations')
    .option('--limit <n>', `maximum number to show; default ${LIMIT}`, wholeNumber(1, 1_000_000));
  runs<{ org?: string; limit?: number }>(command, admin, async ({ db, terminal }, options) => {
    const organization = options.org === undefined ? null : await requireOrganization(db, options.org);
    const numbers = await listRegisteredNumbers(db, organization?.id ?? null, options.limit ?? LIMIT);
    const json = numbers.map((each) => ({
      number: each.number,
      org_id: each.organizationId,
      org: each.organizationName,
      added_at: each.addedAt,
    }));
    const body = json.map((row) => [row.number, row.org, row.added_at]);
    const empty = 'There are no registered numbers.';
    return {
      text: table(['number', 'organization', 'added'], body, { empty, isStyled: terminal.isStyled }),
      json,
    };
  });
}

function importFile(number: Command, admin: Admin): void {
  const command = ofFile(
    verb(number, 'import', 'register the numbers of a file: one per line, or a column of a CSV file', [
      'import --org Acme numbers.txt',
    ]),
  );
  runs<FileOptions & { org: string }>(command, admin, async (session, options, path = '') => {
    const organization = await requireOrganization(session.db, options.org);
    const { numbers, duplicates, faults } = await importedNumbers(
      session.terminal,
      path,
      options,
      readOwnNumber,
    );
    const added = await register(session, organization, { action: 'number.import', numbers });
    const already = numbers.length - added;
    const text =
      `Registered ${added} numbers; ${already} were already registered. ` +
      `Skipped ${duplicates} duplicates and ${faults.length} invalid rows.`;
    return { text, json: { added, already_registered: already, duplicates, skipped: faults.length } };
  });
}
