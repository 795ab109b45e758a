/** Chooses the Temporal server to measure: the production server on Postgres if it is available. */
import { cacheFolder } from '../../dev/toolchain/cache-folder';
import { ToolMissing } from '../../dev/toolchain/find-tool';
import { findTemporalServer, type FoundTemporalServer } from '../../dev/toolchain/temporal-tools';
import type { BenchRun } from './on-stack';

export type TemporalChoice = 'auto' | 'postgres' | 'dev';

export const TEMPORAL_CHOICES: readonly TemporalChoice[] = ['auto', 'postgres', 'dev'];

/** Returns null for the development server. Rejects only if the server on Postgres was requested but isn't available. */
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
    say(
      `${error.message}\nMeasuring the development server instead. Its figures say nothing about production.`,
    );
    return null;
  }
}
