/** Writes multipart forms by hand, so that they can be malformed. */
import fc from 'fast-check';
import { hostileText } from './hostile';

export interface Part {
  name: string;
  /** Set for a file part. */
  filename?: string;
  content: Buffer;
}

const BOUNDARY = 'between-the-parts';

export interface WrittenForm {
  contentType: string;
  body: Buffer;
}

export function writtenForm(parts: readonly Part[], boundary = BOUNDARY): WrittenForm {
  const chunks = parts.flatMap(({ name, filename, content }) => {
    const file = filename === undefined ? '' : `; filename="${quoted(filename)}"`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${file}\r\n\r\n`;
    return [Buffer.from(head), content, Buffer.from('\r\n')];
  });
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

const quoted = (text: string): string => text.replaceAll('"', '%22').replace(/[\r\n]/g, ' ');

type Breaking = (parts: readonly Part[]) => WrittenForm;

const withBody =
  (change: (body: Buffer) => Buffer): Breaking =>
  (parts) => {
    const form = writtenForm(parts);
    return { ...form, body: change(form.body) };
  };
const withParts =
  (change: (parts: readonly Part[]) => Part[]): Breaking =>
  (parts) =>
    writtenForm(change(parts));
const extra = (name: string, content = 'x', filename?: string): Part => ({
  name,
  content: Buffer.from(content),
  ...(filename === undefined ? {} : { filename }),
});

/** Every known way to break a form. */
export const brokenForm: fc.Arbitrary<Breaking> = fc.oneof(
  fc.constantFrom<Breaking>(
    withBody((body) => body.subarray(0, Math.floor(body.length / 2))),
    withBody((body) => body.subarray(0, -4)),
    withBody(() => Buffer.alloc(0)),
    withBody((body) => Buffer.concat([Buffer.from('preamble\r\n\r\n\0'), body])),
    withBody((body) => Buffer.from(body.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')),
    withBody((body) => Buffer.from(body.toString('latin1').replace('form-data', 'attachment'), 'latin1')),
    withBody((body) => Buffer.from(body.toString('latin1').replace('name=', 'nome='), 'latin1')),
    (parts) => ({ ...writtenForm(parts), contentType: 'multipart/form-data' }),
    (parts) => ({ ...writtenForm(parts), contentType: 'multipart/form-data; boundary=' }),
    (parts) => ({ ...writtenForm(parts), contentType: 'multipart/form-data; boundary=another' }),
    (parts) => ({ ...writtenForm(parts), contentType: `multipart/mixed; boundary=${BOUNDARY}` }),
    (parts) => writtenForm(parts, 'x'.repeat(70)),
    withParts((parts) => [...parts, ...parts]),
    withParts((parts) => [...parts, extra('other_file', 'x', 'other.csv')]),
    withParts((parts) => [...parts, extra('csv_file')]),
    withParts((parts) => parts.map((part) => ({ ...part, filename: '../../../../etc/passwd' }))),
    withParts((parts) => parts.map((part) => ({ ...part, name: `${part.name}[]` }))),
    withParts((parts) => [...parts, extra('__proto__'), extra('constructor')]),
    withParts((parts) => [...parts, extra('__proto__[polluted]', 'true')]),
    withParts((parts) => [...parts, extra('a[b][c]', '1'), extra('')]),
    withParts((parts) => [...parts, extra('x'.repeat(500))]),
    withParts((parts) => [...parts, ...Array.from({ length: 150 }, (_each, n) => extra(`field${n}`))]),
    withParts((parts) => [...parts, extra('long', 'x'.repeat(70_000))]),
  ),
  hostileText.map((name) => withParts((parts) => [...parts, extra(name)])),
  hostileText.map((filename) =>
    withParts((parts) => parts.map((part) => (part.filename === undefined ? part : { ...part, filename }))),
  ),
);

const person = (n: number) => `Asha ${n},+9198765432${10 + n}`;
const table = (rows: number) =>
  `name,phone_number\n${Array.from({ length: rows }, (_each, n) => person(n)).join('\n')}`;

export const contactFile: fc.Arbitrary<Buffer> = fc
  .constantFrom(
    table(1),
    table(3),
    table(80),
    `\ufeff${table(2)}`,
    'Full Name;Mobile\nAsha;9876543210\n',
    'phone\tcustomer_name\tcity\n09876543210\tAsha\t"Pu""ne"\n',
    'name,phone_number,sum\r\nAsha,919876543210,=1+1\r\n',
  )
  .map((text) => Buffer.from(text));

/** Contact files that are rejected or malicious. */
export const hostileFile: fc.Arbitrary<Buffer> = fc.oneof(
  fc
    .constantFrom<string | Buffer>(
      '',
      'name,phone_number\n',
      'name\nAsha\n',
      'name,phone_number,__proto__\nAsha,9876543210,1\n',
      'name,phone_number,constructor\nAsha,9876543210,1\n',
      'name,phone_number,name\nAsha,9876543210,x\n',
      'name,phone_number\nAsha\n',
      'name,phone_number\n"Asha,9876543210\n',
      'name,phone_number\nAs\0ha,9876543210\n',
      'name,phone_number\n,\n',
      `name,phone_number\nAsha,${'9'.repeat(5000)}\n`,
      `name,phone_number\n${'A'.repeat(200_000)},9876543210\n`,
      `${'column,'.repeat(5000)}name,phone_number\n`,
      Buffer.from(`\ufeff${table(1)}`, 'utf16le'),
      Buffer.from([0x6e, 0xff, 0xfe, 0x00, 0x80]),
      Buffer.from('%PDF-1.7\n'),
    )
    .map((content) => Buffer.from(content as string)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  hostileText.map((text) => Buffer.from(`name,phone_number,extra\nAsha,9876543210,${text}\n`)),
);
