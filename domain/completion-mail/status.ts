/** The standing of the e-mail to one recipient. `skipped`: there is no mail server, no contact was called, or the day's limit is reached. */
export const MAIL_STATUSES = ['pending', 'sent', 'failed', 'skipped', 'unconfirmed'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

/** What became of one that is not pending any more. */
export type MailOutcome = Exclude<MailStatus, 'pending' | 'unconfirmed'>;
