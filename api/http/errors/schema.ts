import Joi from 'joi';
import { about, either, list, object, optional, typed } from '../schema/field';
import { anything, constant, integer, nothing, text, timestamp } from '../schema/kinds';

const codeAndMessage = object(
  {
    code: about(text(), 'Error code. It never changes, so branch on it'),
    message: about(text(), 'Explanation for people'),
  },
  { name: 'ErrorDetail' },
);

const fault = object(
  {
    loc: about(
      typed<(string | number)[]>(Joi.array().items(Joi.string().allow(''), Joi.number())),
      'Path of the field, starting with body, query, path or header',
      ['body', 'agent_id'],
    ),
    msg: about(text(), 'What is wrong'),
    type: text(),
  },
  { name: 'InputFault' },
);

/** The common shape of an error. */
export const error = object({ detail: codeAndMessage }, { name: 'Error' });

export const validationError = object({ detail: list(fault) }, { name: 'ValidationError' });

export const dispatchError = object(
  {
    success: constant(false),
    message: text(),
    output: nothing(),
    error: about(text(), 'Error code'),
    detail: either(codeAndMessage, list(fault)),
  },
  { name: 'DispatchError' },
);

/** The shape used by campaign create, simulate and contact file preview. */
export const campaignError = object(
  {
    status_code: integer(400, 599),
    error: about(text(), 'Name of the status', 'Bad Request'),
    message: text(),
    code: text(),
    path: text(),
    timestamp: timestamp(),
    request_id: text(),
    details: optional(list(anything())),
    details_total: about(optional(integer(0)), 'Number of faults in the file; details holds the first 100'),
  },
  { name: 'CampaignError' },
);
