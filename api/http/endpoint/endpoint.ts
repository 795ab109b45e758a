import { Readable } from 'node:stream';
import type { RouterMiddleware } from '@koa/router';
import type { Scope } from '../../../db/organizations/api-keys';
import type { ErrorFamily } from '../errors/answer';
import type { ApiError } from '../errors/api-error';
import type { RateKind } from '../limits';
import type { Access, Gates } from './access';
import type { Answer } from './answer';
import type { ApiContext, ApiState } from './context';
import { inputReader, type InputOf, type InputSpec } from './input';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The parts of an endpoint that the OpenAPI document and the router need. */
export interface EndpointFacts {
  method: Method;
  /** As in `interface.md`, with `:name` for parameters. Clients may add or omit the trailing slash. */
  path: string;
  tag: 'Agents' | 'Calls' | 'Campaigns' | 'Webhooks' | 'Account' | 'Console';
  summary: string;
  description?: string;
  /** Scope that the API key needs. Null if any key is accepted. */
  scope: Scope | null;
  /** Omits the endpoint from the OpenAPI document. */
  hidden?: boolean;
  input?: InputSpec;
  answer: Answer<unknown>;
  /** Errors specific to this endpoint; those common to all endpoints are added. */
  refusals?: ApiError[];
  /** Shape of the endpoint's errors. Default: `detail`. */
  errors?: ErrorFamily;
  /** Default: `other`. */
  rate?: RateKind;
}

/**
 * Defines an endpoint. The steps run in this order: access and rate limit, a request slot of the organization, body size and content
 * type, field types, `handle`, `present`.
 */
export interface EndpointSpec<Who, Input extends InputSpec, Result, Body> extends EndpointFacts {
  access: Access<Who>;
  input: Input;
  answer: Answer<Body>;
  handle: (input: InputOf<Input>, who: Who) => Promise<Result> | Result;
  /** Builds the response field by field. It may set headers but makes no decisions. */
  present: (result: Result, context: { ctx: ApiContext; input: InputOf<Input>; who: Who }) => Body;
}

export interface Endpoint extends EndpointFacts {
  security: Access<unknown>['security'];
  middleware: (gates: Gates) => RouterMiddleware<ApiState>;
}

export function endpoint<Who, Input extends InputSpec, Result, Body>(
  spec: EndpointSpec<Who, Input, Result, Body>,
): Endpoint {
  const { access, handle, present, ...facts } = spec;
  const read = inputReader(spec.input);
  return {
    ...facts,
    security: access.security,
    middleware: (gates) => async (ctx) => {
      ctx.state.errorFamily = spec.errors ?? 'detail';
      // Responses belong to one organization, and a shared cache might ignore that they vary by X-API-Key.
      ctx.set('Cache-Control', 'no-store');
      const who = await access.admit(gates, ctx, { scope: spec.scope, kind: spec.rate ?? 'other' });
      const release = await gates.requestSlots.enter();
      try {
        const input = await read(ctx);
        const result = await handle(input, who);
        // `present` overrides this for a partial response.
        ctx.status = spec.answer.status;
        if (spec.answer.isJsonStream) ctx.type = 'json';
        ctx.body = present(result, { ctx, input, who });
      } finally {
        // A JSON stream reads the database while it is being sent, so it keeps its slot until it closes.
        if (spec.answer.isJsonStream && ctx.body instanceof Readable) ctx.body.once('close', release);
        else release();
      }
    },
  };
}
