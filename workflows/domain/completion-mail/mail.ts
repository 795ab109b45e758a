export interface CompletionMail {
  /** One line. */
  subject: string;
  text: string;
  html: string;
}
