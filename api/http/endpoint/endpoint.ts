import { Readable } from 'node:stream';
import type { RouterMiddleware } from '@koa/router';
import type { Scope } from '../../../db/clients/api-keys';
import type { ErrorFamily } from '../errors/answer';
import type { ApiError } from '../errors/api-error';
import type { RateKind } from '../limits';
import type { Access, Gates } from './access';
import type { Answer } from './answer';
import type { ApiContext, ApiState } from './context';
import { inputReader, type InputOf, type InputSpec } from './input';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** What the document says of an endpoint, and what the router needs of it. */
export interface EndpointFacts {
  method: Method;
  /** As the interface writes it, with `:name` for parameters. A slash at the end is optional for clients. */
  path: string;
  tag: 'Agents' | 'Calls' | 'Campaigns' | 'Webhooks' | 'Account' | 'Console';
  summary: string;
  description?: string;
  /** What a key must be allowed to do; null where any key will do. */
  scope: Scope | null;
  /** Left out of the document. */
  hidden?: boolean;
  input?: InputSpec;
  answer: Answer<unknown>;
  /** Refusals of its own; those that every endpoint has are added. */
  refusals?: ApiError[];
  /** The words of its errors; `detail` unless given. */
  errors?: ErrorFamily;
  /** `other` unless given. */
  rate?: RateKind;
}

/**
 * An endpoint as one reads it: who may, what it takes, what it does, what it answers. The steps run in this order: access and rate
 * limit, a slot of the organization, size and content type, field types, `handle`, `present`.
 */
export interface EndpointSpec<Who, Input extends InputSpec, Result, Body> extends EndpointFacts {
  access: Access<Who>;
  input: Input;
  answer: Answer<Body>;
  handle: (input: InputOf<Input>, who: Who) => Promise<Result> | Result;
  /** Builds the answer field by field. May set headers, never decide anything. */
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
      // What is one client's is kept by no cache on its way; one might not know that answers differ by X-API-Key.
      ctx.set('Cache-Control', 'no-store');
      const who = await access.admit(gates, ctx, { scope: spec.scope, kind: spec.rate ?? 'other' });
      const release = await gates.requestSlots.enter();
      try {
        const input = await read(ctx);
        const result = await handle(input, who);
        // `present` replaces it where the answer is only a part.
        ctx.status = spec.answer.status;
        if (spec.answer.isJsonStream) ctx.type = 'json';
        ctx.body = present(result, { ctx, input, who });
      } finally {
        // A JSON stream reads the database while it is sent.
        if (spec.answer.isJsonStream && ctx.body instanceof Readable) ctx.body.once('close', release);
        else release();
      }
    },
  };
}
