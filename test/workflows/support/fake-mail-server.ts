import type { MailAnswer, MailSender, OutgoingMail } from '../../../activities/mail/sender';

export interface TakenMail extends OutgoingMail {
  /** In workflow time. */
  at: number;
}

/** A mail server that records every message, regardless of its response. */
export class FakeMailServer implements MailSender {
  readonly taken: TakenMail[] = [];
  /** The response to the n-th attempt for a recipient. Default: accepted. An error simulates a worker that dies during the response. */
  answer: (to: string, nth: number) => MailAnswer = () => ({ kind: 'accepted' });

  constructor(private readonly now: () => Promise<number>) {}

  async send(mail: OutgoingMail): Promise<MailAnswer> {
    this.taken.push({ ...mail, at: await this.now() });
    return this.answer(mail.to, this.taken.filter(({ to }) => to === mail.to).length);
  }

  close(): void {}
}
