/** The tools that the model can call. */
import { llm } from '@livekit/agents';
import { assertNever } from '../../../domain/assert-never';
import { isJsonObject, type JsonObject } from '../../../domain/json';
import { instantOf } from '../../../domain/local-time';
import { SECRET_MASK } from '../../../domain/secret-mask';
import { fillTemplate } from '../../../domain/template';
import type { Log } from '../../log';
import { fixedSentence } from '../fixed-sentences';
import type { Guard } from '../guardrails/guard';
import type { AnswerPiece } from '../guardrails/guarded-answer';
import { localNow } from '../instructions';
import {
  END_CALL,
  REQUEST_CALLBACK,
  TRANSFER_BY_RULE,
  type CallControls,
  type RequestOutcome,
  type Action,
  type HttpAction,
  type ParameterSchema,
} from './actions';
import { ExactArguments } from './exact-numbers';
import { answerForModel, buildRequest } from './http-request';
import type { Actions } from './read-actions';

/** After a longer silence, callers think the connection is lost. */
const WAITING_AFTER_MS = 1_500;

const END_CALL_USE =
  'Ends the call. Use it when the caller says goodbye or has nothing more to ask, after your own goodbye in the same turn.';
const CALLBACK_USE =
  'Asks for a call back, when the caller wants to be called again later. Ask for a time first, if they named none.';

const MINUTE_MS = 60_000;
const FARTHEST_CALLBACK_MS = 366 * 24 * 60 * MINUTE_MS;

interface ToolSettings {
  actions: Actions;
  callControls: CallControls;
  variables: Readonly<Record<string, unknown>>;
  /** Variables in the form in which prompts contain them. */
  promptVariables: Readonly<Record<string, unknown>>;
  language: string | null;
  timeZone: string;
  guard: Guard;
  now: () => Date;
  log: Log;
}

export class ActionTools {
  readonly all: llm.FunctionTool[];
  private readonly firstTransfer: string | null;
  /** Ids of tool calls that came after spoken text in the same answer. */
  private readonly callsAfterSpeech = new Set<string>();
  private readonly exact = new ExactArguments();

  constructor(private readonly settings: ToolSettings) {
    const { all, switchedOff } = settings.actions;
    const transfer = all.find((action) => action.type === 'transfer');
    this.firstTransfer = transfer?.type === 'transfer' ? transfer.to : null;
    const has = (name: string): boolean => all.some((action) => action.name === name);
    this.all = [
      ...all.map((action) =>
        this.toolOf({ ...action, description: fillTemplate(action.description, settings.promptVariables) }),
      ),
      ...(has(END_CALL) ? [] : [this.endCall(END_CALL, END_CALL_USE)]),
      ...(has(REQUEST_CALLBACK) || switchedOff.has(REQUEST_CALLBACK)
        ? []
        : [this.requestCallback(REQUEST_CALLBACK, CALLBACK_USE)]),
      this.transferByRule(),
    ];
  }

  /** Returns the tools that the model sees, without those that only rules can call. */
  static visibleTo(context: llm.ToolContext): llm.ToolContext {
    const visible = context.copy();
    visible.updateTools(visible.tools.filter((tool) => !('name' in tool && tool.name === TRANSFER_BY_RULE)));
    return visible;
  }

  /** Returns the tool call for a transfer by a guardrail rule, or null when there is no destination. */
  transferCall(to: string | null): { name: string; args: Readonly<Record<string, unknown>> } | null {
    const match = this.settings.actions.all.find(
      (action) => action.type === 'transfer' && action.name === to,
    );
    const destination = (match?.type === 'transfer' ? match.to : to) ?? this.firstTransfer;
    return destination === null ? null : { name: TRANSFER_BY_RULE, args: { to: destination } };
  }

  /** Passes the answer through. Records which tool calls came after spoken text, and keeps the digits of their numbers. */
  async *trackSpeech(answer: AsyncIterable<AnswerPiece>): AsyncGenerator<AnswerPiece> {
    let hasSpoken = false;
    for await (const piece of answer) {
      const text = typeof piece === 'string' ? piece : (piece.delta?.content ?? '');
      hasSpoken ||= text.trim() !== '';
      for (const call of (typeof piece === 'string' ? undefined : piece.delta?.toolCalls) ?? []) {
        if (hasSpoken) this.callsAfterSpeech.add(call.callId);
        this.exact.keepDigits(call);
      }
      yield piece;
    }
  }

  private toolOf(action: Action): llm.FunctionTool {
    switch (action.type) {
      case 'http_request':
        return this.httpRequest(action);
      case 'end_call':
        return this.endCall(action.name, action.description);
      case 'request_callback':
        return this.requestCallback(action.name, action.description);
      case 'transfer':
        return toolWith(action.name, action.description, optional({}), (_args, options) =>
          this.transfer(action.to, options),
        );
      default:
        return assertNever(action);
    }
  }

  private httpRequest(action: HttpAction): llm.FunctionTool {
    const { callControls, variables, log } = this.settings;
    const { name, description, parameters, waitingMessage } = action;
    return toolWith(name, description, parameters, async (args, { ctx, toolCallId }) => {
      const toolArgs = this.exact.argumentsOf(toolCallId, args);
      const made = buildRequest(action, toolArgs, variables);
      if (made.kind === 'rejected') throw new llm.ToolError(made.why);
      const send = async (): Promise<RequestOutcome> => {
        if (!hasMasks(action)) return await callControls.request(made.request);
        const secrets = await callControls.actionSecrets(action.key);
        const whole = secrets && buildRequest(withSecrets(action, secrets), toolArgs, variables);
        return whole?.kind === 'request'
          ? await callControls.request(whole.request)
          : { kind: 'failed', why: 'the secret of this action is not available' };
      };
      const outcome =
        waitingMessage === null
          ? await send()
          : await ctx.filler(fillTemplate(waitingMessage, variables), { delay: WAITING_AFTER_MS }, send);
      // The action's name and address are not logged, because both come from the organization's configuration.
      const { kind } = outcome;
      log.info(
        kind === 'answered' ? { kind, status: outcome.status } : { kind },
        'an action request has ended',
      );
      return answerForModel(outcome);
    });
  }

  private endCall(name: string, description: string): llm.FunctionTool {
    const properties = {
      farewell: { type: 'string', description: 'What to say last, where you say nothing else in this turn.' },
    };
    return toolWith(name, description, optional(properties), ({ farewell }, { ctx, toolCallId }) => {
      const { callControls, guard, language } = this.settings;
      const saying = ctx.speechHandle;
      // A caller who interrupts the goodbye wants to continue, so the call goes on.
      if (saying.interrupted) return undefined;
      ctx.disallowInterruptions();
      if (this.callsAfterSpeech.has(toolCallId)) saying.addDoneCallback(() => callControls.endCall());
      else {
        const words = typeof farewell === 'string' && farewell.trim() !== '' ? farewell.trim() : null;
        const isFine = words !== null && guard.checkAgent(words).kind === 'pass';
        const said = isFine ? words : fixedSentence('farewell', language);
        ctx.session.say(said, { allowInterruptions: false }).addDoneCallback(() => callControls.endCall());
      }
      return undefined;
    });
  }

  private requestCallback(name: string, description: string): llm.FunctionTool {
    const { callControls, now, timeZone } = this.settings;
    const properties = {
      at: {
        type: 'string',
        description: `The time that the caller named, as 2026-11-23T15:30 on clocks of ${timeZone}.`,
      },
      in_minutes: { type: 'number', description: 'Instead of a time: so many minutes from now.' },
    };
    return toolWith(name, description, optional(properties), (args) => {
      const requested = callbackTime(args, { now: now(), timeZone });
      if (requested.kind === 'rejected') throw new llm.ToolError(requested.why);
      callControls.requestCallback(requested.kind === 'at' ? requested.at.toISOString() : null);
      return requested.kind === 'at'
        ? `Noted: a call back on ${localNow(requested.at, timeZone)}.`
        : 'Noted: a call back, at a time that the office chooses.';
    });
  }

  private transferByRule(): llm.FunctionTool {
    const properties = { to: { type: 'string' } };
    return toolWith(TRANSFER_BY_RULE, 'Transfers the call.', optional(properties), ({ to }, options) =>
      this.transfer(String(to), options),
    );
  }

  /** Transfers the call once the preceding words have been played. */
  private async transfer(to: string, { ctx }: llm.ToolOptions): Promise<undefined> {
    await ctx.waitForPlayout();
    if (!(await this.settings.callControls.transfer(to)))
      throw new llm.ToolError('the call cannot be transferred now');
    return undefined;
  }
}

const isMask = (text: string): boolean => text === SECRET_MASK;
const hasMasks = ({ headers }: HttpAction): boolean => Object.values(headers).some(isMask);

function withSecrets(action: HttpAction, secrets: Readonly<Record<string, string>>): HttpAction {
  const headers = Object.entries(action.headers).map(([name, text]) => [
    name,
    isMask(text) ? (secrets[name] ?? '') : text,
  ]);
  return { ...action, headers: Object.fromEntries(headers) as Record<string, string> };
}

function toolWith(
  name: string,
  description: string,
  parameters: ParameterSchema,
  execute: (args: JsonObject, options: llm.ToolOptions) => unknown,
): llm.FunctionTool {
  const bare = llm.tool({ name, description, execute: () => Promise.resolve() });
  return {
    ...bare,
    // The SDK types raw schemas with a package that is not installed.
    parameters: parameters as unknown as llm.FunctionTool['parameters'],
    execute: async (args, options) => await execute(isJsonObject(args) ? args : {}, options),
  };
}

const optional = (properties: Record<string, object>): ParameterSchema => ({
  type: 'object',
  properties,
  required: [],
});

type CallbackTime = { kind: 'none' } | { kind: 'at'; at: Date } | { kind: 'rejected'; why: string };

/** Reads the time of a requested callback from the arguments of the model's tool call. */
export function callbackTime(
  args: Readonly<Record<string, unknown>>,
  { now, timeZone }: { now: Date; timeZone: string },
): CallbackTime {
  const { at, in_minutes: inMinutes } = args;
  const fromNow = typeof inMinutes === 'number' ? inMinutes : Number.NaN;
  if (fromNow > 0)
    return callbackAt(new Date(now.getTime() + Math.min(fromNow, FARTHEST_CALLBACK_MS) * MINUTE_MS), now);
  if (typeof at !== 'string' || at.trim() === '') return { kind: 'none' };
  const instant = instantOf(at, timeZone);
  if (instant === null)
    return { kind: 'rejected', why: 'that is not a valid time; use the form 2026-11-23T15:30' };
  return callbackAt(instant, now);
}

function callbackAt(at: Date, now: Date): CallbackTime {
  const aheadMs = at.getTime() - now.getTime();
  if (aheadMs < -MINUTE_MS) return { kind: 'rejected', why: 'that time is in the past; ask for another' };
  return aheadMs > FARTHEST_CALLBACK_MS
    ? { kind: 'rejected', why: 'that is more than a year ahead; ask for another' }
    : { kind: 'at', at };
}
