import type { JsonObject } from './json';

/**
 * What JSON is made of, as plain data: the type that code fills in, the schema in the document and the table on a page are made from one
 * shape, so that the three cannot disagree.
 */
export type Shape = Kind & {
  /** For people, where the name does not say it. */
  readonly meaning?: string;
  readonly nullable?: true;
  /** It is absent where it says nothing. */
  readonly optional?: true;
};

type Kind =
  /** `id` is a UUID; `timestamp` is ISO 8601 in UTC with milliseconds. */
  | { readonly type: 'text' | 'id' | 'timestamp' }
  | { readonly type: 'flag' }
  | { readonly type: 'integer'; readonly least?: number }
  | { readonly type: 'number' }
  | { readonly type: 'word'; readonly of: readonly string[] }
  | { readonly type: 'texts' }
  | {
      /** `objects` is a list of them. */
      readonly type: 'object' | 'objects';
      readonly fields: Shapes;
      /** Fields that are not named may be there, and hold anything. */
      readonly open?: true;
      /** The schema's name in the document; without one it is written out where it stands. */
      readonly name?: string;
    };

export type Shapes = Readonly<Record<string, Shape>>;

export type ValueOf<S extends Shape> = PlainOf<S> | (S extends { nullable: true } ? null : never);

type PlainOf<S extends Shape> = S extends { type: 'flag' }
  ? boolean
  : S extends { type: 'integer' | 'number' }
    ? number
    : S extends { type: 'word'; of: readonly (infer Word)[] }
      ? Word
      : S extends { type: 'texts' }
        ? string[]
        : S extends { type: 'object'; fields: infer F extends Shapes }
          ? ObjectOf<F> & (S extends { open: true } ? JsonObject : unknown)
          : S extends { type: 'objects'; fields: infer F extends Shapes }
            ? ObjectOf<F>[]
            : string;

export type ObjectOf<F extends Shapes> = {
  [Name in keyof F as F[Name] extends { optional: true } ? never : Name]: ValueOf<F[Name]>;
} & {
  [Name in keyof F as F[Name] extends { optional: true } ? Name : never]?: ValueOf<F[Name]>;
};
