/** A mail server that forwards nothing. It stores each message as files that users, the demo's verdict and tests read. */
import { mkdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

export interface CaughtMail {
  at: string;
  messageId: string;
  /** Recipients from the SMTP envelope. */
  recipients: string[];
  subject: string;
  text: string;
  html: string;
  attachments: { filename: string; bytes: number }[];
  /** The raw message. A file next to it with the extension `.json` holds all of these fields. */
  file: string;
}

interface MailCatcherOptions {
  /** 0 picks any free port. */
  port: number;
  /** Created when the first message arrives. */
  folder: string;
  onMail?: ((mail: CaughtMail) => void) | undefined;
}

export interface MailCatcher {
  /** In the format of SMTP_URL. */
  url: string;
  /** The messages this process has caught, in order. */
  messages: readonly CaughtMail[];
  close: () => Promise<void>;
}

const LOOPBACK = '127.0.0.1';
const MAX_BYTES = 30 * 1024 * 1024;

/** Rejects with EADDRINUSE if the port is in use. */
export async function startMailCatcher({ port, folder, onMail }: MailCatcherOptions): Promise<MailCatcher> {
  const messages: CaughtMail[] = [];
  const take = async (stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> => {
    const raw = await bytesOf(stream);
    if (stream.sizeExceeded) throw tooLarge();
    const mail = await stored(raw, session, join(folder, nameOf(messages.length + 1)));
    messages.push(mail);
    onMail?.(mail);
  };
  const server = new SMTPServer({
    authOptional: true,
    // No mail program would trust the server's certificate, and it needs no password.
    disabledCommands: ['STARTTLS', 'AUTH'],
    size: MAX_BYTES,
    logger: false,
    closeTimeout: 100,
    // Accepts a message only once it is on disk, so an accepted message is never lost.
    onData: (stream, session, answer) =>
      void take(stream, session).then(
        () => answer(),
        (error: unknown) => answer(error instanceof Error ? error : new Error(String(error))),
      ),
  });
  // A sender that drops the connection must not end the process.
  server.on('error', () => undefined);
  const listening = await listen(server, port);
  return {
    url: `smtp://${LOOPBACK}:${listening}`,
    messages,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function listen(server: SMTPServer, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const listener = server.listen(port, LOOPBACK);
    listener.once('error', reject);
    listener.once('listening', () => resolve((listener.address() as AddressInfo).port));
  });
}

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const tooLarge = (): Error => Object.assign(new Error('the message is too large'), { responseCode: 552 });

/** The name sorts by time. The number tells messages of the same millisecond apart. */
const nameOf = (nth: number): string =>
  `${new Date().toISOString().replace(/[-:]/g, '').replace('.', '-')}-${nth}`;

async function stored(raw: Buffer, session: SMTPServerSession, path: string): Promise<CaughtMail> {
  const parsed = await PostalMime.parse(raw, { attachmentEncoding: 'arraybuffer' });
  const mail: CaughtMail = {
    at: new Date().toISOString(),
    messageId: parsed.messageId ?? '',
    recipients: session.envelope.rcptTo.map(({ address }) => address),
    subject: parsed.subject ?? '',
    text: parsed.text ?? '',
    html: parsed.html ?? '',
    attachments: parsed.attachments.map(({ filename, content }) => ({
      filename: filename ?? '',
      bytes: typeof content === 'string' ? content.length : content.byteLength,
    })),
    file: `${path}.eml`,
  };
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
  await writeFile(`${path}.json`, `${JSON.stringify(mail, null, 2)}\n`, { mode: 0o600 });
  await writeFile(mail.file, raw, { mode: 0o600 });
  return mail;
}
