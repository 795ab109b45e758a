/** Row type of the tables of environment variables, and the kinds of values. Imports nothing, because every process uses it. */

/** Programs that read variables. `stack` is `npm start`, `npm run demo` and their tools. */
export type Process =
  | 'api'
  | 'worker'
  | 'admin'
  | 'migrate'
  | 'agent'
  | 'chat'
  | 'mcp'
  | 'mcp-http'
  | 'simulator'
  | 'sip-stand-in'
  | 'stack'
  | 'tests';

export type Parsed<Value> = { value: Value } | { fault: string };

export interface Kind<Value> {
  /** Type, unit and limits for the documentation. Empty if any string is allowed. */
  limits: string;
  /**
   * Parses the variable. A fault completes a sentence that begins with the variable's name. It must not contain the value, which can be a
   * secret.
   */
  parse: (text: string) => Parsed<Value>;
}

/**
 * Checks a value (null if unset) against other variables of the same process. Returns null, or an error that completes a sentence beginning
 * with the variable's name.
 */
export type Rule = (value: unknown, other: (name: string) => unknown) => string | null;

type Default = string | number | boolean;

interface Description<Value, By extends Process, Needing extends Process, As extends string> {
  kind: Kind<Value>;
  readBy: readonly By[];
  /** Processes that don't start without this variable. */
  requiredBy?: readonly Needing[];
  /** Key in the settings of each process that reads the variable. Without a key, the process derives its settings from the value. */
  as?: As;
  /** Description for `.env.example` and `docs/settings.md`. */
  description: string;
  rule?: Rule;
  /** Value for a local installation, which `.env.example` sets. Variables without an example are commented out there. */
  example?: string;
}

export interface Variable<
  Value = unknown,
  By extends Process = Process,
  Needing extends Process = Process,
  As extends string = string,
> extends Description<Value, By, Needing, As> {
  default?: Default | Readonly<Partial<Record<Process, Default>>>;
}

export type Table = Readonly<Record<string, Variable>>;

/** Describes a variable that has a default, or whose value is null if unset. */
export function variable<
  Value,
  const By extends Process,
  const Needing extends Process = never,
  const As extends string = never,
>(
  row: Description<Value, By, Needing, As> & { default: Default | Readonly<Record<By, Default>> },
): Variable<Value, By, Needing, As>;
export function variable<
  Value,
  const By extends Process,
  const Needing extends Process = never,
  const As extends string = never,
>(row: Description<Value, By, Needing, As>): Variable<Value | null, By, Needing, As>;
export function variable(row: Variable): Variable {
  return row;
}

/** Creates a kind of value from a parser that returns undefined for a wrong value. */
export const parsed = <Value>(
  limits: string,
  mustBe: string,
  parse: (text: string) => Value | undefined,
): Kind<Value> => ({
  limits,
  parse: (given) => {
    const value = parse(given);
    return value === undefined ? { fault: `must be ${mustBe}` } : { value };
  },
});

export const text: Kind<string> = { limits: '', parse: (value) => ({ value }) };

export const secret = (min: number): Kind<string> => ({
  limits: `at least ${min} characters`,
  parse: (value) => (value.length < min ? { fault: `must be at least ${min} characters long` } : { value }),
});

export const choice = <const Word extends string>(...words: readonly Word[]): Kind<Word> =>
  parsed(words.join(', '), `one of [${words.join(', ')}]`, (given) => words.find((word) => word === given));

export const flag: Kind<boolean> = parsed('true or false', 'true or false', (given) =>
  given.toLowerCase() === 'true' ? true : given.toLowerCase() === 'false' ? false : undefined,
);

interface Limits {
  min: number;
  max?: number;
  unit?: string;
}

export const number = ({ min, max = Number.MAX_SAFE_INTEGER, unit }: Limits): Kind<number> => ({
  limits: limitsText(max === Number.MAX_SAFE_INTEGER ? `at least ${min}` : `${min} to ${max}`, unit),
  parse: (given) => {
    if (!/^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/.test(given)) return { fault: 'must be a number' };
    const value = Number(given);
    if (value < min) return { fault: `must be at least ${min}` };
    return value > max ? { fault: `must be at most ${max}` } : { value };
  },
});

export function integer(limits: Limits): Kind<number> {
  const kind = number(limits);
  return {
    limits: kind.limits,
    parse: (given) => {
      const read = kind.parse(given);
      return 'value' in read && !Number.isInteger(read.value) ? { fault: 'must be an integer' } : read;
    },
  };
}

const limitsText = (range: string, unit: string | undefined): string =>
  unit === undefined ? range : `${unit}, ${range}`;

export const port: Kind<number> = integer({ min: 0, max: 65_535 });

const ADDRESS = /^[a-z][a-z\d+.-]*:\/\/(?:[\w!#$&-,\-./:;=?@[\]~]|%[\da-f]{2})+$/i;

const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** An absolute URL with one of these schemes. */
export const address = (...schemes: readonly string[]): Kind<string> =>
  parsed(
    `address (${schemes.join(', ')})`,
    `a URL that starts with ${alternatives.format(schemes.map((scheme) => `${scheme}://`))}`,
    (given) => {
      const isOne =
        ADDRESS.test(given) && URL.canParse(given) && schemes.includes(new URL(given).protocol.slice(0, -1));
      return isOne ? given : undefined;
    },
  );

/** A URL to which paths are appended. Trailing slashes are removed. */
export function baseAddress(...schemes: readonly string[]): Kind<string> {
  const { limits, parse } = address(...schemes);
  return {
    limits,
    parse: (given) => {
      const read = parse(given);
      return 'value' in read ? { value: read.value.replace(/\/+$/, '') } : read;
    },
  };
}

/** Comma-separated items. `read` returns undefined for a wrong item. Only a default can be an empty list. */
export const items = <Item>(
  limits: string,
  mustBe: string,
  read: (item: string) => Item | undefined,
): Kind<Item[]> =>
  parsed(limits, mustBe, (given) => {
    if (given === '') return [];
    const all = given.split(',').map((item) => read(item.trim()));
    const right = all.filter((item) => item !== undefined);
    return right.length === all.length ? right : undefined;
  });

/** Comma-separated strings. Empty ones are dropped. */
export const list: Kind<string[]> = {
  limits: 'comma-separated',
  parse: (given) => ({
    value: given
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  }),
};

/** Comma-separated host names, each with or without a port, in lowercase. */
export const hosts: Kind<string[]> = {
  limits: list.limits,
  parse: (given) => list.parse(given.toLowerCase()),
};

/** Requires the value if the other variable is set. */
export const requiredWith =
  (name: string): Rule =>
  (value, other) =>
    value === null && isSet(other(name)) ? `is required with ${name}` : null;

/** Rejects a value that has no effect unless the other variable is set. */
export const onlyWith =
  (name: string): Rule =>
  (value, other) =>
    isSet(value) && !isSet(other(name)) ? hasNoEffectWithout(name) : null;

export const hasNoEffectWithout = (setting: string): string => `has no effect without ${setting}. Set it too`;

export const isSet = (value: unknown): boolean => value !== null && value !== undefined;
