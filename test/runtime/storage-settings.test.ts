import { readAdminSettings } from '../../api/settings';
import { bucketBeforeFolder } from '../../runtime/storage';
import { folderStorage, keysInFolder } from '../../runtime/storage/folder-storage';
import { temporaryFolder } from '../dev/temporary-folder';
import { pieces, storedText } from './stored-text';

const REQUIRED = {
  DATABASE_URL: 'postgres://localhost/calls',
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
};

const read = (env: Record<string, string>) => readAdminSettings({ ...REQUIRED, ...env }).storage;

test('uses a folder unless a bucket is configured', () => {
  expect(read({ DATA_DIR: '/data' })).toEqual({ dataDir: '/data', s3: null });
  expect(read({ S3_BUCKET: 'calls' }).s3).toEqual({
    bucket: 'calls',
    region: 'us-east-1',
    endpoint: null,
    isPathStyle: false,
    prefix: '',
    credentials: null,
    encryption: null,
  });
});

test('puts the bucket into the path for a custom endpoint, unless set otherwise', () => {
  const own = { S3_BUCKET: 'calls', S3_ENDPOINT: 'http://minio:9000' };
  expect(read(own).s3).toMatchObject({ endpoint: 'http://minio:9000', isPathStyle: true });
  expect(read({ ...own, S3_PATH_STYLE: 'false' }).s3).toMatchObject({ isPathStyle: false });
});

test.each(['platform', 'platform/'])('normalizes the prefix %s to end with one slash', (S3_PREFIX) => {
  expect(read({ S3_BUCKET: 'calls', S3_PREFIX }).s3?.prefix).toBe('platform/');
});

test.each([
  [{ S3_ENCRYPTION: 'AES256' }, { algorithm: 'AES256' }],
  [{ S3_ENCRYPTION: 'aws:kms' }, { algorithm: 'aws:kms', keyId: null }],
  [
    { S3_ENCRYPTION: 'aws:kms', S3_KMS_KEY_ID: 'one' },
    { algorithm: 'aws:kms', keyId: 'one' },
  ],
])('reads %j as the encryption %j', (env, encryption) => {
  expect(read({ S3_BUCKET: 'calls', ...env }).s3?.encryption).toEqual(encryption);
});

test.each<[string, Record<string, string>]>([
  ['S3_ENDPOINT has no effect without S3_BUCKET. Set it too', { S3_ENDPOINT: 'http://minio:9000' }],
  ['S3_ACCESS_KEY_ID has no effect without S3_BUCKET', { S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' }],
  ['S3_SECRET_ACCESS_KEY is required with S3_ACCESS_KEY_ID', { S3_BUCKET: 'calls', S3_ACCESS_KEY_ID: 'a' }],
  [
    'S3_SECRET_ACCESS_KEY has no effect without S3_ACCESS_KEY_ID',
    { S3_BUCKET: 'calls', S3_SECRET_ACCESS_KEY: 'b' },
  ],
  ['S3_ENCRYPTION must be one of', { S3_BUCKET: 'calls', S3_ENCRYPTION: 'rot13' }],
  ['S3_KMS_KEY_ID has no effect without S3_ENCRYPTION=aws:kms', { S3_BUCKET: 'calls', S3_KMS_KEY_ID: 'one' }],
  ['S3_PREFIX', { S3_BUCKET: 'calls', S3_PREFIX: '../up' }],
])('rejects inconsistent or invalid settings: %s', (fault, env) => {
  expect(() => read(env)).toThrow(fault);
});

test('reads and removes old files from the folder when a bucket is set, but writes no new ones there', async () => {
  const [dataDir, elsewhere] = [temporaryFolder(), temporaryFolder()];
  const folder = folderStorage(dataDir);
  const bucket = folderStorage(elsewhere);
  const storage = bucketBeforeFolder(bucket, folder);
  await folder.put('old.csv', Buffer.from('old'));
  await storage.put('new.csv', Buffer.from('new'));
  await storage.putStream('new.wav', pieces('audio'));
  expect(await storedText(storage, 'old.csv')).toBe('old');
  expect(await storedText(storage, 'new.csv')).toBe('new');
  expect(await keysInFolder(dataDir)).toEqual(['old.csv']);
  for (const key of ['old.csv', 'new.csv', 'new.wav']) await storage.remove(key);
  expect([...(await keysInFolder(dataDir)), ...(await keysInFolder(elsewhere))]).toEqual([]);
});
