/** A text conversation runs the agent's logic in a session without STT and TTS. */
import { ReadableStream } from 'node:stream/web';
import { types } from 'node:util';
import { initializeLogger, voice, type llm } from '@livekit/agents';
import { isJsonObject, parsedJson, type JsonObject } from '../../domain/json';
import { CustomServer } from '../custom-llm/custom-llm';
import type { Log } from '../log';
import type { CallControls, SendRequest } from '../model/actions/actions';
import { createAgentLogic, type AgentLogic } from '../model/agent-logic';
import type { Guard } from '../network/guarded-agent';
import { greetingFor, withDisclosure, type CallContext } from '../platform/call-context';
import { languageModelFor } from '../providers';
import { NoWords } from '../providers/spoken-llm';
import type { ModelSettings } from '../settings';

export interface ToolUse {
  name: string;
  arguments: JsonObject;
  /** The result that the model gets. Null when there was none. */
  output: string | null;
  isError: boolean;
}

/** Something the agent did to the call. */
export type CallAction =
  | { kind: 'ended' }
  | { kind: 'callback'; at: string | null }
  | { kind: 'transfer'; to: string }
  | {
      kind: 'request';
      method: string;
      url: string;
      headers: Readonly<Record<string, string>>;
      body: string | null;
    };

export interface Exchange {
  /** Everything the agent said, joined into one text. */
  said: string;
  tools: ToolUse[];
  callActions: CallAction[];
}

export interface TextConversationSettings {
  callContext: CallContext;
  /** Null when no model is available. The agent then says so. */
  model: llm.LLM | null;
  /** An organization's own server. Its greeting replaces the agent's, and it can end the conversation. Default: none. */
  server?: CustomServer;
  request: SendRequest;
  /** True if transfers succeed. */
  transfers: boolean;
  /** Called with each piece of the agent's words as it streams. */
  onWords?: (words: string) => void;
  onTool?: (tool: ToolUse) => void;
  onCallAction?: (action: CallAction) => void;
  /** Default: India's time zone. */
  timeZone?: string;
  now?: () => Date;
  log: Log;
}

export class TextConversation {
  readonly logic: AgentLogic;
  private readonly session = new voice.AgentSession({ vad: null, userAwayTimeout: null });
  private readonly callActions: CallAction[] = [];
  private readonly spoken: string[] = [];
  private readonly used: ToolUse[] = [];
  private readonly failures: Error[] = [];

  private constructor(private readonly settings: TextConversationSettings) {
    const { callContext, model, server, log, now, timeZone } = settings;
    const controls = this.callControls();
    if (server !== undefined) server.onEndCall = () => controls.endCall();
    this.logic = createAgentLogic(callContext, controls, {
      model,
      log,
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(now === undefined ? {} : { now }),
      nodes: {
        transcriptionNode: (_agent, text) => Promise.resolve(ReadableStream.from(this.forwardWords(text))),
      },
    });
    this.session.on(voice.AgentSessionEventTypes.Error, ({ error }) => {
      this.failures.push(failureOf(error));
    });
    this.session.on(
      voice.AgentSessionEventTypes.FunctionToolsExecuted,
      ({ functionCalls, functionCallOutputs }) => {
        for (const tool of toolsOf(functionCalls, functionCallOutputs)) {
          this.used.push(tool);
          settings.onTool?.(tool);
        }
      },
    );
    // Includes words that don't come from the model, such as a farewell.
    this.session.on(voice.AgentSessionEventTypes.ConversationItemAdded, ({ item }) => {
      if (item.type === 'message' && item.role === 'assistant') this.spoken.push(item.textContent ?? '');
    });
  }

  static async open(settings: TextConversationSettings): Promise<TextConversation> {
    // Silent, because the SDK's log lines contain words of the conversation.
    initializeLogger({ pretty: false, level: 'silent' });
    const conversation = new TextConversation(settings);
    await conversation.session.start({ agent: conversation.logic.agent, record: false });
    return conversation;
  }

  get hasEnded(): boolean {
    return this.callActions.some(({ kind }) => kind === 'ended');
  }

  /** Returns the greeting. Returns an empty string when the agent has none or lets the caller speak first. */
  async greet(): Promise<string> {
    const { callContext, server } = this.settings;
    const greeting = greetingFor(callContext);
    if (greeting.letsUserSpeakFirst) return '';
    const text = withDisclosure(callContext, (await server?.greeting()) ?? greeting.text);
    if (text === '') return '';
    await this.session.say(text).waitForPlayout();
    return text;
  }

  /** Throws the model's error. */
  async say(words: string): Promise<Exchange> {
    const { callActions, spoken, used, failures } = this;
    const before = {
      callActions: callActions.length,
      spoken: spoken.length,
      used: used.length,
      failures: failures.length,
    };
    const run = this.session.run({ userInput: words });
    await run.wait();
    const failure = failures[before.failures];
    const said = spoken.slice(before.spoken).join(' ');
    // If the model returned no words but the agent apologised, the apology is the answer.
    if (failure !== undefined && !(failure instanceof NoWords && said !== '')) throw failure;
    return {
      said,
      tools: used.slice(before.used),
      callActions: callActions.slice(before.callActions),
    };
  }

  /** Closes the session and the model. */
  async close(): Promise<void> {
    // Without this shutdown, `close` would wait half a second for further words of the user.
    this.session.shutdown({ drain: false, reason: voice.CloseReason.ERROR });
    await this.session.close();
    await this.settings.model?.aclose();
  }

  private callControls(): CallControls {
    const did = (action: CallAction): void => {
      this.callActions.push(action);
      this.settings.onCallAction?.(action);
    };
    return {
      endCall: () => did({ kind: 'ended' }),
      requestCallback: (at) => did({ kind: 'callback', at }),
      transfer: (to) => {
        did({ kind: 'transfer', to });
        return Promise.resolve(this.settings.transfers);
      },
      // There is no API to fetch secrets from. An agent from a file contains its real headers.
      actionSecrets: () => Promise.resolve(null),
      request: async (request) => {
        const { method, url, headers, body } = request;
        did({ kind: 'request', method, url, headers, body });
        return await this.settings.request(request);
      },
    };
  }

  private async *forwardWords<T extends string | object>(text: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const piece of text) {
      if (typeof piece === 'string') this.settings.onWords?.(piece);
      yield piece;
    }
  }
}

function toolsOf(calls: readonly llm.FunctionCall[], outputs: readonly llm.FunctionCallOutput[]): ToolUse[] {
  return calls.map(({ name, args, callId }) => {
    const output = outputs.find((one) => one.callId === callId);
    return {
      name,
      arguments: argumentsOf(args),
      output: output === undefined || output.output === '' ? null : plainText(output.output),
      isError: output?.isError ?? false,
    };
  });
}

/** Unquotes a result that is a string, because tools return it as a JSON string. */
function plainText(output: string): string {
  const parsed = parsedJson(output);
  return typeof parsed === 'string' ? parsed : output;
}

function argumentsOf(text: string): JsonObject {
  const parsed = parsedJson(text);
  return isJsonObject(parsed) ? parsed : {};
}

function failureOf(error: object): Error {
  const inner: unknown = 'error' in error ? error.error : error;
  return types.isNativeError(inner) ? inner : new Error('the model failed');
}

/** The language model that the agent requests, or an organization's own server. */
export interface LanguageModelChoice {
  model: llm.LLM | null;
  /** Tells the operator why no model is available. */
  missing: string[];
  /** The organization's own server, if the agent's configuration names one. */
  server: CustomServer;
}

export function languageModelOf(
  callContext: CallContext,
  settings: ModelSettings,
  { guard, log }: { guard: Guard; log: Log },
): LanguageModelChoice {
  // The SDK requires a logger before a model is created. It is silent, because log lines contain words of the conversation.
  initializeLogger({ pretty: false, level: 'silent' });
  const server = new CustomServer({ guard, log, firstTokenWithinMs: settings.customLlmFirstTokenMs });
  const { llm: model, missing } = languageModelFor(callContext, settings.speech, server.create);
  return { model, missing: missing.map(({ why }) => why), server };
}
