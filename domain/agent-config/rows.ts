/**
 * The kinds of row that the tables of an agent's configuration are made of. A table is data: the request's schema, the maxima, the resolved
 * configuration, their TypeScript types and the tables of `docs/agent-config.md` all come from it.
 */
import type { JsonObject } from '../json';
import type { Uses } from './maxima';

export type { Uses } from './maxima';

/** What a value has an effect on; `stored` alone is kept for its owner and read by nothing. */
export type Effect = 'conversation' | 'analysis' | 'dialling' | 'stored';

interface Described {
  /** For the OpenAPI document and for `docs/agent-config.md`. */
  does: string;
}

interface Leaf extends Described {
  effects: readonly Effect[];
  /** An entry without it is refused, and left out where it is stored so. Other values may be absent or null: then they have their default. */
  required?: boolean;
  /** Requests take any value here, as the interface does not show the key; of the wrong type, it counts as absent. */
  isUnchecked?: boolean;
}

export interface FlagRow<D extends boolean | null = boolean | null> extends Leaf {
  kind: 'flag';
  default: D;
}

/** What a text must look like; `any` may be empty and has its surrounding blanks taken off. */
export type TextForm = 'any' | 'item_name' | 'e164' | 'socket_url' | 'token';

export interface TextRow extends Leaf {
  kind: 'text';
  form: TextForm;
  /** Characters. */
  most: number;
  default: string;
}

/** One of several words; requests refuse others. */
export interface ChoiceRow<C extends string = string> extends Leaf {
  kind: 'choice';
  values: readonly C[];
  default: C;
}

/** Any text: one of several words, or, as the interface names none, what another word counts as. */
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
  /** Requests refuse what is above `most`, unless the interface knows no such limit: then it counts as `most`. */
  above: 'refused' | 'counts as the most';
  default: D;
}

/** Null entry: anything. What is no such entry is left out. */
export interface ListRow<E extends Row | null = Row | null> extends Leaf {
  kind: 'list';
  /** Entries. */
  most: number;
  /** Unless all of it is used. */
  uses?: Uses;
  entry: E;
}

/** As it is stored, for code that judges it as a whole; null unless set. */
export interface AnyRow extends Leaf {
  kind: 'any';
}

/** The client's own keys, with values that are used as they are. */
export interface MapRow extends Leaf {
  kind: 'map';
  /** Keys. */
  most: number;
  /** Unless all of it is used. */
  uses?: Uses;
}

/** The client's own keys; values that are no text are left out. */
export interface TextMapRow extends Leaf {
  kind: 'text map';
  most: number;
}

/** An object of which the interface does not show the shape: requests take any, and what is of the wrong type counts as absent. Null unless set. */
export interface ShapeRow<T extends Table = Table> extends Leaf {
  kind: 'shape';
  most: number;
  rows: T;
}

/** The client's own keys, each with an object of one shape; null for what is no object. */
export interface ShapeMapRow<T extends Table = Table> extends Leaf {
  kind: 'shape map';
  most: number;
  /** Unless all of it is used. */
  uses?: Uses;
  rows: T;
}

/** One entry of a list. Unlike a group it cannot be null. */
export interface ItemRow<T extends Table = Table> extends Described {
  kind: 'item';
  rows: T;
  required?: boolean;
  isUnchecked?: boolean;
}

/** Keys that are not named are kept for their owner. */
export interface GroupRow<T extends Table = Table> extends Described {
  kind: 'group';
  rows: T;
  /** The neighbour whose rows it has too, so that a document need not list them again. */
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

/** One section: its name in the OpenAPI document, and its table. */
export interface Section<T extends Table = Table> extends Described {
  name: string;
  rows: T;
}

type ResolvedTable<T extends Table> = { readonly [K in keyof T]: ResolvedOf<T[K]> };

/** What code reads: every key is there, with its default where nothing usable is stored, and within its limits. */
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

/** What requests may hold and rows of the database do, beside keys that no table names. */
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
