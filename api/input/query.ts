import type { ObjectSchema } from 'joi';
import type { Context } from 'koa';
import { validated } from './validate';

/** A parameter that is given twice comes as a list, which no field takes. */
export function queryOf<Value>(ctx: Context, schema: ObjectSchema<Value>): Value {
  return validated(schema, { ...ctx.query }, 'query');
}
