/** Queries the model up to three times until its answer matches the schema. */
import Ajv, { type ErrorObject } from 'ajv';
import { askAgain } from '../../domain/analysis/prompt';
import type { JsonSchema } from '../../domain/analysis/schema';
import { isJsonObject, type JsonObject } from '../../domain/json';
import { withoutReasoning } from '../../domain/model-reasoning';
import type { LanguageModel, ModelMessage, ModelReply, ModelTokens } from './model';

const MAX_QUESTIONS = 3;
/** Maximum number of faults to send back to the model. The first faults usually cause the rest. */
const MAX_FAULTS = 10;

export interface CheckedAnswer {
  /** Null if no answer matched the schema. */
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
  for (let questions = 1; questions <= MAX_QUESTIONS; questions++) {
    const reply = await model.ask(messages, schema, signal);
    tokens.input += reply.tokens.input;
    tokens.cached += reply.tokens.cached;
    tokens.output += reply.tokens.output;
    const objects = objectsIn(withoutReasoning(reply.text));
    const answer = objects.findLast((object) => isOfSchema(object));
    if (answer !== undefined) return { answer, questions, tokens };
    const faults = objects.length > 0 ? faultsOf(isOfSchema.errors ?? []) : [noObject(reply)];
    messages = [
      ...question,
      { role: 'assistant', content: reply.text },
      { role: 'user', content: askAgain(faults) },
    ];
  }
  return { answer: null, questions: MAX_QUESTIONS, tokens };
}

/** Limits the search in text with many unmatched brackets. */
const MAX_SCANNED_CHARACTERS = 10_000_000;

/** Returns the outermost JSON objects in the model's answer. Models often wrap an object in prose or code fences. */
function objectsIn(text: string): JsonObject[] {
  const objects: JsonObject[] = [];
  let scanned = 0;
  for (let at = text.indexOf('{'); at !== -1 && scanned < MAX_SCANNED_CHARACTERS;) {
    const end = endOfObject(text, at);
    scanned += (end ?? text.length) - at;
    const object = end === null ? undefined : parsed(text.slice(at, end));
    if (isJsonObject(object)) objects.push(object);
    at = text.indexOf('{', isJsonObject(object) && end !== null ? end : at + 1);
  }
  return objects;
}

/** Returns the position after the bracket that closes the one at `from`, or null if it is never closed. */
function endOfObject(text: string, from: number): number | null {
  let depth = 0;
  let isQuoted = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (isQuoted && char === '\\') at += 1;
    else if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && char === '{') depth += 1;
    else if (!isQuoted && char === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const noObject = ({ isCutOff }: ModelReply): string =>
  isCutOff ? 'it was truncated, so be shorter' : 'it is not a JSON object';

const faultsOf = (errors: readonly ErrorObject[]): string[] =>
  errors.slice(0, MAX_FAULTS).map(({ instancePath, message = 'is wrong', params }) => {
    const where = instancePath === '' ? 'the object' : instancePath;
    const detail: unknown = params.allowedValues ?? params.additionalProperty;
    return `${where} ${message}${detail === undefined ? '' : `: ${JSON.stringify(detail)}`}`;
  });
