/** Sends e-mails through one mail server. Its results contain no addresses, so that none reaches errors or logs. */
import { createRequire } from 'node:module';
import type * as Nodemailer from 'nodemailer';
import { isMailAddress } from '../../domain/completion-mail';

export interface OutgoingMail {
  /** Must be exactly one address. */
  to: string;
  /** The same for each attempt, because mail systems drop duplicates by Message-ID. */
  messageKey: string;
  subject: string;
  text: string;
  html: string;
  attachment: { filename: string; contentType: string; content: Buffer } | null;
}

/** `refused`: no retry will succeed. `later`: a retry may succeed. */
export type MailAnswer = { kind: 'accepted' } | { kind: 'refused' | 'later'; error: string };

export interface MailSender {
  send(mail: OutgoingMail): Promise<MailAnswer>;
  /** Closes idle connections. Messages in flight are still sent. */
  close(): void;
}

interface SmtpOptions {
  /**
   * `smtp://` uses STARTTLS if the server offers it, and `smtps://` uses TLS. The query can set nodemailer options, such as
   * `?requireTLS=true` or `?tls.rejectUnauthorized=false`.
   */
  url: string;
  from: { name: string; address: string };
}

/** Loads nodemailer only for the first e-mail, so that the worker starts fast. */
const nodemailer = (): typeof Nodemailer => createRequire(__filename)('nodemailer') as typeof Nodemailer;

const CONNECT_WITHIN_MS = 10_000;
const SILENT_FOR_MS = 30_000;
/** Time limit of the whole message. A server that responds slowly but steadily never exceeds `SILENT_FOR_MS`. */
const SEND_WITHIN_MS = 60_000;

const openTransport = (url: string) =>
  nodemailer().createTransport({
    url,
    pool: true,
    maxConnections: 3,
    // Retry once, in case the server has closed an idle connection. Temporal retries other failures.
    maxRequeues: 1,
    connectionTimeout: CONNECT_WITHIN_MS,
    greetingTimeout: CONNECT_WITHIN_MS,
    dnsTimeout: CONNECT_WITHIN_MS,
    socketTimeout: SILENT_FOR_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

/** Opens a connection only for a message. */
export function smtpSender({ url, from }: SmtpOptions): MailSender {
  let transport: ReturnType<typeof openTransport> | null = null;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    async send({ to, messageKey, subject, text, html, attachment }) {
      // Given a list, the library would send to every address in it.
      if (!isMailAddress(to)) return { kind: 'refused', error: 'the address is not a single e-mail address' };
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
          // Suppress automatic replies, such as "out of office".
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
 * A 5xx response to the message or its recipient is final. A 5xx response to our greeting or login is retried, because an operator can
 * correct the configuration.
 */
function answerOf(error: unknown): MailAnswer {
  const { code, responseCode, response } = smtpFault(error);
  if (responseCode === null) return { kind: 'later', error: `no connection: ${code}` };
  const enhanced = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
  const isOfMessage = code === 'EENVELOPE' || code === 'EMESSAGE';
  return {
    kind: isOfMessage && responseCode >= 500 ? 'refused' : 'later',
    error: `the mail server answered with code ${responseCode}${enhanced === undefined ? '' : ` ${enhanced}`} (${code})`,
  };
}

/** Extracts only codes, because the error texts of the library and the server may contain addresses. */
function smtpFault(error: unknown): { code: string; responseCode: number | null; response: string } {
  const nothing = { code: 'unknown', responseCode: null, response: '' };
  if (typeof error !== 'object' || error === null) return nothing;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
  const responseCode =
    'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : null;
  const response = 'response' in error && typeof error.response === 'string' ? error.response : '';
  return { code, responseCode, response };
}
