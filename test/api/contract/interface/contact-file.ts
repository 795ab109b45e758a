/** Checks the contact file of a create request. */
import * as xlsx from '@e965/xlsx';
import { expectStatus, refusalOf, type Bench } from '../bench';
import type { Check, Coverage } from '../coverage';
import { cell, wordsOf } from '../values';

const FILE = 'Resources and their fields > Contact file (campaign input)';

export function contactFileChecks(coverage: Coverage): void {
  coverage.under(FILE, PROPERTIES);
}

async function contactsOf(bench: Bench, file: string | Buffer, filename?: string): Promise<any[]> {
  const answer = await bench.create({}, filename === undefined ? { file } : { file, filename });
  expectStatus(answer, 201);
  return (await bench.get(`/api/campaigns/${answer.body.id}/contacts?page_size=200`)).data;
}

const rule = (item: { cells: Readonly<Record<string, string>> }) => item.cells.Rule ?? '';

const underEveryName =
  (fileOf: (title: string) => string): Check =>
  async (bench, item) => {
    const [own] = wordsOf(cell(item, 'Property'));
    const names = [own, ...wordsOf(rule(item))];
    expect(names.length).toBeGreaterThan(3);
    for (const name of names) {
      const [contact] = await contactsOf(bench, fileOf(name ?? ''));
      expect([contact.name, contact.phone_number]).toEqual(['Asha', '+919876543210']);
    }
    expect(refusalOf(await bench.create({}, { file: fileOf('neither') }))).toEqual([
      400,
      'INVALID_CONTACT_FILE',
    ]);
  };

/** Returns a file with a header and this many rows, each with a different number. */
function fileOf(rows: number): string {
  const lines = Array.from({ length: rows }, (_, n) => `Asha,9${String(800_000_000 + n)}`);
  return ['name,phone_number', ...lines].join('\n');
}

const PROPERTIES: Readonly<Record<string, Check>> = {
  Formats: async (bench, item) => {
    const sheet = xlsx.utils.aoa_to_sheet([
      ['name', 'phone_number'],
      ['Asha', '+919876543210'],
    ]);
    const book = xlsx.utils.book_new(sheet, 'Contacts');
    for (const extension of wordsOf(rule(item))) {
      const type = extension === '.xls' ? 'biff8' : extension.slice(1);
      const content = xlsx.write(book, { type: 'buffer', bookType: type as xlsx.BookType }) as Buffer;
      const { status, body } = await bench.create({}, { file: content, filename: `contacts${extension}` });
      expect([status, body.contact_source_type]).toEqual([201, extension.slice(1)]);
    }
    const other = await bench.create({}, { filename: 'contacts.txt' });
    expect(refusalOf(other)).toEqual([400, 'INVALID_CONTACT_FILE']);
  },
  Encoding: async (bench) => {
    const text = 'name,phone_number\nआशा,+919876543210\n';
    for (const file of [text, `\ufeff${text}`]) expect((await contactsOf(bench, file))[0].name).toBe('आशा');
    for (const file of [
      Buffer.from(`\ufeff${text}`, 'utf16le'),
      Buffer.from('name,phone\nJos\xe9,9876543210', 'latin1'),
    ]) {
      expect(refusalOf(await bench.create({}, { file }))).toEqual([400, 'INVALID_CONTACT_FILE']);
    }
  },
  Rows: async (bench, item) => {
    const [, min, max] = /min (\d+), max ([\d,]+)/.exec(rule(item)) ?? [];
    const limits = [Number(min), Number(max?.replace(',', ''))] as const;
    for (const rows of limits) {
      const { id } = (await bench.create({}, { file: fileOf(rows) })).body;
      expect((await bench.get(`/api/campaigns/${id}`)).stats.total_calls).toBe(rows);
    }
    expect(refusalOf(await bench.create({}, { file: fileOf(limits[0] - 1) }))).toEqual([400, 'NO_CONTACTS']);
    expect(refusalOf(await bench.create({}, { file: fileOf(limits[1] + 1) }))).toEqual([
      400,
      'TOO_MANY_CONTACTS',
    ]);
  },
  'Required column name': underEveryName((title) => `${title},phone_number\nAsha,9876543210\n`),
  'Required column phone_number': underEveryName((title) => `name,${title}\nAsha,9876543210\n`),
  'Extra columns': async (bench) => {
    const [contact] = await contactsOf(bench, 'name,phone,city,City\nAsha,9876543210,Pune,Delhi\n');
    expect(contact.variables).toEqual({ city: 'Pune', City: 'Delhi' });
  },
  'Accepted phone forms': async (bench, item) => {
    const forms = wordsOf(rule(item)).map((form) => form.replace('XXXXXXXXXX', '9876543210'));
    expect(forms.length).toBe(4);
    for (const form of forms) {
      expect((await contactsOf(bench, `name,phone\nAsha,${form}\n`))[0].phone_number).toBe('+919876543210');
    }
    expect(refusalOf(await bench.create({}, { file: 'name,phone\nAsha,98765\n' }))).toEqual([
      400,
      'INVALID_CONTACT_FILE',
    ]);
  },
};
