/** Tests `dist/db` as it is in the platform's image, without its sources. */
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../db/kernel/connection';
import { describeSchema } from '../../dev/schema/describe';
import { repositoryRoot } from '../../dev/stack/repository';
import { run } from '../../dev/toolchain/run';
import { temporaryFolder } from '../dev/temporary-folder';
import { describeWith } from '../servers/availability';
import { createEmptyDatabase } from '../servers/database';

describeWith('postgres', 'dist/db without the sources', () => {
  test('migrates an empty database to db/schema.sql, and lists the applied migrations', async () => {
    const root = repositoryRoot();
    const folder = temporaryFolder();
    cpSync(join(root, 'dist/db'), join(folder, 'dist/db'), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const { url, drop } = await createEmptyDatabase();
    const migrate = () =>
      run({
        command: process.execPath,
        args: ['dist/db/migrate.js'],
        cwd: folder,
        env: { DATABASE_URL: url },
        timeoutMs: 60_000,
      });
    const { code, output } = await migrate();
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringMatching(
        /^Applied the migrations 0001-tables\.\nApplied \d+ functions: .*grant_lines/,
      ),
    });
    expect((await migrate()).output.trim()).toBe('The schema is up to date.');
    const db = openDatabase({ url, poolSize: 1, timeoutMs: 20_000, applicationName: 'test' });
    expect(await describeSchema(db)).toBe(readFileSync(join(root, 'db/schema.sql'), 'utf8'));
    await db.destroy();
    await drop();
  });

  test('names the missing environment variable', async () => {
    const { code, output } = await run({
      command: process.execPath,
      args: [join(repositoryRoot(), 'dist/db/migrate.js')],
      env: {},
      timeoutMs: 60_000,
    });
    expect({ code, output: output.trim() }).toEqual({
      code: 1,
      output: 'DATABASE_URL is not set. Set it to postgres://<user>:<password>@<host>:<port>/<database>',
    });
  });
});
