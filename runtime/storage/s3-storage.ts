/** Files in a bucket of any storage that has S3's interface. */
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  type ListObjectVersionsCommandOutput,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { StorageUnavailable, type ByteRange, type FileStorage } from './file-storage';

export interface S3Options {
  bucket: string;
  region: string;
  /** Null is Amazon's own of the region. */
  endpoint: string | null;
  /** The bucket in the path of addresses and not in the host's name, as most servers but Amazon's want it. */
  isPathStyle: boolean;
  /** Before each key, with a slash at its end unless empty. */
  prefix: string;
  /** Null leaves it to the SDK: its variables, its files, the machine's role. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  /** What the storage encrypts with; null leaves it to the bucket. */
  encryption: { algorithm: 'AES256' } | { algorithm: 'aws:kms'; keyId: string | null } | null;
}

/** S3's least: what is smaller goes out in one request. */
const PART_BYTES = 5 * 1024 * 1024;
/** Parts on their way at once: what one upload holds in memory. */
const PARTS_AT_ONCE = 2;
const CONNECT_WITHIN_MS = 2_000;
/** Without a byte either way. */
const SILENT_MS = 5_000;
/** For a request until its answer begins: a part over 2 megabits a second takes it. */
const ANSWER_WITHIN_MS = 20_000;

/** A bucket that is away is noticed by the first request. Every fault is a `StorageUnavailable`. */
export function s3Storage(options: S3Options): FileStorage {
  const client = openClient(options);
  const at = (key: string) => ({ Bucket: options.bucket, Key: `${options.prefix}${key}` });
  const encrypted = encryptionOf(options);
  return {
    put: (key, content) =>
      orUnavailable(async () => {
        await client.send(new PutObjectCommand({ ...at(key), ...encrypted, Body: content }));
      }),
    async putStream(key, content) {
      // Before the first part, so that no kill leaves a whole file beside parts that nobody comes back for.
      const source = counted(content, () => orUnavailable(() => abortUploads(client, at(key))));
      const upload = new Upload({
        client,
        params: { ...at(key), ...encrypted, Body: Readable.from(source.chunks) },
        partSize: PART_BYTES,
        queueSize: PARTS_AT_ONCE,
      });
      try {
        // Should it fail, it also takes its parts back.
        await upload.done();
      } catch (error) {
        if (source.broken() === null) throw new StorageUnavailable(error);
      }
      // What breaks off is the sender's fault, whatever the SDK makes of it.
      const fault = source.broken();
      if (fault !== null) throw fault.error;
      return source.bytes();
    },
    read: (key, range) =>
      orUnavailable(async () => {
        try {
          const found = await client.send(new GetObjectCommand({ ...at(key), ...rangeOf(range) }));
          return { bytes: found.ContentLength ?? 0, content: found.Body as Readable };
        } catch (error) {
          if (error instanceof NoSuchKey) return undefined;
          throw error;
        }
      }),
    remove: (key) => orUnavailable(() => removeAll(client, at(key))),
    check: (abortSignal) =>
      orUnavailable(async () => {
        await client.send(new HeadBucketCommand({ Bucket: options.bucket }), { abortSignal });
      }),
  };
}

function openClient(options: S3Options): S3Client {
  return new S3Client({
    region: options.region,
    forcePathStyle: options.isPathStyle,
    ...(options.endpoint === null ? {} : { endpoint: options.endpoint }),
    ...(options.credentials === null ? {} : { credentials: options.credentials }),
    // Sums in trailers, which the SDK sends by default, are refused by servers other than Amazon's.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: CONNECT_WITHIN_MS,
      socketTimeout: SILENT_MS,
      requestTimeout: ANSWER_WITHIN_MS,
      throwOnRequestTimeout: true,
    },
  });
}

function encryptionOf({ encryption }: S3Options) {
  if (encryption === null) return {};
  const ServerSideEncryption = encryption.algorithm;
  if (encryption.algorithm === 'AES256' || encryption.keyId === null) return { ServerSideEncryption };
  return { ServerSideEncryption, SSEKMSKeyId: encryption.keyId };
}

const rangeOf = (range: ByteRange | undefined): { Range?: string } =>
  range === undefined ? {} : { Range: `bytes=${range.first}-${range.last}` };

async function orUnavailable<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    throw new StorageUnavailable(error);
  }
}

/** Passes it on, and remembers how much it was and what broke it off. A file that needs parts has them prepared for first. */
function counted(content: AsyncIterable<Buffer>, beforeParts: () => Promise<void>) {
  let bytes = 0;
  let broken: { error: unknown } | null = null;
  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of content) {
        const isFirstPartFull = bytes < PART_BYTES && bytes + chunk.length >= PART_BYTES;
        if (isFirstPartFull) await beforeParts();
        bytes += chunk.length;
        yield chunk;
      }
    } catch (error) {
      broken = { error };
      throw error;
    }
  }
  return { chunks: chunks(), bytes: () => bytes, broken: () => broken };
}

interface Place {
  Bucket: string;
  Key: string;
}

/** The object, in a bucket with versions all of them, and the parts of uploads that were killed. */
async function removeAll(client: S3Client, place: Place): Promise<void> {
  const removed = await client.send(new DeleteObjectCommand(place));
  // Only named where the bucket has versions, or had.
  if (removed.VersionId !== undefined) {
    for await (const page of versionPages(client, place)) {
      for (const VersionId of page) await client.send(new DeleteObjectCommand({ ...place, VersionId }));
    }
  }
  await abortUploads(client, place);
}

/** What killed uploads left is in no listing of files, and is paid for. One that is under way fails, as where the storage is away. */
async function abortUploads(client: S3Client, place: Place): Promise<void> {
  const { Bucket, Key } = place;
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: Key }));
  for (const { Key: key, UploadId } of Uploads) {
    if (key === Key) await client.send(new AbortMultipartUploadCommand({ ...place, UploadId }));
  }
}

async function* versionPages(client: S3Client, { Bucket, Key }: Place): AsyncGenerator<string[]> {
  let next: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } | null = {};
  while (next !== null) {
    const page: ListObjectVersionsCommandOutput = await client.send(
      new ListObjectVersionsCommand({ Bucket, Prefix: Key, ...next }),
    );
    yield [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])].flatMap((version) =>
      version.Key === Key && version.VersionId !== undefined ? [version.VersionId] : [],
    );
    next =
      page.IsTruncated === true
        ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker }
        : null;
  }
}
