import { htmlOf } from './html';
import type { CompletionMail } from './mail';
import { oneLine } from './sentence';
import { textOf } from './text';

/** Asks the owner of an address for consent. The only text from outside is the organization's name, which an operator set. */
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
