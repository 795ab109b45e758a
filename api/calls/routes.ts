import { callPage, findCall } from '../../db/calls/history';
import { findRecording, type Recording } from '../../db/calls/recordings';
import { figuresOf } from '../../db/calls/reports';
import type { RouteTools } from '../dependencies';
import { organizationIdOf } from '../http/auth/signed-url';
import {
  answers,
  answersInPieces,
  answersJsonOrText,
  answersRanges,
  byKey,
  byKeyOrSignature,
  endpoint,
  type Endpoint,
} from '../http/endpoint';
import type { ApiContext } from '../http/context';
import { instant, pageOf, paging, uuid, callIdParam, knownCallId } from '../http/input/fields';
import { pageStream, presentPagination, pagination } from '../http/responses';
import { nonEmptyText, oneOf, text, textUpTo } from '../http/schema/kinds';
import {
  callNotFound,
  invalidInput,
  rangeNotSatisfiable,
  recordingNotFound,
  transcriptNotFound,
} from '../http/errors/refusals';
import { about, list, object, optional } from '../http/schema/field';
import { dispatching } from './dispatch/routes';
import { hangUp } from './hang-up';
import { listening } from './listen-in';
import {
  call,
  callDetails,
  hasTranscript,
  hungUp,
  presentCall,
  presentCallDetails,
  presentTranscript,
  transcript,
  transcriptText,
} from './present';

const HISTORY_QUERY = object({
  ...paging({ default: 50, max: 200 }),
  agent_id: about(optional(uuid()), 'Calls of this agent'),
  campaign_id: about(optional(uuid()), 'Calls of this campaign'),
  call_id: about(optional(nonEmptyText(128)), 'The call with this id'),
  status: about(optional(nonEmptyText(64)), 'Calls with this call_status', 'completed'),
  from: about(optional(instant()), 'Calls accepted at or after this date or timestamp, in UTC'),
  to: about(optional(instant()), 'Calls accepted before this date or timestamp, in UTC'),
  search: about(
    optional(textUpTo(255)),
    'Processed calls whose transcript contains all these words, whole, in any order and case',
    'refund',
  ),
});

export const callEndpoints = (tools: RouteTools): Endpoint[] => [
  dispatching(tools),
  history(tools),
  detailsOfNone,
  details(tools),
  hangingUp(tools),
  listening(tools),
  transcriptOf(tools),
  recordingOf(tools),
];

const history = ({ deps: { db }, signer }: RouteTools) =>
  endpoint({
    method: 'get',
    path: '/api/call-history',
    tag: 'Calls',
    summary: 'List the calls of the organization, newest first',
    access: byKey,
    scope: 'read',
    input: { query: HISTORY_QUERY },
    answer: answersInPieces(
      'A page of calls',
      object({ data: list(call), pagination }, { name: 'CallPage' }),
    ),
    handle: ({ query }, organization) => {
      const { agent_id: agentId, campaign_id: campaignId, call_id: callId, status, from, to, search } = query;
      const narrowed = { agentId, campaignId, callId, status, from, to };
      return callPage(
        db,
        { organizationId: organization.id, ...narrowed, ...(search && { search }) },
        pageOf(query),
      );
    },
    present: ({ batches, total }, { input: { query } }) =>
      pageStream(batches, (each) => presentCall(each, signer), presentPagination(query, total)),
  });

/** A missing id is an invalid input, so it is a 422 instead of a 404. */
const detailsOfNone = endpoint({
  method: 'get',
  path: '/api/call_details/',
  hidden: true,
  tag: 'Calls',
  summary: 'Always fails, because the id is missing',
  access: byKey,
  scope: 'read',
  input: {},
  answer: answers('Never', callDetails),
  handle: () => {
    throw invalidInput([{ loc: ['path', 'call_id'], msg: 'is required', type: 'any.required' }]);
  },
  present: (never: never) => never,
});

const details = ({ deps: { db } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: '/api/call_details/:call_id',
    tag: 'Calls',
    summary: 'Get the transcript and analysis of a call',
    access: byKey,
    scope: 'read',
    input: { params: callIdParam },
    answer: answers('The details. Fixed texts until the call is post-processed', callDetails),
    refusals: [callNotFound()],
    handle: async ({ params: { call_id } }, organization) => {
      const call = await findCall(db, knownCallId(call_id), organization.id);
      if (call === undefined) throw callNotFound();
      return { call, figures: await figuresOf(db, call.callId) };
    },
    present: ({ call, figures }) => presentCallDetails(call, figures),
  });

const hangingUp = ({ deps }: RouteTools) =>
  endpoint({
    method: 'post',
    path: '/api/calls/:call_id/hangup',
    tag: 'Calls',
    summary: 'End a call',
    description:
      'A call that is not dialled yet is cancelled. A live call ends within seconds. A call that is over stays unchanged. A campaign does not redial the contact.',
    access: byKey,
    scope: 'operate',
    input: { params: callIdParam },
    answer: answers('Current status of the call', hungUp),
    refusals: [callNotFound()],
    handle: ({ params }, organization) =>
      hangUp(deps, {
        callId: knownCallId(params.call_id),
        organizationId: organization.id,
        actor: organization.actor,
      }),
    present: ({ callId, callStatus }) => ({ success: true, call_id: callId, call_status: callStatus }),
  });

const transcriptOf = ({ deps: { db } }: RouteTools) =>
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
      if (!wantsText(ctx)) return presentTranscript(call);
      ctx.type = 'text/plain; charset=utf-8';
      return transcriptText(call.segments);
    },
  });

function wantsText(ctx: ApiContext): boolean {
  const { format } = ctx.query;
  return format === undefined ? ctx.accepts('json', 'text') === 'text' : format === 'text';
}

const RANGE_HEADERS = object({
  Range: about(optional(text()), 'Part of the file, such as bytes=0-99999'),
  'If-Range': about(
    optional(text()),
    'ETag of the file that Range refers to. If it has changed, the whole file is returned',
  ),
});

const recordingOf = ({ deps: { db, storage } }: RouteTools) =>
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
  });

/** Changes when the recording is stored again. */
const entityTag = ({ bytes, storedAt }: Pick<Recording, 'bytes' | 'storedAt'>): string =>
  `"${bytes}-${storedAt.getTime()}"`;

/** `last` is inclusive. */
type ByteRange = { kind: 'whole' } | { kind: 'part'; first: number; last: number } | { kind: 'none' };

/**
 * Returns the part of a file that a Range header requests, or `none` if it starts past the end. Multiple ranges, other units and invalid
 * headers get the whole file, as RFC 9110 allows.
 */
function byteRange(header: string | undefined, bytes: number): ByteRange {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? [];
  if (from === '' && to === '') return { kind: 'whole' };
  // `bytes=-500` requests the last 500 bytes.
  if (from === '') return part(Math.max(0, bytes - Number(to)), bytes - 1);
  const [first, requestedLast] = [Number(from), to === '' ? bytes - 1 : Number(to)];
  if (requestedLast < first && to !== '') return { kind: 'whole' };
  return part(first, Math.min(requestedLast, bytes - 1));
}

const part = (first: number, last: number): ByteRange =>
  first > last ? { kind: 'none' } : { kind: 'part', first, last };
