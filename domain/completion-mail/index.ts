/** The e-mail about a campaign's end. */
import { mailContent } from './content';
import type { MailFacts, MailReport } from './facts';
import { htmlOf } from './html';
import type { CompletionMail } from './mail';
import { textOf } from './text';

export { isMailAddress, readSender } from './address';
export type { MailFacts, MailReport } from './facts';
export { confirmationMail } from './confirmation';
export type { CompletionMail } from './mail';
export { MAIL_STATUSES, type MailOutcome, type MailStatus } from './status';

export function completionMail(facts: MailFacts, report: MailReport): CompletionMail {
  const content = mailContent(facts, report);
  return { subject: content.subject, text: textOf(content), html: htmlOf(content) };
}
