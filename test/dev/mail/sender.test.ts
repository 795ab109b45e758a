/** Tests the sender against a real mail server, to check what is sent over the network. */
import { readFileSync, statSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { smtpSender, type MailSender, type OutgoingMail } from '../../../activities/mail/sender';
import { startMailCatcher, type MailCatcher } from '../../../dev/mail/catcher';
import { temporaryFolder } from '../temporary-folder';

const FROM = { name: 'Voice agent, at Acme', address: 'calls@example.com' };
const MAIL: OutgoingMail = {
  to: 'manager@example.com',
  messageKey: 'campaign-1-1',
  subject: 'Completed: Check-up reminders – जाँच (2 of 3 reached)',
  text: 'Check-up reminders\n.\nA line that begins with a dot is above.\n',
  html: '<p>जाँच</p>',
  attachment: {
    filename: 'campaign-1.csv',
    contentType: 'text/csv; charset=utf-8',
    content: Buffer.from('row\r\n2\r\n'),
  },
};

const opened: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const folder = temporaryFolder();
let catchers = 0;

async function open(): Promise<{ catcher: MailCatcher; sender: MailSender }> {
  const catcher = await startMailCatcher({ port: 0, folder: join(folder, String((catchers += 1)), 'mail') });
  const sender = smtpSender({ url: catcher.url, from: FROM });
  opened.push(catcher.close, () => sender.close());
  return { catcher, sender };
}

describe('a message that the server accepts', () => {
  test('delivers a message with its subject, both bodies, the attachment, and a unique id', async () => {
    const { catcher, sender } = await open();
    await expect(sender.send(MAIL)).resolves.toEqual({ kind: 'accepted' });
    expect(catcher.messages).toMatchObject([
      {
        messageId: '<campaign-1-1@example.com>',
        recipients: [MAIL.to],
        subject: MAIL.subject,
        text: expect.stringContaining(MAIL.text),
        attachments: [{ filename: 'campaign-1.csv', bytes: 8 }],
      },
    ]);
    expect(catcher.messages[0]!.html).toContain('जाँच');
  });

  test('stores a message unchanged next to its parsed fields, readable only by its owner', async () => {
    const { catcher, sender } = await open();
    await sender.send(MAIL);
    const { file } = catcher.messages[0]!;
    const raw = readFileSync(file, 'utf8');
    expect(raw).toMatch(/^From: "Voice agent, at Acme" <calls@example\.com>\r$/m);
    expect(raw).toMatch(/^To: manager@example\.com\r$/m);
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(JSON.parse(readFileSync(file.replace(/eml$/, 'json'), 'utf8'))).toEqual(catcher.messages[0]);
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  test('keeps extra headers and recipients out of a message', async () => {
    const { catcher, sender } = await open();
    await sender.send({
      ...MAIL,
      subject: 'Sale\r\nBcc: evil@example.com\r\n\r\nbody',
      messageKey: 'a\r\nX-Evil: 1',
    });
    const [mail] = catcher.messages;
    expect(mail!.recipients).toEqual([MAIL.to]);
    const raw = readFileSync(mail!.file, 'utf8');
    const headers = raw.slice(0, raw.indexOf('\r\n\r\n'));
    expect(headers).not.toMatch(/^(Bcc|X-Evil):/m);
  });

  test('rejects a second address in the recipient field', async () => {
    const { catcher, sender } = await open();
    const answer = await sender.send({ ...MAIL, to: 'b@example.com, evil@example.com' });
    expect(answer).toEqual({ kind: 'refused', error: 'the address is not a single e-mail address' });
    expect(catcher.messages).toEqual([]);
  });

  test('gives each message its own id', async () => {
    const { catcher, sender } = await open();
    for (const nth of [1, 2, 3]) await sender.send({ ...MAIL, messageKey: `campaign-1-${nth}` });
    expect(new Set(catcher.messages.map(({ messageId }) => messageId)).size).toBe(3);
  });
});

/** Starts a scripted server that sends the greeting and answers each command by its first word. */
async function scripted(answers: Record<string, string>, greeting = '220 here'): Promise<MailSender> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.write(`${greeting}\r\n`);
    let inData = false;
    socket.on('data', (chunk: Buffer) => {
      for (const line of chunk.toString('latin1').split('\r\n')) {
        if (inData && line !== '.') continue;
        const word = inData ? '.' : (line.split(/[ :]/)[0] ?? '').toUpperCase();
        if (word === '') continue;
        const answer = answers[word] ?? (word === 'DATA' ? '354 go on' : '250 fine');
        inData = word === 'DATA' && answer.startsWith('354');
        socket.write(`${answer}\r\n`);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const sender = smtpSender({ url: `smtp://127.0.0.1:${port}`, from: FROM });
  opened.push(
    () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
    () => sender.close(),
  );
  return sender;
}

describe('a message that the server rejects', () => {
  test.each([
    [
      'an unknown recipient',
      { RCPT: '550 5.1.1 <manager@example.com> unknown' },
      'answered with code 550 5.1.1 (EENVELOPE)',
    ],
    ['a sender that it does not allow', { MAIL: '553 no' }, 'answered with code 553 (EENVELOPE)'],
    ['content that it considers spam', { '.': '554 5.7.1 spam' }, 'answered with code 554 5.7.1 (EMESSAGE)'],
  ])(
    'refuses a message permanently because of %s, with no address in the error',
    async (_why, answers, error) => {
      const sender = await scripted(answers);
      await expect(sender.send(MAIL)).resolves.toEqual({
        kind: 'refused',
        error: `the mail server ${error}`,
      });
    },
  );

  test.each([
    [
      'a full mailbox',
      { RCPT: '452 4.2.2 <manager@example.com> full' },
      'answered with code 452 4.2.2 (EENVELOPE)',
    ],
    ['greylisting', { RCPT: '451 come back' }, 'answered with code 451 (EENVELOPE)'],
    ['an error of the server', { '.': '451 disk' }, 'answered with code 451 (EMESSAGE)'],
  ])('allows a retry after a temporary rejection because of %s', async (_why, answers, error) => {
    const sender = await scripted(answers);
    await expect(sender.send(MAIL)).resolves.toEqual({ kind: 'later', error: `the mail server ${error}` });
  });

  test('allows a retry if the server rejects the connection', async () => {
    const sender = await scripted({}, '554 no service here for calls@example.com');
    const answer = await sender.send(MAIL);
    expect(answer).toMatchObject({ kind: 'later' });
    expect(JSON.stringify(answer)).not.toContain('@');
  });

  test('allows a retry if no server is listening on the port', async () => {
    const { catcher, sender } = await open();
    await catcher.close();
    await expect(sender.send(MAIL)).resolves.toMatchObject({
      kind: 'later',
      error: expect.stringMatching(/^no connection: E/),
    });
  });
});

test('fails with EADDRINUSE for a second mail catcher on the same port', async () => {
  const { catcher } = await open();
  const port = Number(new URL(catcher.url).port);
  await expect(startMailCatcher({ port, folder })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
