/** Files in a bucket, over the S3 protocol. */
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { retentionActivities, type Forgotten } from '../../activities/retention';
import { setRetention } from '../../db/organizations/retention';
import { StorageUnavailable } from '../../runtime/storage/file-storage';
import { bucketBeforeFolder, moveBetween } from '../../runtime/storage';
import { s3Storage } from '../../runtime/storage/s3-storage';
import { folderStorage, keysInFolder } from '../../runtime/storage/folder-storage';
import { temporaryFolder } from '../dev/temporary-folder';
import { pieces, storedText } from '../runtime/stored-text';
import { EngineDatabase, START } from '../db/support/engine-database';
import { describeWith } from '../servers/availability';
import { agentOf } from './support/agent-access';
import { newAgent, newCall, newCampaign } from './support/rows';
import { S3Bucket } from './support/s3-bucket';
import { StoredPerson } from './support/stored-person';
import { openTestApi, type TestApi } from './support/test-api';

const ADMIN = join(__dirname, '..', '..', 'dist', 'api', 'admin', 'main.js');
const MIB = 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;

jest.setTimeout(120_000);

describeWith('s3', 'files in a bucket', () => {
  let bucket: S3Bucket;
  beforeEach(async () => {
    bucket = await S3Bucket.open();
  });
  afterEach(() => bucket.close());

  test('reads a file completely or in part, and returns nothing for a missing one', async () => {
    const storage = bucket.storage();
    await storage.put('a.csv', Buffer.from('0123456789'));
    expect(await storedText(storage, 'a.csv')).toBe('0123456789');
    expect(await storedText(storage, 'a.csv', { first: 2, last: 4 })).toBe('234');
    expect((await storage.read('a.csv', { first: 2, last: 4 }))?.bytes).toBe(3);
    expect(await storage.read('b.csv')).toBeUndefined();
    expect(await bucket.everything()).toEqual(['a.csv']);
  });

  test('checks the bucket without storing anything, and fails if the bucket is missing', async () => {
    const { signal } = new AbortController();
    await bucket.storage().check(signal);
    expect(await bucket.everything()).toEqual([]);
    const missing = s3Storage(bucket.options({ bucket: 'nobodys' })).check(signal);
    await expect(missing).rejects.toThrow(StorageUnavailable);
  });

  test('streams a file in small parts, and reads it back unchanged', async () => {
    const hash = createHash('sha256');
    async function* content(): AsyncGenerator<Buffer> {
      for (let n = 0; n < 12; n += 1) {
        const chunk = randomBytes(MIB);
        hash.update(chunk);
        yield await Promise.resolve(chunk);
      }
    }
    const storage = bucket.storage();
    expect(await storage.putStream('recordings/long.wav', content())).toBe(12 * MIB);
    const stored = await storage.read('recordings/long.wav');
    const back = await buffer(stored?.content ?? Readable.from([]));
    expect([stored?.bytes, createHash('sha256').update(back).digest('hex')]).toEqual([
      12 * MIB,
      hash.digest('hex'),
    ]);
  });

  test.each([
    ['small', 0],
    ['in parts', 7],
  ])(
    'keeps the earlier content when an upload that is %s is interrupted, and leaves no parts behind',
    async (_size, mib) => {
      const storage = bucket.storage();
      await storage.put('a.wav', Buffer.from('before'));
      const fault = new Error('broke off');
      async function* broken(): AsyncGenerator<Buffer> {
        for (let n = 0; n < mib; n += 1) yield await Promise.resolve(randomBytes(MIB));
        throw fault;
      }
      await expect(storage.putStream('a.wav', broken())).rejects.toBe(fault);
      expect(await storedText(storage, 'a.wav')).toBe('before');
      expect(await bucket.everything()).toEqual(['a.wav']);
    },
  );

  test('removes the parts of a killed upload once a later upload has stored the file', async () => {
    await bucket.leaveUnfinished('a.wav');
    await bucket.leaveUnfinished('a.wav.old');
    await bucket.storage().putStream('a.wav', pieces('x'.repeat(6 * MIB)));
    expect(await bucket.everything()).toEqual(['a.wav', 'a.wav.old unfinished']);
  });

  test('removes a file together with the parts of a killed upload, but not files with a longer name', async () => {
    const storage = bucket.storage();
    await storage.put('a.csv', Buffer.from('whole'));
    await storage.put('a.csv.old', Buffer.from('another'));
    await bucket.leaveUnfinished('a.csv');
    await storage.remove('a.csv');
    await storage.remove('a.csv');
    expect(await bucket.everything()).toEqual(['a.csv.old']);
  });

  test('removes all versions of a file if the bucket keeps versions', async () => {
    await bucket.keepVersions();
    const storage = bucket.storage();
    for (const text of ['one', 'two', 'three']) await storage.put('a.csv', Buffer.from(text));
    expect(await bucket.everything()).toHaveLength(3);
    await storage.remove('a.csv');
    expect(await bucket.everything()).toEqual([]);
  });

  test('stores files below the configured prefix', async () => {
    await bucket.storage({ prefix: 'platform/' }).put('a.csv', Buffer.from('x'));
    expect(await bucket.everything()).toEqual(['platform/a.csv']);
    expect(await storedText(bucket.storage({ prefix: 'platform/' }), 'a.csv')).toBe('x');
  });

  test('stores files encrypted as configured, even if streamed', async () => {
    const keyId = 'key-of-the-recordings';
    await bucket.storage({ encryption: { algorithm: 'AES256' } }).put('a.csv', Buffer.from('x'));
    const storage = bucket.storage({ encryption: { algorithm: 'aws:kms', keyId } });
    await storage.putStream('b.wav', pieces('x'));
    await storage.putStream('c.wav', pieces('x'.repeat(6 * MIB)));
    expect((await bucket.head('a.csv')).ServerSideEncryption).toBe('AES256');
    for (const key of ['b.wav', 'c.wav']) {
      expect(await bucket.head(key)).toMatchObject({ ServerSideEncryption: 'aws:kms', SSEKMSKeyId: keyId });
    }
  });

  test('throws StorageUnavailable without an address in the message if the bucket is missing', async () => {
    const storage = bucket.storage({ bucket: 'no-such-bucket' });
    const error: unknown = await storage.put('a.csv', Buffer.from('x')).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(StorageUnavailable);
    expect(String(error)).toBe('StorageUnavailable: The file storage failed: NoSuchBucket');
    await expect(storage.putStream('a.wav', pieces('x'))).rejects.toThrow(StorageUnavailable);
    await expect(storage.remove('a.csv')).rejects.toThrow(StorageUnavailable);
  });

  test('throws StorageUnavailable within 20 seconds if the storage never responds', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const storage = bucket.storage({ endpoint: `http://127.0.0.1:${port}` });
    const startedAt = performance.now();
    await expect(storage.read('a.csv')).rejects.toThrow(StorageUnavailable);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  test('moves files from the folder while they are read, and drops those that are removed in the meantime', async () => {
    const dataDir = temporaryFolder();
    const folder = folderStorage(dataDir);
    const storage = bucketBeforeFolder(bucket.storage(), folder);
    for (let n = 0; n < 20; n += 1) await folder.put(`recordings/${n}.wav`, Buffer.from(`audio ${n}`));
    const move = moveBetween(dataDir, bucket.storage());
    const keys = await move.keys();
    expect(keys).toHaveLength(20);
    await Promise.all([
      ...keys.map((key) => move.move(key)),
      ...keys.slice(0, 10).map((key) => storage.remove(key)),
    ]);
    expect(await keysInFolder(dataDir)).toEqual([]);
    expect(await bucket.everything()).toEqual(keys.slice(10).sort());
    for (const key of keys.slice(10)) expect(await storedText(storage, key)).toMatch(/^audio \d+$/);
  });

  test('leaves no data of an erased person in any version', async () => {
    await bucket.keepVersions();
    const person = await StoredPerson.open(bucket.storage());
    await person.clear();
    await person.talked();
    await person.campaign();
    expect(await bucket.everything()).toHaveLength(2);
    expect(await person.erase()).toMatchObject({ recordings: 1, contact_files: 1 });
    expect(await bucket.everything()).toEqual([]);
    await person.close();
  });

  test('leaves no data past its retention in any version, and keeps the rest', async () => {
    await bucket.keepVersions();
    const person = await StoredPerson.open(bucket.storage());
    const { admin, owner } = person;
    const campaignId = await person.campaign();
    await admin.engine.set(campaignId, { status: 'completed', ended_at: new Date(START) });
    await person.talked();
    const kept = await person.talked({ ended_at: new Date(START + 20 * DAY_MS) });
    expect(await bucket.everything()).toHaveLength(3);
    await setRetention(admin.db, owner.organizationId, { recordings: 30, contacts: 30 });
    const retention = retentionActivities({
      db: admin.db,
      clock: () => START + 31 * DAY_MS,
      settings: {
        auditDays: null,
        deliveryDays: null,
        callDays: null,
        callbacks: { hashKeys: [Buffer.alloc(32)] },
      },
      log: { info: () => undefined, warn: () => undefined },
      files: admin.storage,
    });
    const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
    const forgotten: Forgotten = await environment.run(() => retention.enforceRetention());
    expect(forgotten).toMatchObject({ recordings: 1, contactFiles: 1 });
    expect(await bucket.everything()).toEqual([`recordings/${kept}.wav`]);
    expect(await admin.db('recordings').pluck('call_id')).toEqual([kept]);
    await person.close();
  });

  test("moves the files of the operator's folder with the admin command", async () => {
    const engine = await EngineDatabase.open();
    const dataDir = temporaryFolder();
    await folderStorage(dataDir).put('recordings/a.wav', Buffer.from('audio'));
    const { stdout } = await promisify(execFile)(process.execPath, [ADMIN, 'storage', 'move', '--json'], {
      timeout: 60_000,
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: engine.url,
        SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
        DATA_DIR: dataDir,
        ...bucket.environment(),
        S3_PREFIX: 'platform',
        S3_ENCRYPTION: 'AES256',
      },
    });
    expect(JSON.parse(stdout)).toEqual({ moved: 1, already_there: 0, removed_meanwhile: 0 });
    expect(await bucket.everything()).toEqual(['platform/recordings/a.wav']);
    expect((await bucket.head('platform/recordings/a.wav')).ServerSideEncryption).toBe('AES256');
    await engine.close();
  });

  describe('files in a bucket behind the API', () => {
    let api: TestApi;
    beforeEach(async () => {
      api = await openTestApi({ carrierSecret: 'a-secret-of-the-carrier', storage: bucket.storage() });
    });
    afterEach(() => api.close());

    test('stores and returns a contact file, and a recording completely and in part', async () => {
      const id = await newCampaign(api);
      const { status, text, headers } = await api.ask(`/api/campaigns/${id}/file`);
      expect([status, headers.get('content-length')]).toEqual([200, String(text.length)]);
      expect(text).toMatch(/^name,phone_number/);
      const callId = await newCall(api, {
        agent_id: await newAgent(api),
        stage: 'over',
        call_status: 'completed',
      });
      const audio = `RIFF${'0123456789'.repeat(MIB)}`;
      const stored = await api.ask(`/api/carrier/calls/${callId}/recording`, {
        method: 'PUT',
        as: null,
        body: audio,
        headers: { ...agentOf(api, callId), 'Content-Type': 'audio/wav' },
      });
      expect(stored.status).toBe(204);
      const part = await api.ask(`/api/stream/${callId}`, { headers: { Range: 'bytes=4-13' } });
      expect([part.status, part.text]).toEqual([206, '0123456789']);
      const whole = await api.ask(`/api/stream/${callId}`);
      expect(whole.text === audio).toBe(true);
      const { body: history } = await api.ask(`/api/call-history?call_id=${callId}`);
      const address: string = history.data[0].recording_api.replace('https://calls.example.test', '');
      const signed = await api.ask(address, { as: null, headers: { Range: 'bytes=4-13' } });
      expect([signed.status, signed.text]).toEqual([206, '0123456789']);
      expect((await api.ask(`/api/stream/${callId}`, { as: null })).status).toBe(401);
      expect(await bucket.everything()).toEqual([`${id}.csv`, `recordings/${callId}.wav`]);
    });
  });
});
