import type { ContactState } from '../../domain/call-outcome';
import {
  completionMail,
  confirmationMail,
  isMailAddress,
  readSender,
  type MailFacts,
} from '../../domain/completion-mail';

const ATTACHED = { kind: 'attached', filename: 'campaign-1.csv' } as const;

const FACTS: MailFacts = {
  campaign: {
    id: '1',
    campaignName: 'Check-up reminders',
    organizationName: 'Tulsi Dental Care',
    agentName: 'Meera',
    status: 'completed',
    statusReason: null,
    createdAt: new Date('2026-11-02T04:30:00.000Z'),
    endedAt: new Date('2026-11-03T10:07:30.000Z'),
  },
  groups: [
    group('completed', { outcome: 'interested', contacts: 20 }),
    group('completed', { outcome: 'callback_requested', contacts: 3 }),
    group('completed', { outcome: null, callStatus: 'voicemail', contacts: 2 }),
    group('failed', { reason: 'no_answer', contacts: 9 }),
    group('failed', { reason: 'busy', contacts: 4 }),
    group('invalid', { reason: 'invalid_number', contacts: 2 }),
    group('dnd', { reason: 'dnd', called: false, contacts: 5 }),
    group('duplicate', { reason: 'row 2', called: false, contacts: 1 }),
  ],
  calls: {
    placed: 71,
    answered: 25,
    talkMs: 3_795_000,
    credits: 80,
    firstAt: new Date('2026-11-02T05:00:10.000Z'),
  },
  callbacks: [{ status: 'scheduled', contacts: 3 }],
  noteworthy: [
    { kind: 'callback', row: 12, name: 'Asha Rao', summary: 'Wants to talk on Friday.' },
    { kind: 'invalid', row: 40, name: 'Dev Shah', summary: null },
  ],
};

function group(state: ContactState, rest: Partial<MailFacts['groups'][number]>): MailFacts['groups'][number] {
  return { state, reason: null, called: true, callStatus: null, outcome: null, contacts: 1, ...rest };
}

const mailOf = (changes: Partial<MailFacts> = {}) => completionMail({ ...FACTS, ...changes }, ATTACHED);
const named = (campaignName: string) => mailOf({ campaign: { ...FACTS.campaign, campaignName } });

test("states the campaign's results in words", () => {
  const { subject, text } = mailOf();
  expect(subject).toBe('Completed: Check-up reminders (25 of 46 reached)');
  expect(text).toBe(`Check-up reminders
The campaign of Tulsi Dental Care with the agent Meera is completed.
The first call was made on 2 Nov 2026, 05:00 UTC, and it ended on 3 Nov 2026, 10:07 UTC.

Contacts
  in the file             46
  called                  40
  reached                 25 (63 % of those called)
  called and not reached  15
  not called              6

Contacts that were reached
  interested            20
  requested a callback  3
  voicemail             2

Contacts that were not reached
  there was no answer                                                 9
  the number is on a do-not-disturb list                              5
  the line was busy                                                   4
  the number does not exist                                           2
  the number appears more than once in the file (it was called once)  1

Calls
  made            71
  answered        25
  minutes talked  63.25
  credits         80

Requested callbacks
  scheduled  3

Needs attention
  - row 12, Asha Rao: requested a callback. Wants to talk on Friday.
  - row 40, Dev Shah: the number does not exist; correct it.

The report is attached (campaign-1.csv), with one line for each contact.
`);
});

test('puts every word of the plain text into the HTML', () => {
  const { text, html } = mailOf();
  const plain = html.replace(/<[^>]+>/g, ' ').replace(/&#39;/g, "'");
  const words = (all: string) => new Set(all.split(/\s+/));
  expect([...words(text)].filter((word) => word !== '-' && !words(plain).has(word))).toEqual([]);
});

test('reports a cancelled campaign as cancelled, with the reason', () => {
  const campaign = {
    ...FACTS.campaign,
    status: 'cancelled' as const,
    statusReason: 'cancelled by an operator',
  };
  const { subject, text } = mailOf({
    campaign,
    groups: [group('cancelled', { called: false, contacts: 7 })],
  });
  expect(subject).toBe('Cancelled: Check-up reminders (0 of 7 reached)');
  expect(text).toContain('Meera was cancelled (cancelled by an operator). Contacts that');
  expect(text).toContain('the campaign was cancelled first  7');
});

test('says that a campaign called no one, and omits the empty tables', () => {
  const calls = { placed: 0, answered: 0, talkMs: 0, credits: 0, firstAt: null };
  const groups = [group('expired', { called: false, reason: 'campaign_over' })];
  const { text } = mailOf({ calls, groups, callbacks: [], noteworthy: [] });
  expect(text).toContain(
    'created on 2 Nov 2026, 04:30 UTC and ended on 3 Nov 2026, 10:07 UTC. No contact was called.',
  );
  expect(text).not.toMatch(/Contacts that were reached|Requested callbacks|Needs attention|NaN/);
});

test('leaves out a report that is too large, and says where to download it', () => {
  expect(completionMail(FACTS, { kind: 'too_large' }).text).toContain('/api/campaigns/1/report');
});

test.each([
  ['a line feed', 'Sale\nBcc: evil@example.com'],
  ['a carriage return', 'Sale\rBcc: evil@example.com'],
  ['both', 'Sale\r\n\r\n<script>'],
  ["Unicode's own line ends", 'Sale\u2028Bcc: x\u2029\u0085y'],
  ['NUL and a bell', 'Sale\u0000\u0007'],
  ['characters that reverse the text', 'Sale\u202Egnp.exe'],
])('keeps a name with %s on one line in the subject and the text', (_what, name) => {
  const { subject, text } = named(name);
  expect(subject).toMatch(/^Completed: Sale[ -~]* \(25 of 46 reached\)$/);
  expect(text.split('\n')).toHaveLength(mailOf().text.split('\n').length);
});

test('escapes external text in the HTML', () => {
  const evil = `<img src=x onerror="alert('1')">&amp;`;
  const noteworthy = [{ kind: 'callback', row: 2, name: evil, summary: evil }] as const;
  const campaign = { ...FACTS.campaign, campaignName: evil, organizationName: evil, agentName: evil };
  const { html } = mailOf({ campaign, noteworthy });
  expect(html).not.toContain('<img');
  expect(html.match(/&lt;img src=x onerror=&quot;alert\(&#39;1&#39;\)&quot;&gt;&amp;amp;/g)).toHaveLength(6);
});

test('shortens a long name in the subject without splitting a character', () => {
  const { subject } = named('😀'.repeat(300));
  expect([...subject].length).toBeLessThan(160);
  expect(subject).not.toMatch(/\p{Surrogate}/u);
});

test('shows unknown outcomes and reasons as stored, and combines the rare ones', () => {
  const groups = Array.from({ length: 20 }, (_none, index) =>
    group('failed', { reason: `new_reason_${index}`, contacts: 20 - index }),
  );
  const { text } = mailOf({ groups });
  expect(text).toContain('  new reason 0   20\n');
  expect(text).not.toContain('new reason 12');
  expect(text).toContain(`  other          ${8 + 7 + 6 + 5 + 4 + 3 + 2 + 1}\n`);
});

test.each([
  'a@b.co',
  'first.last+tag@sub.example.com',
  "o'hara@example.ie",
  'कमल@उदाहरण.भारत',
  'calls@localhost',
])('accepts %s as one address', (text) => expect(isMailAddress(text)).toBe(true));

test.each([
  'b@x, evil@y',
  'b@x;evil@y',
  'b@x evil@y',
  'b@x\nevil@y',
  'b@x\r\nRCPT TO:<evil@y>',
  'B <b@x>',
  '<b@x>',
  'group: b@x',
  'b@x@y',
  '"b"@x',
  'b@[127.0.0.1]',
  '@x',
  'b@',
  'b',
  '',
  `${'b'.repeat(250)}@example.com`,
])('rejects %j because it is not exactly one address', (text) => {
  expect(isMailAddress(text)).toBe(false);
});

test.each([
  ['calls@example.com', { name: '', address: 'calls@example.com' }],
  ['Voice agent <calls@example.com>', { name: 'Voice agent', address: 'calls@example.com' }],
  ['"Agent, voice" <calls@example.com>', { name: 'Agent, voice', address: 'calls@example.com' }],
  ['Voice agent', undefined],
  ['A <a@b>, B <b@c>', undefined],
  ['A\nBcc: x@y <a@b>', undefined],
])('reads the sender %j', (text, sender) => expect(readSender(text)).toEqual(sender));

test.each([
  ['an address', 'Win https://evil.example.com/a?b=c'],
  ['a bare domain', 'Win at evil.example.com/now'],
  ['a domain after a line break', 'Win evil\n.example.com'],
  ['a domain with a dot of another script', 'Win evil。com'],
  ['an e-mail address', 'Write to win@evil.example'],
])('prevents mail programs from linking a name with %s', (_what, name) => {
  const { subject, text } = named(name);
  for (const shown of [subject, text.split('\n')[0]]) {
    expect(shown).not.toMatch(/\w:\/\/|\w[.。]\p{L}|\w@\w/u);
  }
});

test('writes a confirmation e-mail with the organization on one line and the complete link', () => {
  const link = 'https://calls.example.com/confirm-email?id=1&token=2.ab';
  const { subject, text, html } = confirmationMail({ organizationName: 'Acme\nhttps://evil.test', link });
  expect(subject).toBe('Confirm that you want reports by e-mail');
  expect(text).toContain(link);
  expect(text).toContain('Acme https: //evil. test wants to send');
  expect(html).toContain('token=2.ab');
});
