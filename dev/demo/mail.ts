import type { CaughtMail } from '../mail/catcher';
import type { Style } from './style';

/** Longer e-mails are truncated. The file has the rest. */
const MAX_LINES = 16;

/** Returns the beginning of the e-mail about the campaign's end, and the file with the rest. */
export function mailLines(mails: readonly CaughtMail[], style: Style): string[] {
  const mail = mails[0];
  if (mail === undefined) return ['no e-mail was received'];
  const attached = mail.attachments.map(
    ({ filename, bytes }) => `${filename}, ${Math.ceil(bytes / 1024)} KB`,
  );
  const lines = mail.text.trimEnd().split('\n').slice(1);
  return [
    `${style.bold(mail.subject)}  (attached: ${attached.join(', ') || 'nothing'})`,
    ...lines.slice(0, MAX_LINES).map((line) => `  ${line}`.trimEnd()),
    ...(lines.length > MAX_LINES ? [style.dim(`  … full text: ${mail.file}`)] : []),
  ];
}
