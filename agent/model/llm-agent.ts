/** Extends the SDK's agent with retrieval before a turn and guardrails on the answer. */
import { ReadableStream } from 'node:stream/web';
import { llm, voice } from '@livekit/agents';
import type { Speaker } from '../../domain/transcript';
import type { Log } from '../log';
import { END_CALL } from './actions/actions';
import { ActionTools } from './actions/tools';
import type { Guard, Verdict } from './guardrails/guard';
import { guardedAnswer, type AnswerPiece, type StoppingVerdict } from './guardrails/guarded-answer';
import { turnOf, type Turn } from './turn';

/** A session's replacements of the SDK's nodes. Each receives the agent and can call the default node through `voice.Agent.default`. */
export interface VoiceNodes {
  onEnter?: () => Promise<void>;
  onUserTurnCompleted?: voice.Agent['onUserTurnCompleted'];
  sttNode?: (
    agent: voice.Agent,
    ...rest: Parameters<voice.Agent['sttNode']>
  ) => ReturnType<voice.Agent['sttNode']>;
  ttsNode?: (
    agent: voice.Agent,
    ...rest: Parameters<voice.Agent['ttsNode']>
  ) => ReturnType<voice.Agent['ttsNode']>;
  transcriptionNode?: (
    agent: voice.Agent,
    ...rest: Parameters<voice.Agent['transcriptionNode']>
  ) => ReturnType<voice.Agent['transcriptionNode']>;
}

interface LlmAgentParts {
  guard: Guard;
  tools: ActionTools;
  /** Returns the note to insert before a turn, or null for none. */
  noteFor: (turn: Turn, isRedirected: boolean) => string | null;
  /** Returns the complete answer of an agent without a model. Null when there is a model. */
  answerWithoutModel: ((turn: Turn) => string) | null;
  /** Spoken when the model fails before its first word. */
  apology: string;
  log: Log;
}

/** After this many apologies in a row, the agent stops apologising so that the model's failure ends the session. */
const MAX_APOLOGIES = 3;

export class LlmAgent extends voice.Agent {
  private apologies = 0;

  constructor(
    options: voice.AgentOptions<unknown>,
    private readonly parts: LlmAgentParts,
    private readonly nodes: VoiceNodes = {},
  ) {
    super(options);
  }

  override llmNode(
    chatCtx: llm.ChatContext,
    toolCtx: llm.ToolContext,
    settings: voice.ModelSettings,
  ): Promise<ReadableStream<AnswerPiece> | null> {
    const answer = answerStream((cancelled) =>
      this.parts.tools.trackSpeech(this.answer(chatCtx, toolCtx, settings, cancelled)),
    );
    return Promise.resolve(answer);
  }

  override async onEnter(): Promise<void> {
    await this.nodes.onEnter?.();
  }

  override async onUserTurnCompleted(chatCtx: llm.ChatContext, message: llm.ChatMessage): Promise<void> {
    await this.nodes.onUserTurnCompleted?.(chatCtx, message);
  }

  override async sttNode(...args: Parameters<voice.Agent['sttNode']>): ReturnType<voice.Agent['sttNode']> {
    const { sttNode } = this.nodes;
    return sttNode === undefined ? super.sttNode(...args) : sttNode(this, ...args);
  }

  override async ttsNode(...args: Parameters<voice.Agent['ttsNode']>): ReturnType<voice.Agent['ttsNode']> {
    const { ttsNode } = this.nodes;
    return ttsNode === undefined ? super.ttsNode(...args) : ttsNode(this, ...args);
  }

  override async transcriptionNode(
    ...args: Parameters<voice.Agent['transcriptionNode']>
  ): ReturnType<voice.Agent['transcriptionNode']> {
    const { transcriptionNode } = this.nodes;
    return transcriptionNode === undefined
      ? super.transcriptionNode(...args)
      : transcriptionNode(this, ...args);
  }

  /** Must have no side effects before the answer is spoken, because a preemptive answer may be discarded. */
  private async *answer(
    chatCtx: llm.ChatContext,
    toolCtx: llm.ToolContext,
    settings: voice.ModelSettings,
    cancelled: AbortSignal,
  ): AsyncGenerator<AnswerPiece> {
    const { guard, answerWithoutModel, noteFor } = this.parts;
    const turn = turnOf(chatCtx);
    // Check the caller's words only once, not again after each tool call.
    const verdict: Verdict = turn.isNew ? guard.checkCaller(turn.words) : { kind: 'pass' };
    this.logVerdict('user', verdict);
    if (verdict.kind === 'replace') {
      yield* this.replacementFor(verdict);
      return;
    }
    if (verdict.kind === 'prefix') yield `${verdict.say} `;
    if (answerWithoutModel !== null) {
      yield answerWithoutModel(turn);
      return;
    }
    const note = noteFor(turn, verdict.kind === 'redirect');
    const request = withNote(chatCtx, turn, note);
    const answer = this.orApology(cancelled, () =>
      super.llmNode(request, ActionTools.visibleTo(toolCtx), settings),
    );
    yield* guardedAnswer(answer, guard, (stopping) => {
      this.logVerdict('agent', stopping);
      return this.replacementFor(stopping);
    });
  }

  /** Streams the model's answer. If the model fails before it says or does anything, yields an apology. */
  private async *orApology(
    cancelled: AbortSignal,
    think: () => ReturnType<voice.Agent['llmNode']>,
  ): AsyncGenerator<AnswerPiece> {
    let hasFailed = false;
    let isAnswered = false;
    const failed = ({ recoverable }: { recoverable: boolean }): void => {
      hasFailed ||= !recoverable;
    };
    const model = this.llm instanceof llm.LLM ? this.llm : null;
    model?.on('error', failed);
    try {
      const answer = await think();
      if (answer === null) return;
      for await (const piece of withoutFlushes(piecesOf(answer, cancelled))) {
        isAnswered ||= typeof piece === 'string' || llm.hasResponse(piece);
        yield piece;
      }
    } finally {
      model?.off('error', failed);
    }
    if (isAnswered) this.apologies = 0;
    if (isAnswered || !hasFailed || cancelled.aborted || this.apologies >= MAX_APOLOGIES) return;
    this.apologies += 1;
    yield this.parts.apology;
  }

  private logVerdict(speaker: Speaker, { kind }: Verdict): void {
    if (kind !== 'pass') this.parts.log.info({ speaker, kind }, 'a guardrail applies');
  }

  /**
   * Emits the replacement sentence. Ending and transferring the call are tool calls, so that they take effect only after the sentence was
   * spoken.
   */
  private *replacementFor({ say, then, transferTo }: StoppingVerdict): Generator<AnswerPiece> {
    yield say;
    const call = then === 'transfer' ? this.parts.tools.transferCall(transferTo) : null;
    if (call !== null) yield toolCall(call.name, call.args);
    else if (then === 'end-call') yield toolCall(END_CALL, {});
  }
}

let calls = 0;

function toolCall(name: string, args: Readonly<Record<string, unknown>>): llm.ChatChunk {
  calls += 1;
  const call = llm.FunctionCall.create({ callId: `rule_${calls}`, name, args: JSON.stringify(args) });
  return { id: call.callId, delta: { role: 'assistant', toolCalls: [call] } };
}

/** Inserts the note before the caller's words, because the caller's words must be the last message that the model reads. */
function withNote(chatCtx: llm.ChatContext, turn: Turn, note: string | null): llm.ChatContext {
  if (note === null) return chatCtx;
  const copy = chatCtx.copy();
  const message = llm.ChatMessage.create({ role: 'system', content: note });
  copy.items.splice(turn.at, 0, message);
  return copy;
}

/** Removes flush markers. A flush would interrupt the speech, and this agent's nodes don't need it. */
async function* withoutFlushes(answer: AsyncIterable<AnswerPiece | symbol>): AsyncGenerator<AnswerPiece> {
  for await (const piece of answer) if (typeof piece !== 'symbol') yield piece;
}

/**
 * Streams the items that `make` yields. Cancelling the stream aborts the signal of `make` and returns immediately, even while the generator
 * waits for a model, so that interruptions are never delayed.
 */
export function answerStream<T>(make: (cancelled: AbortSignal) => AsyncGenerator<T>): ReadableStream<T> {
  const cancelling = new AbortController();
  const answer = make(cancelling.signal);
  return new ReadableStream<T>({
    async pull(controller) {
      const next = await answer.next();
      if (cancelling.signal.aborted) return;
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    cancel() {
      cancelling.abort();
      // The generator also ends, once its pending await resolves.
      void answer.return(undefined).catch(() => undefined);
    },
  });
}

/** Yields the chunks of a stream until the stream ends or the signal is aborted. Then cancels the reader. */
export async function* piecesOf<T>(stream: ReadableStream<T>, cancelled: AbortSignal): AsyncGenerator<T> {
  const reader = stream.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  cancelled.addEventListener('abort', cancel, { once: true });
  try {
    if (cancelled.aborted) return;
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    cancelled.removeEventListener('abort', cancel);
    cancel();
  }
}
