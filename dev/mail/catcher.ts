/** A mail server that sends nothing on: what it is given is kept as files, for people and for the demo's and the tests' verdict. */
import { mkdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

export interface CaughtMail {
  at: string;
  messageId: string;
  /** Of the envelope: who would have got it. */
  recipients: string[];
  subject: string;
  text: string;
  html: string;
  attachments: { filename: string; bytes: number }[];
  /** The message as it came; beside it, with the ending `.json`, all of the above. */
  file: string;
}

export interface MailCatcherOptions {
  /** 0: any free one. */
  port: number;
  /** Made when the first message comes. */
  folder: string;
  onMail?: ((mail: CaughtMail) => void) | undefined;
}

export interface MailCatcher {
  /** As SMTP_URL wants it. */
  url: string;
  /** What this process has caught, in order. */
  messages: readonly CaughtMail[];
  close: () => Promise<void>;
}

const LOOPBACK = '127.0.0.1';
const MAX_BYTES = 30 * 1024 * 1024;

/** Rejects with EADDRINUSE when the port is taken. */
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
    // It has no certificate that anybody would believe, and asks for no password.
    disabledCommands: ['STARTTLS', 'AUTH'],
    size: MAX_BYTES,
    logger: false,
    closeTimeout: 100,
    // Accepted only once it is on disk: what was answered is there.
    onData: (stream, session, answer) =>
      void take(stream, session).then(
        () => answer(),
        (error: unknown) => answer(error instanceof Error ? error : new Error(String(error))),
      ),
  });
  // A sender that breaks off is no reason to end.
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

/** Sorts by time; the number distinguishes what comes in one millisecond. */
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
