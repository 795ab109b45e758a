import { DOWNLOAD_MB } from '../local-models/install';
import { readOptions } from '../options';

export const HELP = `Usage: npm run talk [-- --exit]

Starts the platform with LiveKit, an agent and speech models on this machine, and opens
(or prints) the address of a page where one click lets you talk to an agent. It needs
Python 3.10 or newer, and no account. The first start downloads
${DOWNLOAD_MB} MB of speech models.

  --exit   a scripted caller with a voice talks to the front desk through a browser;
           then it ends: status 0 only if each question was heard and answered; the
           last line is then JSON
  --help   this text

The agent thinks with the model at OPENAI_BASE_URL (or AGENT_LLM), else with a running
Ollama, else it answers from its questions and answers. PYTHON_PATH, DATA_DIR,
DATABASE_URL, TEMPORAL_ADDRESS and TEMPORAL_CLI_PATH are heeded as by "npm start".`;

/** Null for help. Throws a `UsageFault` that names an option it does not know. */
export function readCommandLine(args: readonly string[]): { exit: boolean } | null {
  const { exit = false, help } = readOptions('npm run talk', args, {
    exit: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  });
  return help ? null : { exit };
}
