/** Replays open workflows from inside an image. In a checkout, use `npm run histories -- --running`. */
import { errorText } from '../../../dev/error-text';
import { workflowBundle } from '../../../worker/bundle';
import { replayRunning } from '.';

const WOULD_BREAK = 1;
const FAILED = 2;

/** Resolves with the exit status. */
export async function replayWithThisBuild(): Promise<number> {
  const { stdout: out, stderr: err, env: environment } = process;
  const built = await workflowBundle({ traced: false });
  const streams = { out, err };
  return (await replayRunning({ environment, workflowBundle: built, streams })) ? 0 : WOULD_BREAK;
}

if (require.main === module) {
  replayWithThisBuild().then(
    (status) => (process.exitCode = status),
    (error: unknown) => {
      console.error(errorText(error));
      process.exit(FAILED);
    },
  );
}
