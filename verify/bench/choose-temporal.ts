/** Which Temporal server is measured: production's, on Postgres, where it can be had. */
import { cacheFolder } from '../../dev/toolchain/cache-folder';
import { ToolMissing } from '../../dev/toolchain/find-tool';
import { findTemporalServer, type FoundTemporalServer } from '../../dev/toolchain/temporal-server';
import type { BenchRun } from './on-stack';

export type TemporalChoice = 'auto' | 'postgres' | 'dev';

export const TEMPORAL_CHOICES: readonly TemporalChoice[] = ['auto', 'postgres', 'dev'];

/** Null for the development server. Rejects only where the one on Postgres was asked for by name and cannot be had. */
export async function chooseTemporal(
  choice: TemporalChoice,
  { environment, onProgress, say }: Pick<BenchRun, 'environment' | 'onProgress' | 'say'>,
  find: typeof findTemporalServer = findTemporalServer,
): Promise<FoundTemporalServer | null> {
  if (choice === 'dev') return null;
  try {
    return await find({
      configuredPath: environment.TEMPORAL_SERVER_PATH,
      environment,
      cacheFolder: cacheFolder(environment),
      onProgress,
    });
  } catch (error) {
    if (choice === 'postgres' || !(error instanceof ToolMissing)) throw error;
    say(`${error.message}\nMeasuring on the development server instead: its figures are not production's.`);
    return null;
  }
}
