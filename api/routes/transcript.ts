import Router from '@koa/router';
import { findCall, type RecordedCall } from '../../db/call-history';
import { clientIdOf, type Reader } from '../auth/signed-query';
import { callNotFound, transcriptNotFound } from '../errors/refusals';
import { callIdParam } from '../input/path';
import { endpoint, type ApiContext, type ApiState } from '../pipeline';
import { hasTranscript, presentTranscript, transcriptText } from '../presenters/transcript';
import type { RouteTools } from './route-tools';

export function transcriptRoute({ deps: { db }, authenticateReader }: RouteTools): Router<ApiState> {
  const transcribed = async (callId: string, reader: Reader): Promise<RecordedCall> => {
    const call = await findCall(db, callId, clientIdOf(reader));
    if (call === undefined) throw callNotFound();
    if (!hasTranscript(call)) throw transcriptNotFound();
    return call;
  };

  const router = new Router<ApiState>();
  router.get(
    '/api/transcript/:call_id',
    endpoint({
      authenticate: authenticateReader,
      validate: callIdParam,
      handle: transcribed,
      present: (call, ctx) => {
        if (!isTextAsked(ctx)) return presentTranscript(call);
        ctx.type = 'text/plain; charset=utf-8';
        return transcriptText(call.segments);
      },
    }),
  );
  return router;
}

/** By `Accept: text/plain`, or by `format=text` where a header cannot be set. */
function isTextAsked(ctx: ApiContext): boolean {
  return ctx.query.format === 'text' || ctx.accepts('json', 'text') === 'text';
}
