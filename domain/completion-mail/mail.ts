export interface CompletionMail {
  /** A single line. */
  subject: string;
  text: string;
  html: string;
}
