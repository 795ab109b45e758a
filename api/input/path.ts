import Joi from 'joi';
import type { RouterContext } from '@koa/router';
import { callNotFound } from '../errors/refusals';
import { uuid } from './fields';
import { validated } from './validate';

/** A malformed UUID is a 422, an unknown one a 404. */
export function uuidParam(ctx: RouterContext, name: string): string {
  const schema = Joi.object<Record<string, string>>({ [name]: uuid().required() });
  return validated(schema, { [name]: ctx.params[name] }, 'path')[name] ?? '';
}

const CALL_ID = /^[A-Za-z0-9._-]{3,128}$/;

/** No id of ours looks otherwise, so whatever does is unknown. */
export function callIdParam(ctx: RouterContext): string {
  const callId = ctx.params.call_id ?? '';
  if (!CALL_ID.test(callId)) throw callNotFound();
  return callId;
}
