import { callNotFound } from '../errors/refusals';
import { about, object, typed, type Field } from '../schema/field';
import Joi from 'joi';
import { uuid } from './fields';

/** A malformed UUID is a 422; an unknown one is a 404. */
export const uuidParam = <Name extends string>(
  name: Name,
  description: string,
): Field<Record<Name, string>> =>
  object({ [name]: about(uuid(), description) }) as Field<Record<Name, string>>;

const CALL_ID = /^[A-Za-z0-9._-]{3,128}$/;

/** Accepts any text, because a malformed call id must be a 404, not a 422 (see `knownCallId`). */
export const callIdParam: Field<{ call_id: string }> = object({
  call_id: about(
    typed<string>(Joi.string().meta({ jsonSchema: { pattern: CALL_ID.source } })),
    'Identifier of the call',
  ),
});

/** @throws ApiError 404 if we can't have issued this id */
export function knownCallId(callId: string): string {
  if (!CALL_ID.test(callId)) throw callNotFound();
  return callId;
}
