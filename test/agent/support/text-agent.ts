/** Creates a text agent for tests: its call context, and a conversation with a scripted model. */
import { TextConversation, type TextConversationSettings } from '../../../agent/text/text-conversation';
import { ScriptedModel, type ScriptedReply } from '../../../agent/text/scripted/model';
import { resolveConfig } from '../../../domain/agent-config';
import type { CallContext } from '../../../agent/platform/call-context';

export const QUIET = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export const callContextWith = (config: object, variables: object = {}): CallContext => ({
  callId: 'outbound-1-text',
  medium: 'webrtc',
  direction: 'Outbound',
  agent: { name: 'desk', config: resolveConfig(config) },
  variables: { ...variables },
  session: null,
  maxTalkMs: 600_000,
  ringTimeoutMs: 30_000,
  amd: false,
  disclosure: '',
  customLlm: null,
});

export class ScriptedTalk {
  private constructor(
    readonly conversation: TextConversation,
    readonly model: ScriptedModel,
    /** The words in order. */
    readonly words: string[],
  ) {}

  static async open(
    config: object,
    overrides: Partial<TextConversationSettings> = {},
  ): Promise<ScriptedTalk> {
    const model = new ScriptedModel();
    const words: string[] = [];
    const conversation = await TextConversation.open({
      callContext: callContextWith(config),
      model,
      request: () => Promise.resolve({ kind: 'failed', why: 'no server is there' }),
      transfers: true,
      onWords: (piece) => words.push(piece),
      log: QUIET,
      ...overrides,
    });
    return new ScriptedTalk(conversation, model, words);
  }

  /** Sends the caller's words, and returns the resulting exchange. The model gives these replies. */
  async say(words: string, ...replies: (string | ScriptedReply)[]) {
    this.model.give(replies.map((reply) => (typeof reply === 'string' ? { text: reply } : reply)));
    return await this.conversation.say(words);
  }

  close(): Promise<void> {
    return this.conversation.close();
  }
}
