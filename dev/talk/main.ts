/** `npm run talk`: lets you talk to an agent on this machine. */
import { DOWNLOAD_MB } from '../local-models/install';
import { commandOf, readOptions } from '../options';
import { interruptibleStatus } from '../demo/interruption';
import { exitAfter } from '../exit-with-error';
import { runTalk } from './run';

const COMMAND = commandOf(
  'npm run talk --',
  'Starts the platform with LiveKit, an agent and speech models on this machine, and opens (or prints) the address of a page where you can ' +
    `talk to an agent with one click. It needs Python 3.10 or newer, and no account. The first start downloads ${DOWNLOAD_MB} MB of speech models.`,
)
  .option(
    '--exit',
    'a scripted caller talks to the front desk through a browser, then the command exits: status 0 only if each question was heard and answered; the last line is JSON',
  )
  .addHelpText(
    'after',
    `
The agent uses the model at OPENAI_BASE_URL (or AGENT_LLM), otherwise a running Ollama, otherwise its own questions and answers.
PYTHON_PATH, DATA_DIR, DATABASE_URL, TEMPORAL_ADDRESS and TEMPORAL_CLI_PATH work as for "npm start".`,
  );

async function main(): Promise<number> {
  const options = readOptions<{ exit?: true }>(COMMAND, process.argv.slice(2));
  if (options === null) return 0;
  const { env: environment, stdout: out, stderr: err } = process;
  const exit = options.exit ?? false;
  return interruptibleStatus((stopping, onDone) => {
    // With --exit, the command is done when the conversation ends rather than when the platform is up.
    const onUp = exit ? () => undefined : onDone;
    return runTalk({ environment, exit, out, err, stopping, onUp });
  }, 'npm run talk failed');
}

exitAfter(main());
