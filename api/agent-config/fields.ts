import Joi from 'joi';

/**
 * The kinds of field a section is made of. Each takes `null`, which puts the field's default back; objects
 * keep keys they do not know. Types are JSON's: nothing is converted.
 */

export const text = (description: string): Joi.StringSchema =>
  Joi.string().allow('', null).description(description);

export const choice = (description: string, ...values: string[]): Joi.StringSchema =>
  Joi.string()
    .valid(...values, null)
    .description(description);

export const flag = (description: string): Joi.BooleanSchema =>
  Joi.boolean().allow(null).description(description);

export const whole = (description: string, least: number, most?: number): Joi.NumberSchema => {
  const atLeast = Joi.number().integer().min(least).allow(null).description(description);
  return most === undefined ? atLeast : atLeast.max(most);
};

export const fraction = (description: string): Joi.NumberSchema =>
  Joi.number().min(0).max(1).allow(null).description(description);

export const list = (description: string, item: Joi.Schema = Joi.any()): Joi.ArraySchema =>
  Joi.array().items(item).allow(null).description(description);

/** An object of the client's own keys, such as trait to value. */
export const map = (description: string): Joi.ObjectSchema =>
  Joi.object().unknown(true).allow(null).description(description);

export const group = (description: string, keys: Joi.PartialSchemaMap): Joi.ObjectSchema =>
  Joi.object(keys).unknown(true).allow(null).description(description);

/** One entry of a list; unlike a group it cannot be null. */
export const item = (description: string, keys: Joi.PartialSchemaMap): Joi.ObjectSchema =>
  Joi.object(keys).unknown(true).description(description);

/** The name of something the analysis answers; it becomes a key of the answers, so it must be safe as one. */
export const itemName = (description: string): Joi.StringSchema =>
  Joi.string().max(30).invalid('__proto__', 'constructor', 'prototype').required().description(description);

const E164 = /^\+[1-9]\d{6,14}$/;

export const e164 = (description: string): Joi.StringSchema =>
  Joi.string()
    .pattern(E164)
    .messages({ 'string.pattern.base': 'must be an E.164 number, such as +919876543210' })
    .description(description);
