/** Uploads of 10 MiB, and forms of many long fields. */
import { MIB, type BodyCase } from './body-case';

const BOUNDARY = 'bench-boundary';
const FILE_BYTES = 10 * MIB - 4096;

export function contactFileCases(agentId: string): BodyCase[] {
  const fields = formOf(agentId);
  const rows = (header: string, row: (at: number) => string) => () => fields + file(filled(header, row));
  return [
    uploaded('100 fields of 64 KiB', () =>
      Array.from({ length: 100 }, (_none, at) => field(`f${at}`, 'a@b.co,'.repeat(9_000))).join(''),
    ),
    uploaded('64 KiB of e-mail addresses', () => field('notification_emails', 'a@b.co,'.repeat(9_000))),
    uploaded(
      '10,000 contacts with 98 columns',
      rows(`name,phone_number,${columns(98)}`, (at) => `A,${number(at)}${',x23456789'.repeat(98)}`),
    ),
    uploaded(
      '10,000 contacts with 998 empty columns',
      rows(`name,phone_number,${columns(998)}`, (at) => `A,${number(at)}${','.repeat(998)}`),
    ),
    uploaded(
      '10 MiB of rows without a number',
      () => fields + file(`name,phone_number\n${'x\n'.repeat(FILE_BYTES / 2 - 20)}`),
    ),
    uploaded(
      '10 MiB of empty quotes',
      () => fields + file(`name,phone_number\n${'"",""\n'.repeat(FILE_BYTES / 6 - 20)}`),
    ),
    uploaded(
      '10,000 contacts whose numbers are none',
      rows('name,phone_number', (at) => `A,${'1'.repeat(1000)}${at}`),
    ),
    uploaded(
      '10,000 contacts of 1,000 bytes',
      rows('name,phone_number,note', (at) => `A,${number(at)},${'é'.repeat(500)}`),
    ),
  ];
}

const uploaded = (name: string, parts: () => string): BodyCase => ({
  name: `upload: ${name}`,
  method: 'POST',
  path: '/api/campaigns/create',
  contentType: `multipart/form-data; boundary=${BOUNDARY}`,
  body: () => Buffer.from(`${parts()}--${BOUNDARY}--\r\n`),
});

const field = (name: string, value: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

const file = (content: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="csv_file"; filename="contacts.csv"\r\nContent-Type: text/csv\r\n\r\n${content}\r\n`;

const number = (at: number): string => `+9198${String(10_000_000 + at)}`;

const columns = (count: number): string => Array.from({ length: count }, (_none, at) => `c${at}`).join(',');

/** As many of at most 10,000 rows as a file has room for. */
function filled(header: string, row: (at: number) => string): string {
  const lines = [header];
  let bytes = header.length;
  for (let at = 0; at < 10_000; at += 1) {
    const line = row(at);
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > FILE_BYTES) break;
    lines.push(line);
  }
  return `${lines.join('\n')}\n`;
}

function formOf(agentId: string): string {
  const fields = {
    campaign_name: 'Bench',
    agent_id: agentId,
    concurrency: '1',
    from_date: '2099-01-01',
    to_date: '2099-12-31',
    start_time: '04:00',
    end_time: '10:30',
    days_of_week: 'monday',
  };
  return Object.entries(fields)
    .map(([name, value]) => field(name, value))
    .join('');
}
