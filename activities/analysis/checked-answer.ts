/** Asks until the answer is of the schema, a few times at most. */
import Ajv, { type ErrorObject } from 'ajv';
import { askAgain } from '../../workflows/domain/analysis/prompt';
import type { JsonSchema } from '../../workflows/domain/analysis/schema';
import { isJsonObject, type JsonObject } from '../../workflows/domain/json';
import type { LanguageModel, ModelMessage, ModelReply, ModelTokens } from './model';

const MOST_QUESTIONS = 3;
/** Most faults that are named to the model; the first are usually the reason of the rest. */
const MOST_FAULTS = 10;

export interface CheckedAnswer {
  /** Null where no answer was of the schema. */
  answer: JsonObject | null;
  questions: number;
  tokens: ModelTokens;
}

export async function checkedAnswer(
  model: LanguageModel,
  question: readonly ModelMessage[],
  schema: JsonSchema,
  signal: AbortSignal,
): Promise<CheckedAnswer> {
  const isOfSchema = new Ajv({ allErrors: true, strict: false }).compile(schema);
  const tokens: ModelTokens = { input: 0, cached: 0, output: 0 };
  let messages = question;
  for (let questions = 1; questions <= MOST_QUESTIONS; questions++) {
    const reply = await model.ask(messages, schema, signal);
    tokens.input += reply.tokens.input;
    tokens.cached += reply.tokens.cached;
    tokens.output += reply.tokens.output;
    const answer = jsonIn(reply.text);
    if (isJsonObject(answer) && isOfSchema(answer)) return { answer, questions, tokens };
    const faults = isJsonObject(answer) ? faultsOf(isOfSchema.errors ?? []) : [noObject(reply)];
    messages = [
      ...question,
      { role: 'assistant', content: reply.text },
      { role: 'user', content: askAgain(faults) },
    ];
  }
  return { answer: null, questions: MOST_QUESTIONS, tokens };
}

/** Models put words, fences and their reasoning around an object. */
function jsonIn(text: string): unknown {
  const answer = text.replace(/^\s*<think>[^]*?<\/think>/, '');
  const [first, last] = [answer.indexOf('{'), answer.lastIndexOf('}')];
  if (first === -1 || last < first) return undefined;
  try {
    return JSON.parse(answer.slice(first, last + 1));
  } catch {
    return undefined;
  }
}

const noObject = ({ isCutOff }: ModelReply): string =>
  isCutOff ? 'it was cut off: be shorter' : 'it is no JSON object';

const faultsOf = (errors: readonly ErrorObject[]): string[] =>
  errors.slice(0, MOST_FAULTS).map(({ instancePath, message = 'is wrong', params }) => {
    const where = instancePath === '' ? 'the object' : instancePath;
    const detail: unknown = params.allowedValues ?? params.additionalProperty;
    return `${where} ${message}${detail === undefined ? '' : `: ${JSON.stringify(detail)}`}`;
  });
