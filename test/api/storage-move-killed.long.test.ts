/** Kills the command that moves files into a bucket with SIGKILL at seeded random times, and runs it again each time. */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { folderStorage, keysInFolder } from '../../runtime/storage/folder-storage';
import { Random } from '../../verify/faults/random';
import { EngineDatabase } from '../db/support/engine-database';
import { temporaryFolder } from '../dev/temporary-folder';
import { describeWith } from '../servers/availability';
import { S3Bucket } from './support/s3-bucket';

const ADMIN = join(__dirname, '..', '..', 'dist', 'api', 'admin', 'main.js');
const SEEDS = [1, 2, 3, 4];
/** With this number, even a late last kill comes before half of the remaining files are moved. */
const SMALL_FILES = 240;
/** Each is uploaded in two parts. */
const LARGE_FILES = 6;
const LARGE_BYTES = 6 * 1024 * 1024;
const MOVED_WITHIN_MS = 180_000;

describeWith('s3', 'admin storage move', () => {
  let bucket: S3Bucket;
  let engine: EngineDatabase;
  beforeAll(async () => {
    bucket = await S3Bucket.open();
    engine = await EngineDatabase.open();
  });
  afterAll(async () => {
    await engine.close();
    bucket.close();
  });

  const startMove = (dataDir: string) => {
    const environment = {
      PATH: process.env.PATH,
      DATABASE_URL: engine.url,
      SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
      DATA_DIR: dataDir,
      ...bucket.environment(),
    };
    const args = [ADMIN, 'storage', 'move', '--json'];
    return spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'pipe', 'ignore'] });
  };

  test(
    'leaves every file in the bucket once and unchanged after several kills',
    async () => {
      const dataDir = temporaryFolder();
      const folder = folderStorage(dataDir);
      const expected = new Map<string, string>();
      for (let n = 0; n < SMALL_FILES + LARGE_FILES; n += 1) {
        const key = n % 2 === 0 ? `recordings/${n}.wav` : `${n}.csv`;
        const content = randomBytes(n < LARGE_FILES ? LARGE_BYTES : 1 + n);
        await folder.put(key, content);
        expected.set(key, digest(content));
      }
      const left: number[] = [];
      for (const seed of SEEDS) {
        const random = new Random(seed);
        const before = (await keysInFolder(dataDir)).length;
        const until = before - random.between(1, Math.ceil(before / (SEEDS.length - left.length + 1)));
        const move = startMove(dataDir);
        const ended = once(move, 'exit');
        while ((await keysInFolder(dataDir)).length > until && move.exitCode === null) await sleep(1);
        await sleep(random.between(0, 15));
        move.kill('SIGKILL');
        expect(await ended).toEqual([null, 'SIGKILL']);
        left.push((await keysInFolder(dataDir)).length);
      }
      expect(Math.min(...left)).toBeGreaterThan(0);
      const last = startMove(dataDir);
      const [output] = await Promise.all([text(last.stdout), once(last, 'exit')]);
      const { moved, already_there: alreadyThere, removed_meanwhile: removed } = JSON.parse(output);
      expect([moved + alreadyThere, removed]).toEqual([left.at(-1), 0]);
      expect(await keysInFolder(dataDir)).toEqual([]);
      expect(await bucket.everything()).toEqual([...expected.keys()].sort());
      for (const [key, sum] of expected) expect([key, await storedDigest(key)]).toEqual([key, sum]);
    },
    MOVED_WITHIN_MS,
  );

  const storedDigest = async (key: string): Promise<string> => {
    const hash = createHash('sha256');
    const stored = await bucket.storage().read(key);
    for await (const chunk of stored?.content ?? []) hash.update(chunk);
    return hash.digest('hex');
  };
});

const digest = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
