/** Stores files in a bucket of any S3-compatible storage. */
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
  /** Null uses Amazon's endpoint for the region. */
  endpoint: string | null;
  /** Puts the bucket into the path instead of the host name, as most servers other than Amazon's require. */
  isPathStyle: boolean;
  /** Prefix of each key. Must be empty or end with a slash. */
  prefix: string;
  /** If null, the SDK finds credentials in its variables, its files or the machine's role. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  /** Server-side encryption. Null uses the bucket's default. */
  encryption: { algorithm: 'AES256' } | { algorithm: 'aws:kms'; keyId: string | null } | null;
}

/** The smallest part that S3 allows. A smaller file is sent in one request. */
const PART_BYTES = 5 * 1024 * 1024;
/** Parts in flight, which an upload holds in memory. */
const PARTS_AT_ONCE = 2;
const CONNECT_WITHIN_MS = 2_000;
/** Longest time without a byte in either direction. */
const SILENT_MS = 5_000;
/** Time limit for the start of a response. Uploading a part takes this long over a link of 2 Mbit/s. */
const ANSWER_WITHIN_MS = 20_000;

/** Opens a bucket without sending a request. Every failure is a `StorageUnavailable`. */
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
      // Runs before the first part, so that the parts of a killed upload don't remain forever.
      const source = counted(content, () => orUnavailable(() => abortUploads(client, at(key))));
      const upload = new Upload({
        client,
        params: { ...at(key), ...encrypted, Body: Readable.from(source.chunks) },
        partSize: PART_BYTES,
        queueSize: PARTS_AT_ONCE,
      });
      try {
        // Removes its own parts if it fails.
        await upload.done();
      } catch (error) {
        if (source.broken() === null) throw new StorageUnavailable(error);
      }
      // If the source broke off, report that error instead of the SDK's.
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
    // Servers other than Amazon's reject checksums in trailers, which are the SDK's default.
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

/** Passes the content through, counts its bytes and remembers an error. Runs `beforeParts` before a file that needs several parts. */
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

/** Removes the object with all its versions, and the parts of killed uploads. */
async function removeAll(client: S3Client, place: Place): Promise<void> {
  const removed = await client.send(new DeleteObjectCommand(place));
  // Set only if the bucket has or once had versioning.
  if (removed.VersionId !== undefined) {
    for await (const page of versionPages(client, place)) {
      for (const VersionId of page) await client.send(new DeleteObjectCommand({ ...place, VersionId }));
    }
  }
  await abortUploads(client, place);
}

/** Removes parts of killed uploads, which cost money although no listing shows them. A concurrent upload of the same key fails. */
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
