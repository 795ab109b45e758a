/** A bucket for one test on the shared S3 server. */
import { randomUUID } from 'node:crypto';
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  S3Client,
  UploadPartCommand,
  type HeadObjectCommandOutput,
} from '@aws-sdk/client-s3';
import { s3Storage, type S3Options } from '../../../runtime/storage/s3-storage';
import { published } from '../../servers/published';

const CREDENTIALS = { accessKeyId: 'test', secretAccessKey: 'a secret of the tests' };

export class S3Bucket {
  readonly name = `bucket-${randomUUID()}`;
  private readonly client: S3Client;

  private constructor(readonly endpoint: string) {
    this.client = new S3Client({
      endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: CREDENTIALS,
    });
  }

  static async open(): Promise<S3Bucket> {
    const bucket = new S3Bucket(published('TEST_S3_URL'));
    await bucket.client.send(new CreateBucketCommand({ Bucket: bucket.name }));
    return bucket;
  }

  options(more: Partial<S3Options> = {}): S3Options {
    return {
      bucket: this.name,
      region: 'us-east-1',
      endpoint: this.endpoint,
      isPathStyle: true,
      prefix: '',
      credentials: CREDENTIALS,
      encryption: null,
      ...more,
    };
  }

  /** Environment of a process that stores its files in the bucket. `endpoint` can be that of a proxy. */
  environment(endpoint = this.endpoint): Record<string, string> {
    return {
      S3_BUCKET: this.name,
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      S3_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    };
  }

  storage(more: Partial<S3Options> = {}) {
    return s3Storage(this.options(more));
  }

  async keepVersions(): Promise<void> {
    const VersioningConfiguration = { Status: 'Enabled' } as const;
    await this.client.send(new PutBucketVersioningCommand({ Bucket: this.name, VersioningConfiguration }));
  }

  /** Lists all objects, versions, delete markers and unfinished uploads, one per line. */
  async everything(): Promise<string[]> {
    const { Versions = [], DeleteMarkers = [] } = await this.client.send(
      new ListObjectVersionsCommand({ Bucket: this.name }),
    );
    const { Uploads = [] } = await this.client.send(new ListMultipartUploadsCommand({ Bucket: this.name }));
    return [
      ...Versions.map(({ Key }) => `${Key}`),
      ...DeleteMarkers.map(({ Key }) => `${Key} deleted`),
      ...Uploads.map(({ Key }) => `${Key} unfinished`),
    ].sort();
  }

  head(key: string): Promise<HeadObjectCommandOutput> {
    return this.client.send(new HeadObjectCommand({ Bucket: this.name, Key: key }));
  }

  /** Leaves an unfinished upload behind, like a process that is killed during an upload. */
  async leaveUnfinished(key: string): Promise<void> {
    const at = { Bucket: this.name, Key: key };
    const { UploadId } = await this.client.send(new CreateMultipartUploadCommand(at));
    await this.client.send(new UploadPartCommand({ ...at, UploadId, PartNumber: 1, Body: 'half' }));
  }

  close(): void {
    this.client.destroy();
  }
}
