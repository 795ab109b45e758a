/** Status of the e-mail to one recipient. `skipped`: there is no mail server, no contact was called, or the daily limit is reached. */
export const MAIL_STATUSES = ['pending', 'sent', 'failed', 'skipped', 'unconfirmed'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

/** The final statuses. */
export type MailOutcome = Exclude<MailStatus, 'pending' | 'unconfirmed'>;
