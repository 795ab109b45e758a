import type { Command } from 'commander';
import { allowAddress, mailAddresses, removeAddress } from '../../../db/campaigns/mail-addresses';
import { mailAddress } from '../option-values';
import { requireOrganization, audited } from '../session';
import { table } from '../table';
import { noun, runs, verb, type Admin } from '../verb';

export function mailCommands(program: Command, admin: Admin): void {
  const mail = noun(program, 'mail', 'e-mail addresses that receive campaign reports');
  list(mail, admin);
  change(mail, admin, 'confirm', {
    purpose: 'confirm an address without sending it a confirmation e-mail',
    done: 'The address now receives reports.',
    undone: 'The address was already confirmed.',
  });
  change(mail, admin, 'remove', {
    purpose: 'send no reports to an address until it is confirmed again',
    done: 'The address no longer receives reports.',
    undone: 'The address was not on the list.',
  });
}

function list(mail: Command, admin: Admin): void {
  const command = verb(mail, 'list', 'list the addresses of an organization', [
    'list --org Acme',
  ]).requiredOption('--org <org>', 'id or name');
  runs<{ org: string }>(command, admin, async ({ db, terminal: { isStyled } }, options) => {
    const { id } = await requireOrganization(db, options.org);
    const found = await mailAddresses(db, id);
    const body = found.map(({ address, requestedAt, confirmedAt }) => [address, requestedAt, confirmedAt]);
    const head = ['address', 'requested', 'confirmed'];
    const text = table(head, body, { empty: 'There are no addresses.', isStyled });
    const json = found.map(({ address, requestedAt, confirmedAt }) => ({
      address,
      requested_at: requestedAt,
      confirmed_at: confirmedAt,
    }));
    return { text, json };
  });
}

function change(
  mail: Command,
  admin: Admin,
  name: 'confirm' | 'remove',
  { purpose, done, undone }: { purpose: string; done: string; undone: string },
): void {
  const command = verb(mail, name, purpose, [`${name} --org Acme --address asha@example.com`])
    .requiredOption('--org <org>', 'id or name')
    .requiredOption('--address <address>', 'e-mail address', mailAddress);
  runs<{ org: string; address: string }>(command, admin, async (session, { org, address }) => {
    const { id } = await requireOrganization(session.db, org);
    const isChanged = await audited(session, async (trx, now) => {
      const changed =
        name === 'confirm'
          ? await allowAddress(trx, id, address, now)
          : await removeAddress(trx, id, address);
      // The audit log must not contain the address, so the subject is the organization.
      const record = { organizationId: id, action: `mail.${name}` as const, subjectId: id };
      return { answer: changed, record: changed ? record : null };
    });
    return { text: isChanged ? done : undone, json: { changed: isChanged } };
  });
}
