/** Opens the configured storage. */
import Joi from 'joi';
import { moveBetween, type FileMove } from './file-move';
import type { FileStorage } from './file-storage';
import { folderStorage } from './folder-storage';
import type { S3Options } from './s3-storage';

export interface StorageSettings {
  /** Folder of the files that aren't in the bucket. */
  dataDir: string;
  /** Null if there is no bucket. */
  s3: S3Options | null;
}

export interface StorageEnvironment {
  DATA_DIR: string;
  S3_BUCKET?: string;
  S3_REGION: string;
  S3_ENDPOINT?: string;
  S3_PATH_STYLE?: boolean;
  S3_PREFIX: string;
  S3_ACCESS_KEY_ID?: string;
  S3_SECRET_ACCESS_KEY?: string;
  S3_ENCRYPTION?: 'AES256' | 'aws:kms';
  S3_KMS_KEY_ID?: string;
}

/** Rejects a variable that has no effect without another. */
const onlyWith = (name: keyof StorageEnvironment, schema: Joi.Schema = Joi.string()): Joi.Schema =>
  schema.when(name, {
    is: Joi.exist(),
    otherwise: Joi.forbidden().messages({
      'any.unknown': `{{#label}} is only allowed together with ${name}`,
    }),
  });

export const storageVariables = {
  /** Folder of contact files and recordings. */
  DATA_DIR: Joi.string().default('.data'),
  S3_BUCKET: Joi.string(),
  S3_REGION: Joi.string().default('us-east-1'),
  S3_ENDPOINT: onlyWith('S3_BUCKET', Joi.string().uri({ scheme: ['http', 'https'] })),
  S3_PATH_STYLE: Joi.boolean(),
  S3_PREFIX: Joi.string()
    .pattern(/^(?!.*\.\.)[\w.-]+(\/[\w.-]+)*\/?$/)
    .default(''),
  S3_ACCESS_KEY_ID: onlyWith('S3_BUCKET'),
  S3_SECRET_ACCESS_KEY: Joi.string().when('S3_ACCESS_KEY_ID', {
    is: Joi.exist(),
    then: Joi.required(),
    otherwise: Joi.forbidden().messages({
      'any.unknown': '{{#label}} is only allowed together with S3_ACCESS_KEY_ID',
    }),
  }),
  S3_ENCRYPTION: onlyWith('S3_BUCKET', Joi.string().valid('AES256', 'aws:kms')),
  S3_KMS_KEY_ID: Joi.string().when('S3_ENCRYPTION', {
    is: 'aws:kms',
    otherwise: Joi.forbidden().messages({
      'any.unknown': '{{#label}} is only allowed together with S3_ENCRYPTION=aws:kms',
    }),
  }),
};

export const storageSettings = (values: StorageEnvironment): StorageSettings => ({
  dataDir: values.DATA_DIR,
  s3: s3Of(values),
});

function s3Of(values: StorageEnvironment): S3Options | null {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_PREFIX: prefix } = values;
  if (bucket === undefined) return null;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values;
  return {
    bucket,
    region: values.S3_REGION,
    endpoint: endpoint ?? null,
    isPathStyle: values.S3_PATH_STYLE ?? endpoint !== undefined,
    prefix: prefix === '' ? '' : `${prefix.replace(/\/$/, '')}/`,
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined ? null : { accessKeyId, secretAccessKey },
    encryption: encryptionOf(values),
  };
}

function encryptionOf({ S3_ENCRYPTION: algorithm, S3_KMS_KEY_ID }: StorageEnvironment) {
  if (algorithm === undefined) return null;
  return algorithm === 'AES256' ? { algorithm } : { algorithm, keyId: S3_KMS_KEY_ID ?? null };
}

export function fileStorage({ dataDir, s3 }: StorageSettings): FileStorage {
  const folder = folderStorage(dataDir);
  return s3 === null ? folder : bucketBeforeFolder(bucketOf(s3), folder);
}

/** Moves the folder's files into the bucket; null without a bucket. */
export const fileMove = ({ dataDir, s3 }: StorageSettings): FileMove | null =>
  s3 === null ? null : moveBetween(dataDir, bucketOf(s3));

/** Loads the SDK with the first request, because it takes 0.25 s and 21 MiB. */
function bucketOf(options: S3Options): FileStorage {
  let loading: Promise<FileStorage> | null = null;
  const bucket = (): Promise<FileStorage> =>
    (loading ??= import('./s3-storage.js').then(({ s3Storage }) => s3Storage(options)));
  return {
    put: async (key, content) => (await bucket()).put(key, content),
    putStream: async (key, content) => (await bucket()).putStream(key, content),
    read: async (key, range) => (await bucket()).read(key, range),
    remove: async (key) => (await bucket()).remove(key),
    check: async (signal) => (await bucket()).check(signal),
  };
}

/** Stores into the bucket, and reads from the folder until `admin storage move` has moved the file. */
export function bucketBeforeFolder(bucket: FileStorage, folder: FileStorage): FileStorage {
  return {
    put: (key, content) => bucket.put(key, content),
    putStream: (key, content) => bucket.putStream(key, content),
    read: async (key, range) => (await bucket.read(key, range)) ?? (await folder.read(key, range)),
    // Removes from the folder first, so that a concurrent move finds the file gone and deletes its copy.
    async remove(key) {
      await folder.remove(key);
      await bucket.remove(key);
    },
    check: (signal) => bucket.check(signal),
  };
}
