import { promisify } from 'node:util';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/** Brotli quality. The last two of the 11 levels take ten times as long and save 5 %. */
const QUALITY = 9;
const TEXT = /\.(js|css|html|svg)$/;

/** Writes `.br` and `.gz` next to each text file, so that the API doesn't have to compress responses. */
export const precompressed = (): Plugin => ({
  name: 'precompressed',
  apply: 'build',
  async writeBundle({ dir }) {
    if (dir === undefined) throw new Error('there is no folder to compress');
    const files = await readdir(dir, { recursive: true });
    await Promise.all(files.filter((file) => TEXT.test(file)).map((file) => compress(join(dir, file))));
  },
});

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params }));
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
}
