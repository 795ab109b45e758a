import { setTimeout as sleep } from 'node:timers/promises';
import { Option, type Command } from 'commander';
import { eraseAddress, type ErasedAddress } from '../../../db/campaigns/mail-addresses';
import { recordAudit } from '../../../db/organizations/audit';
import { removeListedFiles } from '../../../db/organizations/files-to-remove';
import {
  allOrganizationIds,
  callsOf,
  erasePerson,
  forgetRegistryAnswer,
  keepOnDndList,
  type ErasedPerson,
  type Person,
} from '../../../db/organizations/people';
import { hashingWith, numberHashKeys } from '../../../db/kernel/number-hash';
import { hangUp } from '../../calls/hang-up';
import { confirm, requireOrganization, audited, type Outcome, type Session, UsageError } from '../session';
import { givenNumber } from '../number-file';
import { label, mailAddress } from '../option-values';
import { fieldList } from '../table';
import { noun, runs, verb, type Admin } from '../verb';

/** Hanging up takes seconds. If the analysis of a call takes longer than this, the operator must repeat the command. */
const MAX_WAIT_MS = 60_000;
const CHECK_EVERY_MS = 500;

interface EraseOptions {
  phone?: string;
  email?: string;
  org?: string;
  hangUp?: true;
}

interface Erased extends ErasedPerson {
  onDndList: number;
}

export function personCommands(program: Command, admin: Admin): void {
  const person = noun(program, 'person', 'people who were called or who called');
  erase(person, admin);
}

function erase(person: Command, admin: Admin): void {
  const command = verb(person, 'erase', 'erase the personal data of a person', [
    'erase --phone +919876543210',
    'erase --phone +919876543210 --org Acme --hang-up --yes',
    'erase --email asha@example.com',
  ])
    .option('--phone <number>', 'number with + and its country code, or a ten-digit Indian number', label)
    .addOption(
      new Option('--email <address>', 'erase a recipient of campaign reports instead of a phone number')
        .argParser(mailAddress)
        .conflicts(['phone', 'hangUp']),
    )
    .option('--org <org>', 'id or name; default: all organizations')
    .option('--hang-up', 'end live calls with this person first');
  runs<EraseOptions>(command, admin, async (session, { phone, email, org, hangUp }) => {
    const organizationIds = async (): Promise<string[]> =>
      org === undefined ? allOrganizationIds(session.db) : [(await requireOrganization(session.db, org)).id];
    if (email !== undefined) return eraseEmail(session, await organizationIds(), email);
    if (phone === undefined) throw new UsageError('Pass either --phone or --email');
    const who = personOf(phone);
    return eraseNumber(session, await organizationIds(), who, hangUp === true);
  });
}

async function eraseNumber(
  session: Session,
  organizationIds: readonly string[],
  who: Person,
  mayHangUp: boolean,
): Promise<Outcome> {
  const consequence =
    'Their names, numbers, variables, transcripts and recordings will be deleted permanently. Counts and statuses stay.';
  await confirm(session.terminal, consequence, session.isConfirmed);
  await removeFiles(session);
  await untilCallsEnd(session, organizationIds, who, mayHangUp);
  const erased: Erased = {
    calls: 0,
    contacts: 0,
    recordings: 0,
    webhooks: 0,
    contactFiles: 0,
    onDndList: 0,
  };
  for (const organizationId of organizationIds) await eraseFrom(session, organizationId, who, erased);
  await forgetRegistryAnswer(session.db, who);
  return { text: shown(erased), json: asJson(erased) };
}

async function eraseEmail(
  session: Session,
  organizationIds: readonly string[],
  address: string,
): Promise<Outcome> {
  const consequence =
    'Campaigns will no longer send reports to this address, and records of sent reports will no longer contain it.';
  await confirm(session.terminal, consequence, session.isConfirmed);
  const sum: ErasedAddress = { addresses: 0, campaigns: 0, mails: 0 };
  for (const organizationId of organizationIds) {
    const erased = await audited(session, async (trx) => {
      const answer = await eraseAddress(trx, organizationId, address);
      const isFound = answer.addresses + answer.campaigns + answer.mails > 0;
      const record = { organizationId, action: 'person.erase' as const, subjectId: organizationId };
      return { answer, record: isFound ? record : null };
    });
    sum.addresses += erased.addresses;
    sum.campaigns += erased.campaigns;
    sum.mails += erased.mails;
  }
  const text = fieldList([
    ['organizations with the address', sum.addresses],
    ['campaigns with the address', sum.campaigns],
    ['e-mails to the address', sum.mails],
  ]);
  return { text, json: sum };
}

function personOf(text: string): Person {
  const number = givenNumber(text);
  const digits = number.slice(1);
  const national = number.startsWith('+91') ? [digits.slice(2), `0${digits.slice(2)}`] : [];
  return { number, spellings: [digits, `00${digits}`, ...national] };
}

/** Waits until the person has no open call, because a live call would store new personal data. */
async function untilCallsEnd(
  session: Session,
  organizationIds: readonly string[],
  person: Person,
  mayHangUp: boolean,
): Promise<void> {
  const { db, clock, log, actor } = session;
  const openCalls = async () => {
    const open: { organizationId: string; callId: string }[] = [];
    for (const organizationId of organizationIds) {
      const calls = await callsOf(db, organizationId, person);
      open.push(...calls.open.map((callId) => ({ organizationId, callId })));
    }
    return open;
  };
  const open = await openCalls();
  if (open.length === 0) return;
  if (!mayHangUp) {
    throw new UsageError(
      `Live or unprocessed calls of this person: ${open.length}. Pass --hang-up to end them, or try again later`,
    );
  }
  const temporal = session.temporal();
  for (const call of open) await hangUp({ db, clock, log, temporal }, { ...call, actor });
  const giveUpAt = performance.now() + MAX_WAIT_MS;
  while ((await openCalls()).length > 0) {
    if (performance.now() > giveUpAt) throw callsStillOpen();
    await sleep(CHECK_EVERY_MS);
  }
}

const callsStillOpen = (): UsageError =>
  new UsageError('A call of this person is live or still being processed. Try again in a few minutes');

async function eraseFrom(
  session: Session,
  organizationId: string,
  person: Person,
  erased: Erased,
): Promise<void> {
  const { db, actor, clock, secretsKeys } = session;
  const hashOf = hashingWith(numberHashKeys(secretsKeys));
  const result = await db.transaction(async (trx) => {
    const now = clock.now();
    const counts = await erasePerson(trx, organizationId, person, { now, hashOf });
    if (counts === undefined) throw callsStillOpen();
    const isListed = await keepOnDndList(trx, organizationId, person);
    if (counts.calls + counts.contacts > 0) {
      await recordAudit(trx, {
        organizationId,
        actor,
        action: 'person.erase',
        subjectId: organizationId,
        now,
      });
    }
    return { ...counts, isListed };
  });
  await removeFiles(session);
  erased.calls += result.calls;
  erased.contacts += result.contacts;
  erased.recordings += result.recordings;
  erased.webhooks += result.webhooks;
  erased.contactFiles += result.contactFiles;
  if (result.isListed) erased.onDndList += 1;
}

/** Also removes files left behind by an earlier run that died after it changed the rows. */
const removeFiles = ({ db, storage, clock }: Session): Promise<void> =>
  removeListedFiles({ db, files: storage }, clock.now());

const shown = (erased: Erased): string =>
  fieldList([
    ['calls', erased.calls],
    ['contacts', erased.contacts],
    ['recordings', erased.recordings],
    ['webhooks', erased.webhooks],
    ['contact files rebuilt', erased.contactFiles],
    ['do-not-disturb lists that still contain the number', erased.onDndList],
  ]);

const asJson = (erased: Erased): object => ({
  calls: erased.calls,
  contacts: erased.contacts,
  recordings: erased.recordings,
  webhooks: erased.webhooks,
  contact_files: erased.contactFiles,
  dnd_lists: erased.onDndList,
});
