import Joi from 'joi';
import { typed, type Field } from '../http/schema/field';

export const timeRange = (): Field<string> => typed(Joi.string().pattern(/^\d{2}:\d{2}:\d{2}Z$/));

export const zonelessTimestamp = (): Field<string> =>
  typed(Joi.string().pattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/));
