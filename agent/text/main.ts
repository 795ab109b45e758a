/** `npm run agent:chat`: a text conversation with an agent. */
import { types } from 'node:util';
import pino from 'pino';
import { SECRET_MASK } from '../../domain/secret-mask';
import type { SendRequest } from '../model/actions/actions';
import { guardedRequests } from '../model/actions/guarded-requests';
import { createGuard } from '../network/guarded-agent';
import { readModelSettings } from '../settings';
import { chat, Screen } from './chat';
import { readChatOptions, USAGE, type ChatOptions } from './chat-options';
import {
  fetchAgent,
  maskedSecrets,
  readAgent,
  readJsonFile,
  UserFault,
  type LoadedAgent,
  textCallContext,
} from './loaded-agent';
import { TextConversation, languageModelOf } from './text-conversation';

/** Used when requests are only shown. The response tells the model not to invent data. */
const requestsNotSent: SendRequest = () =>
  Promise.resolve({
    kind: 'answered',
    status: 200,
    contentType: 'application/json',
    body: '{"dry_run": true, "note": "the request was not sent; there is no data"}',
    isCut: false,
  });

async function main(): Promise<void> {
  const options = readChatOptions(process.argv.slice(2), process.env);
  if (options === null) return console.log(USAGE);
  const settings = settingsOf(process.env);
  const agent = await agentOf(options);
  const log = pino({ level: 'silent' });
  const guard = createGuard({ allowedHosts: settings.allowedHosts });
  const callContext = textCallContext(agent, options.variables);
  const { model, missing, server } = languageModelOf(callContext, settings, { guard, log });
  const screen = new Screen({
    write: (text) => process.stdout.write(text),
    hasColours: process.stdout.isTTY && (process.env.NO_COLOR ?? '') === '',
  });
  const conversation = await TextConversation.open({
    callContext,
    model,
    server,
    timeZone: settings.timeZone,
    log,
    transfers: true,
    request: options.isDryRun ? requestsNotSent : guardedRequests(guard),
    onWords: (words) => screen.words(words),
    onTool: (tool) => screen.tool(tool),
    onCallAction: (action) => screen.callAction(action),
  });
  const modelText = model === null ? 'without a language model' : `${model.provider}, ${model.model}`;
  screen.line(`${agent.name} (${modelText}). /end leaves, /help shows more.\n`);
  const masks = maskedSecrets(agent.config);
  if (masks > 0)
    screen.note(
      `${masks} secrets of the agent are masked (${SECRET_MASK}): to use them, load the agent from a file that contains them`,
    );
  for (const why of missing) screen.note(`no language model: ${why}`);
  for (const { part, why } of conversation.logic.ignoredSettings) screen.note(`not used: ${part}, ${why}`);
  await chat({ conversation, screen, input: process.stdin, isTyped: process.stdin.isTTY });
  await conversation.close();
}

function settingsOf(env: Readonly<Record<string, string | undefined>>) {
  try {
    return readModelSettings(env);
  } catch (error) {
    throw new UserFault(types.isNativeError(error) ? error.message : 'the environment cannot be read');
  }
}

async function agentOf({ agent }: ChatOptions): Promise<LoadedAgent> {
  if (agent.from === 'api') return fetchAgent(agent, agent.agentId);
  return readAgent(await readJsonFile(agent.path), agent.path);
}

main().then(
  // Exit explicitly, because the SDK's media libraries would keep the process alive.
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof UserFault ? `${error.message}\n\n${USAGE}` : error);
    process.exit(1);
  },
);
