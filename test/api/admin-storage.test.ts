import { moveBetween, type FileMove } from '../../runtime/storage';
import { StorageUnavailable, type FileStorage } from '../../runtime/storage/file-storage';
import { folderStorage, keysInFolder } from '../../runtime/storage/folder-storage';
import { temporaryFolder } from '../dev/temporary-folder';
import { storedText } from '../runtime/stored-text';
import { AdminConsole } from './support/admin-console';

const FILES = 100;

let admin: AdminConsole;
let folder: string;
let bucketFolder: string;
let bucket: FileStorage;

beforeAll(async () => {
  admin = await AdminConsole.open();
});
beforeEach(async () => {
  folder = temporaryFolder();
  bucketFolder = temporaryFolder();
  bucket = folderStorage(bucketFolder);
  for (let n = 0; n < FILES; n += 1)
    await folderStorage(folder).put(`recordings/${n}.wav`, Buffer.from(`audio ${n}`));
  admin.fileMove = into(bucket);
});
afterAll(() => admin.close());

const into = (target: FileStorage): FileMove => moveBetween(folder, target);

test('moves every file, reports progress and records the action', async () => {
  const { status, err, json } = await admin.run('storage move --json --as Asha');
  expect(status).toBe(0);
  expect(json).toEqual({ moved: FILES, already_there: 0, removed_meanwhile: 0 });
  expect(err.split('\n')).toHaveLength(10);
  expect(err).toMatch(/^10 of 100 files moved\n20 of 100/);
  expect(await keysInFolder(folder)).toEqual([]);
  expect(await keysInFolder(bucketFolder)).toHaveLength(FILES);
  expect(await storedText(bucket, 'recordings/17.wav')).toBe('audio 17');
  expect(await admin.db('audit_log').where({ action: 'storage.move' })).toMatchObject([{ actor_id: 'Asha' }]);
});

test('continues after an outage without losing a file or copying one twice', async () => {
  let puts = 0;
  const putStream = jest.spyOn(bucket, 'putStream');
  admin.fileMove = into({
    ...bucket,
    putStream: (key, content) => {
      if ((puts += 1) > 40) return Promise.reject(new StorageUnavailable(new Error('ECONNREFUSED')));
      return bucket.putStream(key, content);
    },
  });
  const broken = await admin.run('storage move');
  expect(broken.status).toBe(1);
  expect(broken.err).toContain('40 of 100 files were moved. Run the command again to move the rest');
  expect(await keysInFolder(folder)).toHaveLength(60);
  admin.fileMove = into(bucket);
  expect(await admin.json('storage move')).toMatchObject({ moved: 60, already_there: 0 });
  expect(await keysInFolder(bucketFolder)).toHaveLength(FILES);
  expect(putStream).toHaveBeenCalledTimes(FILES);
});

test('keeps a file that the bucket already has', async () => {
  await bucket.put('recordings/3.wav', Buffer.from('recorded again'));
  expect(await admin.json('storage move')).toMatchObject({ moved: FILES - 1, already_there: 1 });
  expect(await storedText(bucket, 'recordings/3.wav')).toBe('recorded again');
  expect(await keysInFolder(folder)).toEqual([]);
});

test('deletes the copy of a file that was removed during the copy', async () => {
  admin.fileMove = into({
    ...bucket,
    putStream: async (key, content) => {
      const bytes = await bucket.putStream(key, content);
      if (key === 'recordings/3.wav') await folderStorage(folder).remove(key);
      return bytes;
    },
  });
  expect(await admin.json('storage move')).toMatchObject({ moved: FILES - 1, removed_meanwhile: 1 });
  expect(await bucket.read('recordings/3.wav')).toBeUndefined();
});

test('leaves unfinished uploads alone, and accepts a folder without files', async () => {
  admin.fileMove = moveBetween(temporaryFolder(), bucket);
  expect(await admin.json('storage move')).toEqual({ moved: 0, already_there: 0, removed_meanwhile: 0 });
  await folderStorage(folder).putStream(
    'late.csv',
    (async function* () {
      yield Buffer.from('half');
      expect(await keysInFolder(folder)).not.toContain('late.csv');
      expect((await keysInFolder(folder)).length).toBe(FILES);
      yield Buffer.from('whole');
    })(),
  );
});

test('names the missing setting when no bucket is configured', async () => {
  admin.fileMove = null;
  const { status, err } = await admin.run('storage move');
  expect([status, err]).toEqual([
    1,
    'No bucket is configured. Set S3_BUCKET to the same value as for the API',
  ]);
});
