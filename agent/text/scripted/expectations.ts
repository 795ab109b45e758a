/** Checks the expectations of a turn. The result is deterministic, because no model judges it. */
import { isJsonObject, type JsonObject } from '../../../domain/json';
import { fold, JUDGEMENTS } from '../../../domain/turn-expectations';
import { jsonOrText } from '../../model/actions/http-request';
import { mainScript, SCRIPT_OF } from '../../model/words';
import type { Exchange } from '../text-conversation';

export interface TurnOutcome extends Exchange {
  hasEnded: boolean;
  /** How often the model was called, and all text that it read. Null when the model calls can't be observed. */
  modelCalls: { times: number; read: string } | null;
}

type Check = (happened: TurnOutcome) => string | null;
export type Expectations = readonly Check[];

interface ReadExpectations {
  expectations: Expectations;
  faults: { key: string; why: string }[];
}

/** Returns a check for the expected value, or a message that explains why the value is invalid. */
type CheckFactory = (value: unknown) => Check | string;

const expectThat =
  (expected: string, happens: (happened: TurnOutcome) => boolean): Check =>
  (happened) =>
    happens(happened) ? null : expected;

const ifTexts =
  (make: (texts: string[]) => Check): CheckFactory =>
  (value) => {
    const texts = Array.isArray(value) ? value : [value];
    return texts.length > 0 && texts.every((text) => typeof text === 'string' && text !== '')
      ? make(texts.map(String))
      : 'must be a string or a list of strings';
  };

const eachText = (make: (text: string) => Check): CheckFactory =>
  ifTexts((texts) => {
    const checks = texts.map(make);
    return (happened) => checks.map((check) => check(happened)).find((fault) => fault !== null) ?? null;
  });

const eachPattern = (make: (pattern: RegExp) => Check): CheckFactory => {
  const texts = eachText((text) => make(new RegExp(text, 'iu')));
  return (value) => {
    try {
      return texts(value);
    } catch {
      return 'must be a regular expression';
    }
  };
};

const ifBoolean =
  (make: (value: boolean) => Check): CheckFactory =>
  (value) =>
    typeof value === 'boolean' ? make(value) : 'must be true or false';

const ifCount =
  (make: (value: number) => Check): CheckFactory =>
  (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0
      ? make(value)
      : 'must be a whole number of at least 0';

const CHECKS: Readonly<Record<string, CheckFactory>> = {
  contains: ifTexts((texts) => (happened) => JUDGEMENTS.contains(texts, happened)),
  contains_any: (value) =>
    Array.isArray(value)
      ? ifTexts((texts) => (happened) => JUDGEMENTS.contains_any(texts, happened))(value)
      : 'must be a list of texts',
  not_contains: ifTexts((texts) => (happened) => JUDGEMENTS.not_contains(texts, happened)),
  matches: eachPattern((pattern) =>
    expectThat(`to say what matches ${pattern.source}`, ({ said }) => pattern.test(said)),
  ),
  not_matches: eachPattern((pattern) =>
    expectThat(`to say nothing that matches ${pattern.source}`, ({ said }) => !pattern.test(said)),
  ),
  says_nothing: ifBoolean((expected) => (happened) => JUDGEMENTS.says_nothing(expected, happened)),
  max_words: ifCount((max) => (happened) => JUDGEMENTS.max_words(max, happened)),
  language: (value) => {
    const script = typeof value === 'string' ? SCRIPT_OF[value] : undefined;
    if (script === undefined) return `must be one of ${Object.keys(SCRIPT_OF).join(', ')}`;
    return expectThat(
      `to speak ${String(value)} (${script} letters)`,
      ({ said }) => mainScript(said) === script,
    );
  },
  tool: (value) => {
    const expectedTools = (Array.isArray(value) ? value : [value]).map(expectedTool);
    if (expectedTools.includes(null)) return 'must be the name of a tool or {name, arguments}';
    return ({ tools }) => {
      const missing = expectedTools.find(
        (expected) => !tools.some((tool) => expected !== null && isSubset(expected, { ...tool })),
      );
      return missing === undefined || missing === null ? null : `to call ${shown(missing)}`;
    };
  },
  no_tool: (value) => {
    if (value === true) return expectThat('to call no tool', ({ tools }) => tools.length === 0);
    if (typeof value !== 'string') return 'must be true or the name of a tool';
    return expectThat(`not to call ${value}`, ({ tools }) => !tools.some(({ name }) => name === value));
  },
  request: (value) => {
    const expectedRequests: unknown[] = Array.isArray(value) ? value : [value];
    if (!expectedRequests.every(isJsonObject)) return 'must be {method, url, headers, body}';
    return ({ callActions }) => {
      const requests = callActions
        .filter(({ kind }) => kind === 'request')
        .map((action) => ({ ...action, ...parsedBody(action) }));
      const missing = expectedRequests.find(
        (expected) => !requests.some((request) => isSubset(expected, request)),
      );
      return missing === undefined ? null : `to send ${shown(missing)}`;
    };
  },
  no_request: ifBoolean((expected) =>
    expectThat(
      expected ? 'to send no request' : 'to send a request',
      ({ callActions }) => callActions.some(isRequest) !== expected,
    ),
  ),
  ends: ifBoolean((expected) => (happened) => JUDGEMENTS.ends(expected, happened)),
  callback: (value) => {
    if (typeof value !== 'boolean' && typeof value !== 'string') return 'must be true, false or a time';
    const atMs = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    if (typeof value === 'string' && Number.isNaN(atMs)) return 'must be a time';
    return ({ callActions }) => {
      const callback = callActions.find((action) => action.kind === 'callback');
      if (typeof value === 'boolean')
        return (callback !== undefined) === value
          ? null
          : value
            ? 'to request a callback'
            : 'to request no callback';
      const isAt = callback?.kind === 'callback' && callback.at !== null && Date.parse(callback.at) === atMs;
      return isAt ? null : `to request a callback at ${value}`;
    };
  },
  transfers_to: (value) => {
    if (typeof value !== 'string') return 'must be a string';
    return expectThat(`to transfer to ${value}`, ({ callActions }) =>
      callActions.some((action) => action.kind === 'transfer' && action.to === value),
    );
  },
  model_called: (value) => {
    if (typeof value !== 'boolean' && typeof value !== 'number')
      return 'must be true, false or a whole number';
    return ({ modelCalls }) => {
      const times = modelCalls?.times ?? Number.NaN;
      const fits = typeof value === 'number' ? times === value : times > 0 === value;
      return fits ? null : `the model to be called: ${String(value)}, not ${times} times`;
    };
  },
  model_reads: eachText((text) =>
    expectThat(`the model to read "${text}"`, ({ modelCalls }) =>
      fold(modelCalls?.read ?? '').includes(fold(text)),
    ),
  ),
  model_reads_not: eachText((text) =>
    expectThat(
      `the model not to read "${text}"`,
      ({ modelCalls }) => modelCalls !== null && !fold(modelCalls.read).includes(fold(text)),
    ),
  ),
};

export function readExpectations(value: unknown): ReadExpectations {
  if (!isJsonObject(value)) return { expectations: [], faults: [{ key: '', why: 'must be an object' }] };
  const faults: ReadExpectations['faults'] = [];
  const expectations: Check[] = [];
  for (const [key, expected] of Object.entries(value)) {
    const make = Object.hasOwn(CHECKS, key) ? CHECKS[key] : undefined;
    const check =
      make === undefined ? `is unknown; use one of ${Object.keys(CHECKS).join(', ')}` : make(expected);
    if (typeof check === 'string') faults.push({ key, why: check });
    else expectations.push(check);
  }
  return { expectations, faults };
}

export const unmetExpectations = (expectations: Expectations, happened: TurnOutcome): string[] =>
  expectations.map((check) => check(happened)).filter((fault) => fault !== null);

function expectedTool(value: unknown): JsonObject | null {
  if (typeof value === 'string') return { name: value };
  return isJsonObject(value) && typeof value.name === 'string' ? value : null;
}

/**
 * Returns true if everything expected is present. Additional properties are ignored, and a string that ends in `*` matches as a prefix.
 */
function isSubset(expected: unknown, found: unknown): boolean {
  if (isJsonObject(expected))
    return isJsonObject(found) && Object.entries(expected).every(([key, one]) => isSubset(one, found[key]));
  if (Array.isArray(expected))
    return (
      Array.isArray(found) &&
      expected.length === found.length &&
      expected.every((one, at) => isSubset(one, found[at]))
    );
  if (typeof expected === 'string' && expected.endsWith('*'))
    return typeof found === 'string' && found.startsWith(expected.slice(0, -1));
  return expected === found;
}

const isRequest = ({ kind }: { kind: string }): boolean => kind === 'request';

/** A body that is not JSON is compared as text. */
function parsedBody({ body }: { kind: string; body?: string | null }): { body?: unknown } {
  return typeof body === 'string' ? { body: jsonOrText(body) } : {};
}

const shown = (expected: unknown): string => JSON.stringify(expected);
