import { findRecording } from '../../db/calls/recordings';
import { organizationIdOf } from '../http/auth/signed-query';
import { answersRanges, byKeyOrSignature, endpoint, type Endpoint } from '../http/endpoint';
import { callNotFound, rangeNotSatisfiable, recordingNotFound } from '../http/errors/refusals';
import { byteRange } from '../http/input/byte-range';
import { callIdParam, knownCallId } from '../http/input/path';
import { entityTag } from './present-recording';
import { about, object, optional } from '../http/schema/field';
import { text } from '../http/schema/kinds';
import type { RouteTools } from '../dependencies/route-tools';

const RANGE_HEADERS = object({
  Range: about(optional(text()), 'Part of the file, such as bytes=0-99999'),
  'If-Range': about(
    optional(text()),
    'ETag of the file that Range refers to. If it has changed, the whole file is returned',
  ),
});

export const recordingEndpoints = ({ deps: { db, storage } }: RouteTools): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/api/stream/:call_id',
    tag: 'Calls',
    summary: 'Get the recording of a call',
    description: 'Supports Range requests, so players can seek.',
    access: byKeyOrSignature,
    scope: 'read',
    input: { params: callIdParam, headers: RANGE_HEADERS },
    answer: answersRanges('The audio', 'audio/wav', 'audio/ogg'),
    refusals: [callNotFound(), recordingNotFound(), rangeNotSatisfiable(1000)],
    handle: async ({ params: { call_id }, headers }, reader) => {
      const found = await findRecording(db, knownCallId(call_id), organizationIdOf(reader));
      if (found === undefined) throw callNotFound();
      const { recording } = found;
      if (recording === null) throw recordingNotFound();
      const isMeant = headers['If-Range'] === undefined || headers['If-Range'] === entityTag(recording);
      const range = byteRange(isMeant ? headers.Range : undefined, recording.bytes);
      if (range.kind === 'none') throw rangeNotSatisfiable(recording.bytes);
      const [first, last] = range.kind === 'part' ? [range.first, range.last] : [0, recording.bytes - 1];
      const audio = await storage.read(recording.storageKey, { first, last });
      if (audio === undefined) throw recordingNotFound();
      return { recording, isPart: range.kind === 'part', first, last, audio: audio.content };
    },
    present: ({ recording, isPart, first, last, audio }, { ctx }) => {
      ctx.type = recording.contentType;
      ctx.set('Accept-Ranges', 'bytes');
      ctx.set('ETag', entityTag(recording));
      ctx.set('Content-Length', String(last - first + 1));
      // API clients embed players in pages of other origins.
      ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
      if (isPart) {
        ctx.set('Content-Range', `bytes ${first}-${last}/${recording.bytes}`);
        ctx.status = 206;
      }
      return audio;
    },
  }),
];
