/**
 * Row types of the tables that describe an agent's configuration. The request schema, the limits, the resolved configuration, the TypeScript types
 * and `docs/agent-config.md` are all derived from these tables.
 */
import type { JsonObject } from '../json';
import type { Uses } from './maxima';

export type { Uses } from './maxima';

/** The parts of a call that a value affects. `stored` values are kept but never used. */
export type Effect = 'conversation' | 'analysis' | 'dialling' | 'stored';

interface Described {
  /** Description in the OpenAPI document and `docs/agent-config.md`. */
  does: string;
}

interface Leaf extends Described {
  effects: readonly Effect[];
  /** Requests reject an entry without this value, and stored entries without it are skipped. Other values default when absent or null. */
  required?: boolean;
  /** Requests accept any value, because the interface does not show the key. A value of the wrong type counts as absent. */
  isUnchecked?: boolean;
}

export interface FlagRow<D extends boolean | null = boolean | null> extends Leaf {
  kind: 'flag';
  default: D;
}

/** The form that a text must have. `any` may be empty, and its surrounding spaces are removed. */
export type TextForm = 'any' | 'item_name' | 'e164' | 'socket_url' | 'token';

export interface TextRow extends Leaf {
  kind: 'text';
  form: TextForm;
  /** Characters. */
  most: number;
  default: string;
}

/** A text that must be one of several words. */
export interface ChoiceRow<C extends string = string> extends Leaf {
  kind: 'choice';
  values: readonly C[];
  default: C;
}

/** A text whose known words have a meaning. Any other word counts as `otherwise`, because the interface lists no words. */
export interface WordRow<C extends string = string> extends Leaf {
  kind: 'word';
  values: readonly C[];
  default: C;
  otherwise: C;
  most: number;
}

export interface NumberRow<D extends number | null = number | null> extends Leaf {
  kind: 'number';
  isWhole: boolean;
  unit: 'ms' | 's' | 'min' | 'tokens' | 'share';
  least: number;
  most: number;
  /** Requests reject values above `most`, unless the interface has no such limit. Then they count as `most`. */
  above: 'refused' | 'counts as the most';
  default: D;
}

/** A list. Stored entries that don't match `entry` are left out, and null allows any entry. */
export interface ListRow<E extends Row | null = Row | null> extends Leaf {
  kind: 'list';
  /** Entries. */
  most: number;
  /** How many entries and characters a call uses. Absent if it uses all of them. */
  uses?: Uses;
  entry: E;
}

/** A value that its user validates as a whole. Null unless set. */
export interface AnyRow extends Leaf {
  kind: 'any';
}

/** An object with any keys and values. */
export interface MapRow extends Leaf {
  kind: 'map';
  /** Keys. */
  most: number;
  /** How many entries and characters a call uses. Absent if it uses all of them. */
  uses?: Uses;
}

/** An object with any keys and texts as values. Other values are left out. */
export interface TextMapRow extends Leaf {
  kind: 'text map';
  most: number;
}

/** An object whose shape the interface does not show, so requests accept any and values of the wrong type count as absent. Null unless set. */
export interface ShapeRow<T extends Table = Table> extends Leaf {
  kind: 'shape';
  most: number;
  rows: T;
}

/** An object with any keys and objects of one shape as values. Other values become null. */
export interface ShapeMapRow<T extends Table = Table> extends Leaf {
  kind: 'shape map';
  most: number;
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

/** An object with named keys. Unnamed keys are stored unchanged. */
export interface GroupRow<T extends Table = Table> extends Described {
  kind: 'group';
  rows: T;
  /** Name of a neighbouring group with the same rows, so that the docs list them once. */
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

/** The resolved value: every key is present, within its limits, with its default if nothing usable is stored. */
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

/** The default that the docs show. Null if an unset value has no effect or something else decides. */
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
