/** Hands e-mails to one mail server. Its answers are passed on without addresses: they stay out of errors and logs. */
import { createRequire } from 'node:module';
import type * as Nodemailer from 'nodemailer';
import { isMailAddress } from '../../domain/completion-mail';

export interface OutgoingMail {
  /** One address; a text that is none, or holds several, is refused. */
  to: string;
  /** The same for each attempt at the same message: mail systems drop the second of two with one Message-ID. */
  messageKey: string;
  subject: string;
  text: string;
  html: string;
  attachment: { filename: string; contentType: string; content: Buffer } | null;
}

/** `refused`: for good, by its recipient or its content. `later`: worth another attempt. */
export type MailAnswer = { kind: 'accepted' } | { kind: 'refused' | 'later'; error: string };

export interface MailSender {
  send(mail: OutgoingMail): Promise<MailAnswer>;
  /** Ends idle connections; messages under way are finished. */
  close(): void;
}

export interface SmtpOptions {
  /**
   * `smtp://` begins in the clear and changes to TLS where the server offers it; `smtps://` is TLS from the start. nodemailer's own
   * options may stand in the query: `?requireTLS=true`, `?tls.rejectUnauthorized=false`.
   */
  url: string;
  from: { name: string; address: string };
}

/** Loaded with the first e-mail, not with the worker. */
const nodemailer = (): typeof Nodemailer => createRequire(__filename)('nodemailer') as typeof Nodemailer;

const CONNECT_WITHIN_MS = 10_000;
const SILENT_FOR_MS = 30_000;
/** A server that trickles its answers is silent for no time-out. */
const SEND_WITHIN_MS = 60_000;

const openTransport = (url: string) =>
  nodemailer().createTransport({
    url,
    pool: true,
    maxConnections: 3,
    // A connection that the server closed while it was idle is one more attempt; what is lost in mid-message is the caller's to repeat.
    maxRequeues: 1,
    connectionTimeout: CONNECT_WITHIN_MS,
    greetingTimeout: CONNECT_WITHIN_MS,
    dnsTimeout: CONNECT_WITHIN_MS,
    socketTimeout: SILENT_FOR_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

/** Opens no connection before there is something to send. */
export function smtpSender({ url, from }: SmtpOptions): MailSender {
  let transport: ReturnType<typeof openTransport> | null = null;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    async send({ to, messageKey, subject, text, html, attachment }) {
      // The library reads a list in a text that holds one, in the envelope too.
      if (!isMailAddress(to)) return { kind: 'refused', error: 'it is no single e-mail address' };
      try {
        transport ??= openTransport(url);
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          envelope: { from: from.address, to: [to] },
          messageId: `<${messageKey}@${domain}>`,
          subject,
          text,
          html,
          attachments: attachment === null ? [] : [attachment],
          // No answer is wanted from machines: no "out of office", no list's rules.
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
          signal: AbortSignal.timeout(SEND_WITHIN_MS),
        });
        return { kind: 'accepted' };
      } catch (error) {
        return answerOf(error);
      }
    },
    close: () => transport?.close(),
  };
}

/**
 * A 5xx to the message or its recipient is for good. One to our greeting or log-in is not: it is about the configuration, which an
 * operator mends while the e-mails wait.
 */
function answerOf(error: unknown): MailAnswer {
  const { code, responseCode, response } = smtpFault(error);
  if (responseCode === null) return { kind: 'later', error: `no connection: ${code}` };
  const enhanced = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
  const isOfMessage = code === 'EENVELOPE' || code === 'EMESSAGE';
  return {
    kind: isOfMessage && responseCode >= 500 ? 'refused' : 'later',
    error: `the mail server answered ${responseCode}${enhanced === undefined ? '' : ` ${enhanced}`} (${code})`,
  };
}

/** The texts of the library and of the server may hold addresses: only codes are taken from them. */
function smtpFault(error: unknown): { code: string; responseCode: number | null; response: string } {
  const nothing = { code: 'unknown', responseCode: null, response: '' };
  if (typeof error !== 'object' || error === null) return nothing;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
  const responseCode =
    'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : null;
  const response = 'response' in error && typeof error.response === 'string' ? error.response : '';
  return { code, responseCode, response };
}
