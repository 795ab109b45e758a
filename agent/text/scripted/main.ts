/** `npm run test:agents`: runs scripted conversations and checks their expectations. */
import { writeFile } from 'node:fs/promises';
import { parseArgs, types } from 'node:util';
import pino from 'pino';
import { guardedRequests } from '../../model/actions/guarded-requests';
import { createGuard } from '../../network/guarded-agent';
import type { CallContext } from '../../platform/call-context';
import { readModelSettings } from '../../settings';
import { UserFault } from '../loaded-agent';
import { languageModelOf, type LanguageModelChoice } from '../text-conversation';
import { conversationFiles } from './format';
import { Report, type Reported } from './report';
import { runConversation } from './run';

const USAGE = `Runs scripted conversations with agents and checks their expectations.

  npm run test:agents                      the project's conversations (test/agent/conversations)
  npm run test:agents -- my-agents         files in a folder that end in .conversation.json
  npm run test:agents -- refunds.json      one file

  --long         shows every turn
  --skip-real    skips conversations with "model": "real"; they don't count as failed
  --json FILE    writes the results as JSON

The file format is described in docs/testing-agents.md. Exits with 0 only if all passed.`;

const DEFAULT_FOLDER = 'test/agent/conversations';

async function main(): Promise<boolean> {
  const { values, positionals } = commandLine(process.argv.slice(2));
  if (values.help === true) {
    console.log(USAGE);
    return true;
  }
  const files = await conversationFiles(positionals.length === 0 ? [DEFAULT_FOLDER] : positionals);
  const settings = readModelSettings(process.env);
  const guard = createGuard({ allowedHosts: settings.allowedHosts });
  const log = pino({ level: 'silent' });
  const report = new Report({
    hasColours: process.stdout.isTTY && (process.env.NO_COLOR ?? '') === '',
    isLong: values.long === true,
  });
  const request = guardedRequests(guard);
  const realModel = (callContext: CallContext): LanguageModelChoice | null =>
    values['skip-real'] === true ? null : languageModelOf(callContext, settings, { guard, log });
  const all: Reported[] = [];
  for (const { path, conversations } of files) {
    // Run them concurrently, because a conversation with a real model takes many seconds.
    const reported = await Promise.all(
      conversations.map(async ({ script, agent }): Promise<Reported> => {
        const outcome = await runConversation(script, { agent, log, request, realModel });
        return { file: path, title: script.title, outcome };
      }),
    );
    all.push(...reported);
    for (const one of reported) console.log(report.linesOf(one).join('\n'));
  }
  console.log(`\n${report.summary(all)}`);
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(all, null, 2)}\n`);
  return all.every(
    ({ outcome: { kind } }) => kind === 'passed' || (kind === 'not-run' && values['skip-real'] === true),
  );
}

function commandLine(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        long: { type: 'boolean' },
        'skip-real': { type: 'boolean' },
        json: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UserFault(
      `${types.isNativeError(error) ? error.message : 'the command line is invalid'}\n\n${USAGE}`,
    );
  }
}

main().then(
  // Exit explicitly, because the SDK's media libraries would keep the process alive.
  (isFine) => process.exit(isFine ? 0 : 1),
  (error: unknown) => {
    console.error(error instanceof UserFault ? error.message : error);
    process.exit(1);
  },
);
