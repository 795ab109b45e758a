import Router from '@koa/router';
import { TokenVerifier, WebhookReceiver, type WebhookEvent, type ParticipantInfo } from 'livekit-server-sdk';
import type { Clock } from '../../../runtime/clock';
import type { ApiContext, ApiState } from '../../http/context';
import { notAuthorised } from '../../http/errors/refusals';
import { textBody } from '../../http/input/text-body';
import { PLATFORM } from '../../http/input/body-budget';
import { END_REASONS, type CarrierEndReason } from '../../../domain/call-outcome';
import { CLOCK_TOLERANCE_MS } from '../../../domain/event-time';
import { valueAt } from '../../../domain/json';
import { leftReasonOf, type LeftReason } from '../../../domain/left-reason';
import {
  isAgent,
  isHungUp,
  isMarkedHungUp,
  isPerson,
  isPhone,
  shownNumberOf,
} from '../../../domain/room-participants';

/** Path below the public URL. LiveKit's configuration contains the whole URL. */
export const LIVEKIT_EVENTS_PATH = '/api/livekit/webhook';

/**
 * Receives LiveKit's webhooks. Each request and its body are signed with a key shared with LiveKit, and the signature expires after some
 * minutes.
 */
export function livekitEventRoutes(
  { events, clock }: { events: { handle(event: RoomEvent): Promise<void> }; clock: Clock },
  { apiKey, apiSecret }: { apiKey: string; apiSecret: string },
): Router<ApiState> {
  const tokens = new TokenVerifier(apiKey, apiSecret);
  const receiver = new WebhookReceiver(apiKey, apiSecret);
  const router = new Router<ApiState>();
  router.post(LIVEKIT_EVENTS_PATH, async (ctx) => {
    await assertWebhookToken(ctx, tokens);
    const webhook = await verified(ctx, receiver);
    await events.handle(roomEvent(webhook, clock.now()));
    ctx.body = { accepted: true };
  });
  return router;
}

/** Checks the token before the body is read. Participant tokens are signed with the same key but contain no body digest. */
async function assertWebhookToken(ctx: ApiContext, tokens: TokenVerifier): Promise<void> {
  const claims = await tokens.verify(ctx.get('authorization')).catch(() => null);
  if (!claims?.sha256) throw notAuthorised();
  ctx.state.bodyOwner = PLATFORM;
}

/** Compares the raw body with the digest in the token. Parsed and reserialized JSON would have another digest. */
async function verified(ctx: ApiContext, receiver: WebhookReceiver): Promise<WebhookEvent> {
  const body = await textBody(ctx);
  try {
    return await receiver.receive(body, ctx.get('authorization'));
  } catch {
    // Don't reveal which check failed.
    throw notAuthorised();
  }
}

/** Translates LiveKit's webhooks into our types. */

interface Common {
  room: string;
  /** Milliseconds since the epoch, as precisely as LiveKit reports it. */
  at: number;
}

/** Numbers of a caller as reported by the SIP bridge. */
export interface CallerNumbers {
  to: string;
  from: string;
}

export type RoomEvent =
  /** `fromNumber` is the caller ID that the dialled phone sees. */
  | (Common & { kind: 'phoneCame'; fromNumber?: string })
  /** The person at the phone or browser left. */
  | (Common & {
      kind: 'personLeft';
      reason: LeftReason;
      joinedAt: number;
      isPhone: boolean;
      /** End reason that the agent recorded in the room before it hung up; null if none. */
      agentsEnd: CarrierEndReason | null;
      /** True if the call was hung up after an answer. Always true for callers who hung up. */
      isMarkedHungUp: boolean;
      caller: CallerNumbers | null;
      /** Deployment that owns the room, if several share one LiveKit; null if unknown. */
      deployment: string | null;
    })
  | (Common & { kind: 'agentLeft' })
  | (Common & { kind: 'roomClosed' })
  /** Not relevant to calls. */
  | { kind: 'other' };

const OTHER: RoomEvent = { kind: 'other' };
const SECOND_MS = 1_000;

/** `now` is the time of arrival. */
export function roomEvent(webhook: WebhookEvent, now: number): RoomEvent {
  const { event, room, participant, createdAt } = webhook;
  if (room === undefined || room.name === '') return OTHER;
  const common = { room: room.name, at: withinSecond(Number(createdAt) * SECOND_MS, now) };
  if (event === 'room_finished') return { ...common, kind: 'roomClosed' };
  if (participant === undefined) return OTHER;
  const joined = Number(participant.joinedAtMs) || Number(participant.joinedAt) * SECOND_MS;
  const joinedAt = Math.min(joined, latest(now));
  switch (event) {
    case 'participant_joined':
      return isPhone(participant)
        ? { ...common, ...phoneCame(participant), at: joinedAt || common.at }
        : OTHER;
    case 'participant_left':
    // The participant left before it was connected.
    case 'participant_connection_aborted':
      if (isAgent(participant)) return { ...common, kind: 'agentLeft' };
      if (!isPerson(participant)) return OTHER;
      return {
        ...common,
        kind: 'personLeft',
        reason: reasonOf(participant),
        joinedAt,
        isPhone: isPhone(participant),
        ...recordedIn(room.metadata),
        isMarkedHungUp: isMarkedHungUp(participant),
        caller: callerNumbers(participant),
      };
    default:
      return OTHER;
  }
}

function phoneCame(participant: ParticipantInfo) {
  const fromNumber = shownNumberOf(participant);
  return { kind: 'phoneCame' as const, ...(fromNumber !== undefined && { fromNumber }) };
}

/**
 * LiveKit reports a phone that its SIP bridge dropped, for example without media, as one that left. If the phone hung up, the bridge marks
 * it before it leaves. In both cases the bridge has sent its BYE.
 */
function reasonOf(participant: ParticipantInfo): LeftReason {
  const reason = leftReasonOf(participant.disconnectReason);
  const isDropped = reason === 'CLIENT_INITIATED' && isPhone(participant) && !isHungUp(participant);
  return isDropped ? 'UNKNOWN_REASON' : reason;
}

function recordedIn(metadata: string): { agentsEnd: CarrierEndReason | null; deployment: string | null } {
  try {
    const record: unknown = JSON.parse(metadata);
    const [reason, deployment] = [valueAt(record, 'end_reason'), valueAt(record, 'deployment')];
    return {
      agentsEnd: END_REASONS.find((each) => each === reason) ?? null,
      deployment: typeof deployment === 'string' ? deployment : null,
    };
  } catch (error) {
    // The metadata is empty or belongs to another program.
    if (error instanceof SyntaxError) return { agentsEnd: null, deployment: null };
    throw error;
  }
}

/** Returns null for a leg that we dialled, or if a rule of another program hides the numbers. */
function callerNumbers({ attributes }: ParticipantInfo): CallerNumbers | null {
  const { 'sip.trunkPhoneNumber': to, 'sip.phoneNumber': from = '' } = attributes;
  return to === undefined ? null : { to, from };
}

/** LiveKit reports whole seconds. If an event arrives within that second, use its time of arrival. */
function withinSecond(second: number, now: number): number {
  return Math.min(Math.max(now, second), second + SECOND_MS - 1, latest(now));
}

/** Caps a wrong future time to what a Date can hold. The result is still far enough ahead that the receiver replaces it and logs that. */
const latest = (now: number): number => now + 2 * CLOCK_TOLERANCE_MS;
