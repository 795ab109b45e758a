/** `npm run clean`: removes all data of the local stack. */
import { errorText } from './error-code';
import { rm } from 'node:fs/promises';
import { possibleDataFolders, removableData } from './stack/data-folder';
import { refuseIfInUse } from './stack/left-over';
import { repositoryRoot } from './stack/repository';

async function main(): Promise<void> {
  const choice = { repository: repositoryRoot(), configured: process.env.DATA_DIR };
  for (const folder of possibleDataFolders(choice)) await refuseIfInUse(folder);
  const paths = await removableData(choice);
  for (const path of paths) {
    await rm(path, { recursive: true, force: true });
    console.log(`Removed ${path}`);
  }
  if (paths.length === 0) console.log('There is no data to remove.');
}

main().catch((error: unknown) => {
  console.error(errorText(error));
  process.exitCode = 1;
});
