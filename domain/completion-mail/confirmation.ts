import { htmlOf } from './html';
import type { CompletionMail } from './mail';
import { oneLine } from './sentence';
import { textOf } from './text';

/** Asks the owner of an address. Nothing in it is the organization's own words but its name, which an operator gave. */
export function confirmationMail({ clientName, link }: { clientName: string; link: string }): CompletionMail {
  const content = {
    subject: 'Confirm that you want reports by e-mail',
    title: 'Confirm your address',
    lead: [
      `${oneLine(clientName, 120)} wants to send reports about its calling campaigns to this address.`,
      `To agree, open this page within seven days: ${link}`,
    ],
    sections: [],
    end: ['If you do not expect this, do nothing: no report is sent.'],
  };
  return { subject: content.subject, text: textOf(content), html: htmlOf(content) };
}
