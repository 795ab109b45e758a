import type { MailAnswer, MailSender, OutgoingMail } from '../../../activities/mail/sender';

export interface TakenMail extends OutgoingMail {
  /** Workflow time. */
  at: number;
}

/** A mail server that keeps what it was given, whatever it then answered. */
export class FakeMailServer implements MailSender {
  readonly taken: TakenMail[] = [];
  /** To the n-th attempt at a recipient; accepts unless a test says otherwise. What it throws is the end of the worker in mid-answer. */
  answer: (to: string, nth: number) => MailAnswer = () => ({ kind: 'accepted' });

  constructor(private readonly now: () => Promise<number>) {}

  async send(mail: OutgoingMail): Promise<MailAnswer> {
    this.taken.push({ ...mail, at: await this.now() });
    return this.answer(mail.to, this.taken.filter(({ to }) => to === mail.to).length);
  }

  close(): void {}
}
