/**
 * Row types of the tables that describe an agent's configuration. The request schema, the limits, the resolved configuration, the TypeScript types
 * and `docs/agent-config.md` are all derived from these tables.
 */
import type { JsonObject } from '../json';
import type { Uses } from './maxima';

export type { Uses } from './maxima';

/** The part of a call that a value affects. `stored` values are kept but never used. */
export type Effect = 'conversation' | 'analysis' | 'dialling' | 'stored';

interface Described {
  /** Description in the OpenAPI document and `docs/agent-config.md`. */
  description: string;
}

interface Leaf extends Described {
  effects: readonly Effect[];
  /**
   * Requests that omit this value in an entry are rejected, and stored entries without it are skipped. Values without this mark fall back
   * to their default when absent or null.
   */
  required?: boolean;
  /** Requests accept any value, because the interface doesn't document this key. A value of the wrong type counts as absent. */
  isUnchecked?: boolean;
}

export interface FlagRow<D extends boolean | null = boolean | null> extends Leaf {
  kind: 'flag';
  default: D;
}

/** The form of a string. `any` allows an empty string, and surrounding spaces are removed. */
export type TextForm = 'any' | 'item_name' | 'e164' | 'socket_url' | 'token';

export interface TextRow extends Leaf {
  kind: 'text';
  form: TextForm;
  /** In characters. */
  max: number;
  default: string;
}

/** A string that must be one of the listed words. */
export interface ChoiceRow<C extends string = string> extends Leaf {
  kind: 'choice';
  values: readonly C[];
  default: C;
}

/**
 * A string in which only the listed words have a meaning. Any other word means `otherwise`, because the interface doesn't list the words.
 */
export interface WordRow<C extends string = string> extends Leaf {
  kind: 'word';
  values: readonly C[];
  default: C;
  otherwise: C;
  max: number;
}

export interface NumberRow<D extends number | null = number | null> extends Leaf {
  kind: 'number';
  isWhole: boolean;
  unit: 'ms' | 's' | 'min' | 'tokens' | 'share';
  min: number;
  max: number;
  /**
   * Effect of a value above `max`: the request is `refused`, or the value is `clamped` if the interface has no such limit.
   */
  above: 'refused' | 'clamped';
  default: D;
}

/** A list. Stored entries that don't match `entry` are dropped. A null `entry` allows anything. */
export interface ListRow<E extends Row | null = Row | null> extends Leaf {
  kind: 'list';
  /** Number of entries. */
  max: number;
  /** How many entries and characters a call uses. Absent if it uses all of them. */
  uses?: Uses;
  entry: E;
}

/** A value that is validated as a whole by the code that uses it. Null unless set. */
export interface AnyRow extends Leaf {
  kind: 'any';
}

/** An object with any keys and values. */
export interface MapRow extends Leaf {
  kind: 'map';
  /** Number of keys. */
  max: number;
  /** How many entries and characters a call uses. Absent if it uses all of them. */
  uses?: Uses;
}

/** An object with arbitrary keys and string values. Other values are dropped. */
export interface TextMapRow extends Leaf {
  kind: 'text map';
  max: number;
}

/**
 * An object whose shape the interface doesn't document. Requests accept anything, and values of the wrong type count as absent. Null unless
 * set.
 */
export interface ShapeRow<T extends Table = Table> extends Leaf {
  kind: 'shape';
  max: number;
  rows: T;
}

/** An object with arbitrary keys, whose values are objects of one shape. Other values become null. */
export interface ShapeMapRow<T extends Table = Table> extends Leaf {
  kind: 'shape map';
  max: number;
  /** How many entries and characters a call uses. Absent if it uses all of them. */
  uses?: Uses;
  rows: T;
}

/** An entry of a list. Unlike a group, it cannot be null. */
export interface ItemRow<T extends Table = Table> extends Described {
  kind: 'item';
  rows: T;
  required?: boolean;
  isUnchecked?: boolean;
}

/** An object with named keys. Keys without a row are stored unchanged. */
export interface GroupRow<T extends Table = Table> extends Described {
  kind: 'group';
  rows: T;
  /** Name of a neighbouring group with the same rows. The docs then list the rows only once. */
  like?: string;
  required?: boolean;
  isUnchecked?: boolean;
}

export type Row =
  | FlagRow
  | TextRow
  | ChoiceRow
  | WordRow
  | NumberRow
  | ListRow
  | AnyRow
  | MapRow
  | TextMapRow
  | ShapeRow
  | ShapeMapRow
  | ItemRow
  | GroupRow;

export type Table = Readonly<Record<string, Row>>;

export interface Section<T extends Table = Table> extends Described {
  /** The name in the OpenAPI document. */
  name: string;
  rows: T;
}

type ResolvedTable<T extends Table> = { readonly [K in keyof T]: ResolvedOf<T[K]> };

/** The resolved value. Every key is present and within its limits. It has its default if nothing usable is stored. */
export type ResolvedOf<R> = R extends AnyRow
  ? unknown
  : R extends GroupRow<infer T> | ItemRow<infer T>
    ? ResolvedTable<T>
    : R extends ShapeRow<infer T>
      ? ResolvedTable<T> | null
      : R extends ShapeMapRow<infer T>
        ? Readonly<Record<string, ResolvedTable<T> | null>>
        : R extends ListRow<infer E>
          ? readonly (E extends Row ? ResolvedOf<E> : unknown)[]
          : R extends FlagRow<infer D>
            ? boolean | D
            : R extends NumberRow<infer D>
              ? number | D
              : R extends ChoiceRow<infer C> | WordRow<infer C>
                ? C
                : R extends TextRow
                  ? string
                  : R extends TextMapRow
                    ? Readonly<Record<string, string>>
                    : JsonObject;

type SentTable<T extends Table> = {
  [K in keyof T as T[K] extends { required: true } ? K : never]: SentOf<T[K]>;
} & {
  [K in keyof T as T[K] extends { required: true } ? never : K]?: SentOf<T[K]> | null;
};

/** The value in requests and database rows, without the keys that no table names. */
export type SentOf<R> = R extends { isUnchecked: true }
  ? unknown
  : R extends AnyRow
    ? unknown
    : R extends GroupRow<infer T> | ItemRow<infer T>
      ? SentTable<T>
      : R extends ListRow<infer E>
        ? (E extends Row ? SentOf<E> : unknown)[]
        : R extends FlagRow
          ? boolean
          : R extends NumberRow
            ? number
            : R extends ChoiceRow<infer C>
              ? C
              : R extends TextRow | WordRow
                ? string
                : JsonObject;

/** Returns the default that the docs show. Null if an unset value has no effect or is decided elsewhere. */
export function shownDefaultOf(row: Row): boolean | number | string | null {
  switch (row.kind) {
    case 'flag':
    case 'number':
      return row.required === true ? null : row.default;
    case 'text':
    case 'choice':
    case 'word':
      return row.required === true || row.default === '' ? null : row.default;
    default:
      return null;
  }
}
