import { findCall } from '../../db/calls/history';
import { organizationIdOf } from '../http/auth/signed-query';
import {
  answersJsonOrText,
  byKeyOrSignature,
  endpoint,
  type ApiContext,
  type Endpoint,
} from '../http/endpoint';
import { callNotFound, transcriptNotFound } from '../http/errors/refusals';
import { callIdParam, knownCallId } from '../http/input/path';
import { hasTranscript, presentTranscript, transcriptText } from './present-transcript';
import { transcript } from './resource';
import { about, object, optional } from '../http/schema/field';
import { oneOf } from '../http/schema/kinds';
import type { RouteTools } from '../dependencies/route-tools';

export const transcriptEndpoints = ({ deps: { db } }: RouteTools): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/api/transcript/:call_id',
    tag: 'Calls',
    summary: 'Get the transcript of a finished call',
    description: 'Returns JSON, or text if Accept is text/plain.',
    access: byKeyOrSignature,
    scope: 'read',
    input: {
      params: callIdParam,
      query: object({ format: about(optional(oneOf('json', 'text')), 'Overrides the Accept header') }),
    },
    answer: answersJsonOrText('The transcript', transcript),
    refusals: [callNotFound(), transcriptNotFound()],
    handle: async ({ params: { call_id } }, reader) => {
      const call = await findCall(db, knownCallId(call_id), organizationIdOf(reader));
      if (call === undefined) throw callNotFound();
      if (!hasTranscript(call)) throw transcriptNotFound();
      return call;
    },
    present: (call, { ctx }) => {
      if (!isTextAsked(ctx)) return presentTranscript(call);
      ctx.type = 'text/plain; charset=utf-8';
      return transcriptText(call.segments);
    },
  }),
];

function isTextAsked(ctx: ApiContext): boolean {
  const { format } = ctx.query;
  return format === undefined ? ctx.accepts('json', 'text') === 'text' : format === 'text';
}
