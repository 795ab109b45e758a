import { findCall } from '../../db/call-history';
import { clientIdOf } from '../auth/signed-query';
import { answersJsonOrText, byKeyOrSignature, endpoint, type ApiContext, type Endpoint } from '../endpoint';
import { callNotFound, transcriptNotFound } from '../errors/refusals';
import { callIdParam, knownCallId } from '../input/path';
import { hasTranscript, presentTranscript, transcriptText } from '../presenters/transcript';
import { transcript } from '../resources/call';
import { about, object, optional } from '../schema/field';
import { text } from '../schema/kinds';
import type { RouteTools } from './route-tools';

export const transcriptEndpoints = ({ deps: { db } }: RouteTools): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/api/transcript/:call_id',
    tag: 'Calls',
    summary: 'Read the transcript of a finished call',
    description: 'JSON, or text where Accept is text/plain.',
    access: byKeyOrSignature,
    input: {
      params: callIdParam,
      query: object({ format: about(optional(text()), 'text where a header cannot be set') }),
    },
    answer: answersJsonOrText('The transcript', transcript),
    refusals: [callNotFound(), transcriptNotFound()],
    handle: async ({ params: { call_id } }, reader) => {
      const call = await findCall(db, knownCallId(call_id), clientIdOf(reader));
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
  return ctx.query.format === 'text' || ctx.accepts('json', 'text') === 'text';
}
