/** `npm run clean`: removes all data of the local stack. */
import { removeFolder } from './remove-folder';
import { exitWithError } from './exit-with-error';
import { commandOf, readOptions } from './options';
import { possibleDataFolders, removableData, rejectIfInUse } from './stack/data-folder';
import { repositoryRoot } from './stack/repository';

const COMMAND = commandOf(
  'npm run clean --',
  'Removes all data of the local stack: Postgres, Temporal, logs, files, e-mails, keys. Refuses while a platform is using them. DATA_DIR ' +
    'names the folder, as for "npm start". Downloads and builds that all clones of the repository share are kept.',
);

async function main(): Promise<void> {
  if (readOptions(COMMAND, process.argv.slice(2)) === null) return;
  const choice = { repository: repositoryRoot(), configured: process.env.DATA_DIR };
  for (const folder of possibleDataFolders(choice)) await rejectIfInUse(folder);
  const paths = await removableData(choice);
  for (const path of paths) {
    await removeFolder(path);
    console.log(`Removed ${path}`);
  }
  if (paths.length === 0) console.log('There is no data to remove.');
}

main().catch(exitWithError);
