/** Validates CreateSIPParticipant and TransferSIPParticipant requests as the real service does. */
import { randomBytes } from 'node:crypto';
import type { Duration } from '@bufbuild/protobuf';
import { CreateSIPParticipantRequest, TransferSIPParticipantRequest } from '@livekit/protocol';
import { TwirpError } from './sip-outcome';

export interface ParticipantRequest {
  /** Call id that LiveKit assigns. */
  sipCallId: string;
  roomName: string;
  to: string;
  from: string;
  identity: string;
  name: string;
  metadata: string;
  attributes: Record<string, string>;
  waitsForAnswer: boolean;
  ringTimeoutMs: number;
  /** Counted from the request, because livekit-sip includes the ringing. */
  maxCallMs: number;
}

export interface Trunk {
  id: string;
  address: string;
  numbers: readonly string[];
}

/** livekit-sip's ring timeout for requests that don't set one. */
const DEFAULT_RING_TIMEOUT_MS = 180_000;
const LONGEST_CALL_MS = 86_400_000;

export function parseCreate(body: unknown): CreateSIPParticipantRequest {
  const request = parsed(() =>
    CreateSIPParticipantRequest.fromJson(jsonOf(body), { ignoreUnknownFields: true }),
  );
  if (request.sipCallTo === '') throw new TwirpError('invalid_argument', 'missing sip callee number');
  if (request.roomName === '') throw new TwirpError('invalid_argument', 'missing room name');
  if (request.sipTrunkId === '' && request.trunk === undefined) {
    throw new TwirpError('invalid_argument', 'missing sip trunk id or trunk');
  }
  return request;
}

export function parseTransfer(body: unknown): TransferSIPParticipantRequest {
  const request = parsed(() =>
    TransferSIPParticipantRequest.fromJson(jsonOf(body), { ignoreUnknownFields: true }),
  );
  if (request.roomName === '') throw new TwirpError('invalid_argument', 'Missing room name');
  if (request.participantIdentity === '') {
    throw new TwirpError('invalid_argument', 'Missing participant identity');
  }
  return request;
}

/** `stored` is the trunk with the trunk id in the request, or null if the request contains the trunk itself. */
export function participantRequest(
  request: CreateSIPParticipantRequest,
  stored: Trunk | null,
): ParticipantRequest {
  const trunk = stored ?? { id: '', address: request.trunk?.hostname ?? '', numbers: [] };
  const from = request.sipNumber || trunk.numbers[0];
  if (from === undefined) throw new TwirpError('failed_precondition', 'no numbers on outbound trunk');
  const sipCallId = newSipCallId();
  const numbers: Record<string, string> = request.hidePhoneNumber
    ? {}
    : {
        'sip.phoneNumber': request.sipCallTo,
        'sip.hostname': trunk.address,
        'sip.trunkPhoneNumber': from,
      };
  return {
    sipCallId,
    roomName: request.roomName,
    to: request.sipCallTo,
    from,
    identity: request.participantIdentity || `sip_${request.sipCallTo}`,
    name: request.participantName,
    metadata: request.participantMetadata,
    attributes: {
      ...request.participantAttributes,
      'sip.callID': sipCallId,
      'sip.trunkID': trunk.id,
      ...numbers,
    },
    waitsForAnswer: request.waitUntilAnswered,
    ringTimeoutMs: millisecondsOf(request.ringingTimeout) || DEFAULT_RING_TIMEOUT_MS,
    maxCallMs: millisecondsOf(request.maxCallDuration) || LONGEST_CALL_MS,
  };
}

export const newSipCallId = (): string => `SCL_${randomBytes(9).toString('base64url')}`;

export function millisecondsOf(duration: Duration | undefined): number {
  return duration === undefined ? 0 : Number(duration.seconds) * 1000 + Math.round(duration.nanos / 1e6);
}

type Json = Parameters<typeof CreateSIPParticipantRequest.fromJson>[0];

/** Parsed JSON is always valid JSON; `undefined` means that parsing failed. */
function jsonOf(body: unknown): Json {
  if (body === undefined) throw new TwirpError('malformed', 'the json request could not be decoded');
  return isJson(body) ? body : null;
}

function isJson(value: unknown): value is Json {
  return value !== undefined && typeof value !== 'function';
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new TwirpError('malformed', `the json request could not be decoded: ${String(error)}`);
  }
}
