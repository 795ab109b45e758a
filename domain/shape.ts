import type { JsonObject } from './json';

/**
 * Describes JSON as plain data. TypeScript types, OpenAPI schemas and tables in the docs are all derived from the same shape, so they can't
 * diverge.
 */
export type Shape = Kind & {
  /** Description. Absent if the name is clear enough. */
  readonly meaning?: string;
  readonly nullable?: true;
  /** The field may be absent. */
  readonly optional?: true;
};

type Kind =
  /** `id` is a UUID. `timestamp` is ISO 8601 in UTC with milliseconds. */
  | { readonly type: 'text' | 'id' | 'timestamp' }
  | { readonly type: 'flag' }
  | { readonly type: 'integer'; readonly min?: number }
  | { readonly type: 'number' }
  | { readonly type: 'word'; readonly of: readonly string[] }
  | { readonly type: 'texts' }
  | {
      /** `objects` is a list of objects. */
      readonly type: 'object' | 'objects';
      readonly fields: Shapes;
      /** Additional fields are allowed. */
      readonly open?: true;
      /** Name of the schema in the OpenAPI document. Without a name, the schema is inlined. */
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
