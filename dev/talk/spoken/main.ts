/** `npm run test:agents -- --spoken`: tests agents in spoken conversations. */
import { interruptibleStatus } from '../../demo/interruption';
import { errorText } from '../../error-text';
import { statusOf } from '../../options';
import { readSpokenCommandLine } from './command-line';
import { readSpokenConversations } from './conversations';
import { runSpoken } from './run';

async function main(): Promise<number> {
  const options = readSpokenCommandLine(process.argv.slice(2));
  if (options === null) return 0;
  const conversations = await readSpokenConversations(options.paths);
  const { env: environment, stdout: out, stderr: err } = process;
  return interruptibleStatus(
    (stopping) => runSpoken({ ...options, conversations, environment, out, err, stopping }),
    'the spoken conversations failed',
  );
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    console.error(errorText(error));
    process.exit(statusOf(error));
  },
);
