import Joi from 'joi';
import type { JsonObject } from '../../workflows/domain/json';
import {
  nullable,
  object,
  optional,
  typed,
  type Field,
  type Fields,
  type ObjectOf,
  type OptionalField,
} from '../schema/field';
import * as kinds from '../schema/kinds';
import { MAXIMA } from './maxima';

/**
 * The kinds of field a section is made of. Each may be left out, and takes `null`, which puts the field's default back; objects
 * keep keys they do not know. Types are JSON's: nothing is converted.
 */
type Setting<T> = OptionalField<T | null>;

const setting = <T>(field: Field<T>, description: string): Setting<T> =>
  optional(nullable(typed<T>(field.description(description))));

/** An entry of a list of texts. How long it may be is checked with the other limits, before joi sees the value: see `limits.ts`. */
export const words = (most: number): Field<string> =>
  typed(
    Joi.string()
      .allow('')
      .meta({ jsonSchema: { maxLength: most } }),
  );

/** At most so many characters. May be empty. */
export const text = (description: string, most: number = MAXIMA.text): Setting<string> =>
  setting(words(most), description);

export const choice = <T extends string>(description: string, ...values: T[]): Setting<T> =>
  setting(kinds.oneOf(...values), description);

export const flag = (description: string): Setting<boolean> => setting(kinds.flag(), description);

export const whole = (description: string, least: number, most?: number): Setting<number> =>
  setting(kinds.integer(least, most), description);

export const fraction = (description: string): Setting<number> => setting(kinds.number(0, 1), description);

/** Of at most so many entries. */
export const list = <T = unknown>(description: string, most: number, entry?: Field<T>): Setting<T[]> =>
  setting(
    typed<T[]>(
      Joi.array()
        .items(entry ?? Joi.any())
        .max(most),
    ),
    description,
  );

/** An object of at most so many keys of the client's own, such as trait to value. */
export const map = (description: string, most: number): Setting<JsonObject> =>
  setting(kinds.freeObject(most), description);

export const group = <F extends Fields>(description: string, keys: F): Setting<ObjectOf<F>> =>
  setting(object(keys, { open: true }), description);

/** One entry of a list; unlike a group it cannot be null. */
export const item = <F extends Fields>(description: string, keys: F): Field<ObjectOf<F>> =>
  object(keys, { description, open: true });

/** A whole section. Null stands for nothing here: its endpoints decide what that means. */
export const section = <F extends Fields>(name: string, description: string, keys: F): Field<ObjectOf<F>> =>
  object(keys, { name, description, open: true });

/** The name of something the analysis answers; it becomes a key of the answers, so it must be safe as one. */
export const itemName = (description: string): Field<string> =>
  typed(
    kinds.atMost(Joi.string(), 30).invalid('__proto__', 'constructor', 'prototype').description(description),
  );

/** The beginning of an address, and nothing that would go before it or take its token elsewhere: a user name, a fragment. */
const SOCKET_URL = /^wss?:\/\/[^\s/?#@\\]+(\/[^\s?#\\]*)?(\?[^\s#]*)?$/;

const MAX_URL_LENGTH = 2048;

/** Empty for none. Whether it may be connected to is known when it is. */
export const socketUrl = (description: string): Setting<string> =>
  setting(
    typed<string>(
      kinds
        .atMost(Joi.string(), MAX_URL_LENGTH)
        .pattern(SOCKET_URL)
        .allow('')
        .messages({ 'string.pattern.base': 'must be an address with wss://, without a user name' })
        .meta({
          jsonSchema: {
            type: ['string', 'null'],
            pattern: `^$|${SOCKET_URL.source}`,
            maxLength: MAX_URL_LENGTH,
          },
        }),
    ),
    description,
  );

/** What a header can carry after its scheme. */
const TOKEN = /^[\x21-\x7e]*$/;

export const token = (description: string): Setting<string> =>
  setting(
    typed<string>(
      kinds
        .atMost(Joi.string(), 4096)
        .pattern(TOKEN)
        .allow('')
        .messages({ 'string.pattern.base': 'must be printable ASCII without blanks' })
        .meta({ jsonSchema: { type: ['string', 'null'], pattern: TOKEN.source, maxLength: 4096 } }),
    ),
    description,
  );

const E164 = /^\+[1-9]\d{6,14}$/;

const number = (): Joi.StringSchema =>
  Joi.string()
    .pattern(E164)
    .messages({ 'string.pattern.base': 'must be an E.164 number, such as +919876543210' });

export const e164 = (description: string): Field<string> => typed(number().description(description));

/** A number, or the empty text for none. */
export const e164OrEmpty = (description: string): Setting<string> =>
  setting(
    typed<string>(
      number()
        .allow('')
        .meta({ jsonSchema: { type: ['string', 'null'], pattern: `^$|${E164.source}` } }),
    ),
    description,
  );
