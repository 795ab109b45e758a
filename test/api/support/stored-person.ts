/** Stores one person everywhere that the platform stores anything, and searches for the remaining data. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../../../dev/remove-folder';
import { recordRecording } from '../../../db/calls/recordings';
import type { Owner } from '../../db/support/engine-database';
import { everyColumn } from '../../db/support/every-column';
import type { FileStorage } from '../../../runtime/storage/file-storage';
import { AdminConsole } from './admin-console';
import { emptyTables } from './empty-tables';

/** Number of each campaign's first contact. */
export const NUMBER = '+919876500000';
/** Number of the second contact. */
export const OTHER = '+919876500001';
/** Lower-case words that identify the person. None may remain after an erasure. */
export const PERSONAL = ['9876500000', 'asha', 'moonlight', 'koramangala', 'arthritis'];

const TABLES = [
  ...['all_calls', 'all_call_segments', 'call_words', 'call_reports', 'call_analyses', 'caption_listeners'],
  ...['recordings', 'retention_left', 'contacts', 'campaigns', 'completion_mails', 'webhook_deliveries'],
  ...['webhook_attempts', 'files_to_remove', 'dnd_numbers', 'idempotency_keys', 'audit_log'],
  ...[
    'dnd_registry_answers',
    'mail_addresses',
    'contact_lists',
    'list_contacts',
    'list_imports',
    'list_totals',
  ],
];

export class StoredPerson {
  private constructor(
    readonly admin: AdminConsole,
    public owner: Owner,
  ) {}

  static async open(storage?: FileStorage): Promise<StoredPerson> {
    const admin = await AdminConsole.open(storage);
    return new StoredPerson(admin, await admin.engine.owner());
  }

  /** Empties the tables and starts with another organization. */
  async clear(): Promise<void> {
    await emptyTables(this.admin.db, TABLES);
    await removeFolder(this.admin.dataDir);
    this.owner = await this.admin.engine.owner();
  }

  close(): Promise<void> {
    return this.admin.close();
  }

  erase(more = '', number = NUMBER): Promise<any> {
    const line = `person erase --phone ${number} --org ${this.owner.organizationId} --yes ${more}`;
    return this.admin.json(line.trim());
  }

  /** Inserts a call of the person with every personal field set, as it looks a minute after its end. */
  async talked(row: object = {}): Promise<string> {
    const callId = `outbound-0-${randomBytes(8).toString('hex')}`;
    await this.admin.db('calls').insert({
      call_id: callId,
      organization_id: this.owner.organizationId,
      agent_id: this.owner.agentId,
      agent_version: 1,
      call_type: 'Outbound',
      direction: 'Outbound',
      name: 'Asha',
      to_number: NUMBER,
      from_number: '+918000000001',
      metadata: { address: 'Koramangala' },
      modify_agent: { persona: { metadata: { friend: 'Asha' } } },
      session: { greeting: 'Hello Asha' },
      x_agent_id: 'desk-of-asha',
      stage: 'over',
      call_status: 'completed',
      end_reason: 'agent',
      accepted_at: new Date(this.admin.engine.now),
      ended_at: new Date(this.admin.engine.now),
      concluded_at: new Date(this.admin.engine.now),
      duration_ms: 60_000,
      call_cost: 1,
      summary: 'Asha has arthritis.',
      entity: { illness: 'arthritis' },
      eval_tag: 'interested',
      conversation_eval: { evaluation: { explanation: 'Asha was kind' } },
      tags: ['interested'],
      outcome: 'interested',
      post_processing_status: 'completed',
      ...row,
    });
    await this.admin.db('call_segments').insert({
      call_id: callId,
      start_ms: 0,
      end_ms: 900,
      speaker: 'user',
      text: 'The word is moonlight',
    });
    await this.admin.db('webhook_deliveries').insert({
      id: randomUUID(),
      event_id: randomUUID(),
      organization_id: this.owner.organizationId,
      call_id: callId,
      event: 'call.completed',
      url: 'https://receiver.example.test',
      body: JSON.stringify({
        event: 'call.completed',
        call_id: callId,
        contact: { name: 'Asha', phone: NUMBER },
        transcript: 'USER: The word is moonlight',
        summary: 'Asha has arthritis.',
      }),
      status: 'delivered',
      created_at: new Date(this.admin.engine.now),
    });
    const storageKey = `recordings/${callId}.wav`;
    await this.admin.storage.put(storageKey, Buffer.from('moonlight'));
    await recordRecording(
      this.admin.db,
      callId,
      { storageKey, contentType: 'audio/wav', bytes: 9 },
      this.admin.engine.now,
    );
    await this.admin.db('idempotency_keys').insert({
      organization_id: this.owner.organizationId,
      key: callId,
      fingerprint: Buffer.from('x'),
      subject_id: callId,
      created_at: new Date(this.admin.engine.now),
      leased_until: new Date(this.admin.engine.now),
      answer: Buffer.from('Asha'),
    });
    return callId;
  }

  /** Creates a campaign with the person as its first contact and a contact file that names them. */
  async campaign(extension = 'csv'): Promise<string> {
    const id = await this.admin.engine.campaign(this.owner, { contacts: 3 });
    const key = `${id}.${extension}`;
    await this.admin.engine.set(id, { contact_file_key: key, contact_columns: ['city', 'note'] });
    const contact = (row: number) => this.admin.db('contacts').where({ campaign_id: id, row_number: row });
    await contact(2).update({
      phone_number: NUMBER,
      name: 'Asha',
      variables: { city: 'Koramangala', note: 'arthritis' },
    });
    await contact(3).update({ phone_number: OTHER });
    await this.admin.storage.put(
      key,
      Buffer.from(`name,phone_number,city,note\nAsha,${NUMBER},Koramangala,arthritis\n`),
    );
    return id;
  }

  /** Returns the text of every column and every file, in lower case. */
  async everything(): Promise<{ where: string; text: string }[]> {
    const found = await everyColumn(this.admin.db);
    await mkdir(this.admin.dataDir, { recursive: true });
    for (const file of await readdir(this.admin.dataDir, { recursive: true, withFileTypes: true })) {
      const path = join(file.parentPath, file.name);
      found.push({ where: `file name ${file.name}`, text: path.toLowerCase() });
      if (file.isFile())
        found.push({ where: `file ${file.name}`, text: (await readFile(path, 'utf8')).toLowerCase() });
    }
    return found;
  }

  /** Returns the places that contain one of the lower-case words. */
  async holding(words: readonly string[]): Promise<string[]> {
    return (await this.everything())
      .filter(({ text }) => words.some((word) => text.includes(word)))
      .map(({ where }) => where);
  }
}
