/** Where the e-mail to one recipient stands; `skipped`: no mail server is configured. */
export type MailStatus = 'pending' | 'sent' | 'failed' | 'skipped';

/** What became of one that is not pending any more. */
export type MailOutcome = Exclude<MailStatus, 'pending'>;
