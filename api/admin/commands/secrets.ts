import type { Command } from 'commander';
import { recordAudit } from '../../../db/organizations/audit';
import { countToReEncrypt, reEncrypt, type ReEncrypted } from '../re-encryption';
import type { Terminal } from '../terminal';
import { table } from '../table';
import { UsageError } from '../usage-error';
import { noun, runs, verb, type Admin } from '../verb';

const PROGRESS_EVERY = 1_000;

export function secretsCommands(program: Command, admin: Admin): void {
  const secrets = noun(program, 'secrets', 'data encrypted with SECRETS_KEY');
  const summary = 're-encrypt data that was encrypted with SECRETS_KEY_PREVIOUS';
  const command = verb(secrets, 're-encrypt', summary, ['re-encrypt', 're-encrypt --count']).option(
    '--count',
    'only count the rows that still need SECRETS_KEY_PREVIOUS',
  );
  runs<{ count?: true }>(command, admin, async (session, { count }) => {
    const { db, secretsKeys, terminal, actor, clock } = session;
    const done =
      count === true
        ? await countToReEncrypt(db, secretsKeys)
        : await reEncrypt(db, secretsKeys, progressIn(terminal));
    if (total(done, 'renewed') > 0) {
      const record = {
        organizationId: null,
        action: 'secrets.re-encrypt' as const,
        subjectId: 'SECRETS_KEY',
      };
      await recordAudit(db, { ...record, actor, now: clock.now() });
    }
    if (count !== true && total(done, 'left') > 0) throw new UsageError(leftWords(done));
    const body = done.map(({ name, renewed, left }) => [name, renewed, left]);
    const text = table(['data', 're-encrypted', 'need the previous key'], body, {
      empty: '',
      isStyled: terminal.isStyled,
    });
    const free = total(done, 'left') === 0 ? FREE : '';
    return { text: text + free, json: { tables: done, left: total(done, 'left') } };
  });
}

/** After 24 hours, URLs signed with the previous key have expired (docs/production.md). */
const FREE =
  '\nNo row needs SECRETS_KEY_PREVIOUS. Remove it after 24 hours, when the URLs signed with it have expired.';

const total = (done: readonly ReEncrypted[], of: 'renewed' | 'unreadable' | 'left'): number =>
  done.reduce((sum, each) => sum + each[of], 0);

function leftWords(done: readonly ReEncrypted[]): string {
  const where = done.flatMap(({ name, left }) => (left > 0 ? [`${left} ${name}`] : []));
  const why =
    total(done, 'unreadable') > 0
      ? `${total(done, 'unreadable')} rows cannot be decrypted with either key. Set SECRETS_KEY_PREVIOUS to the key that encrypted them`
      : 'a process still encrypts with the previous key. Restart it with both keys and run this command again';
  return `Not finished (${where.join(', ')}): ${why}`;
}

function progressIn(terminal: Terminal): (name: string, renewed: number) => void {
  return (name, renewed) => {
    if (renewed % PROGRESS_EVERY === 0) terminal.note(`${renewed} ${name} re-encrypted`);
  };
}
