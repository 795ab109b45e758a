import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderStorage } from '../../runtime/storage/folder-storage';
import { pieces, storedText } from './stored-text';
import { temporaryFolder } from '../dev/temporary-folder';

describe('the folder of stored files', () => {
  let dataDir: string;
  beforeEach(() => (dataDir = temporaryFolder()));

  const storage = () => folderStorage(dataDir);
  const stored = (key: string) => storedText(storage(), key);
  const kept = (): string[] => readdirSync(join(dataDir, 'files'), { recursive: true }).map(String).sort();

  test('accepts an empty folder, and fails if the path is a file', async () => {
    const { signal } = new AbortController();
    await storage().check(signal);
    expect(kept()).toEqual([]);
    const blocked = temporaryFolder();
    writeFileSync(join(blocked, 'files'), '');
    await expect(folderStorage(blocked).check(signal)).rejects.toMatchObject({ code: 'EEXIST' });
  });

  test('stores a file completely, and leaves nothing else behind', async () => {
    expect(await storage().putStream('recordings/a.wav', pieces('one', 'two'))).toBe(6);
    expect(await stored('recordings/a.wav')).toBe('onetwo');
    expect(kept()).toEqual(['recordings', 'recordings/a.wav']);
  });

  test('keeps the previous file and nothing of the upload when an upload breaks off', async () => {
    await storage().put('a.csv', Buffer.from('before'));
    async function* broken(): AsyncGenerator<Buffer> {
      yield* pieces('after');
      throw new Error('broke off');
    }
    await expect(storage().putStream('a.csv', broken())).rejects.toThrow('broke off');
    expect(await stored('a.csv')).toBe('before');
    expect(kept()).toEqual(['a.csv']);
  });

  test('accepts concurrent uploads of one file and keeps one of them', async () => {
    const texts = Array.from({ length: 20 }, (_, n) => `upload ${n}`);
    await Promise.all(texts.map((text) => storage().putStream('a.csv', pieces(text))));
    expect(texts).toContain(await stored('a.csv'));
    expect(kept()).toEqual(['a.csv']);
  });

  test('removes a file together with the parts of a killed upload', async () => {
    await storage().put('a.csv', Buffer.from('whole'));
    mkdirSync(join(dataDir, 'files', 'a.csv.part'));
    writeFileSync(join(dataDir, 'files', 'a.csv.part', 'x'), 'half');
    await storage().remove('a.csv');
    expect(kept()).toEqual([]);
  });
});
