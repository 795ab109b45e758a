/** Composes the e-mail about a campaign's end, and the e-mail that asks for consent to it. */
import { mailContent, oneLine, type MailFacts, type MailReport } from './content';
import { htmlOf, textOf } from './render';

export type { MailFacts, MailReport } from './content';

/** Status of the e-mail to one recipient. `skipped`: there is no mail server, no contact was called, or the daily limit is reached. */
export const MAIL_STATUSES = ['pending', 'sent', 'failed', 'skipped', 'unconfirmed'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

export type MailOutcome = Exclude<MailStatus, 'pending' | 'unconfirmed'>;

export interface CompletionMail {
  /** Must be a single line. */
  subject: string;
  text: string;
  html: string;
}

export function completionMail(facts: MailFacts, report: MailReport): CompletionMail {
  const content = mailContent(facts, report);
  return { subject: content.subject, text: textOf(content), html: htmlOf(content) };
}

/**
 * Composes the e-mail that asks the owner of an address for consent. Its only external text is the organization's name, which an operator
 * set.
 */
export function confirmationMail({
  organizationName,
  link,
}: {
  organizationName: string;
  link: string;
}): CompletionMail {
  const content = {
    subject: 'Confirm that you want reports by e-mail',
    title: 'Confirm your address',
    lead: [
      `${oneLine(organizationName, 120)} wants to send reports about its calling campaigns to this address.`,
      `To agree, open this page within seven days: ${link}`,
    ],
    sections: [],
    end: ['If you did not expect this e-mail, ignore it. You will not receive any reports.'],
  };
  return { subject: content.subject, text: textOf(content), html: htmlOf(content) };
}

const MAX_ADDRESS = 254;

/** Accepts exactly one address, without a name, comma or line break. Given a list, a mail library would send to every address in it. */
export function isMailAddress(text: string): boolean {
  return text.length <= MAX_ADDRESS && /^[^\s@,;:<>()[\]"\\\p{Cc}]+@[^\s@,;:<>()[\]"\\\p{Cc}]+$/u.test(text);
}

/** Reads `Name <address>` or a bare address. Returns undefined for anything else. */
export function readSender(text: string): { name: string; address: string } | undefined {
  const [, name = '', address = ''] = /^([^<>\p{Cc}]*)<([^<>]*)>$/u.exec(text.trim()) ?? [
    '',
    '',
    text.trim(),
  ];
  return isMailAddress(address) ? { name: name.trim().replace(/^"(.*)"$/, '$1'), address } : undefined;
}
