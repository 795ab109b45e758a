/**
 * Runs one conversation, from LiveKit's job until the agent leaves the room. The agent reports only ends that it causes; LiveKit reports
 * all others to the platform.
 */
import { withTimeout } from '../../runtime/network/time-limit';
import { failureOf, type Log } from '../log';
import { onVoiceUsage } from '../metrics/provider-metrics';
import { closeCall, flushAfterLeaving } from './closing';
import { acceptCaller } from './inbound-call';
import { loadCall, type Call, type SessionContext } from './state/call';
import { endLabelOf, type ConversationEnd } from './state/conversation-end';
import { Recorder } from './state/recorder';
import type { ConversationRoom } from './state/room-port';
import { RoomRecordWriter } from './state/room-record';
import { changesFrom, SessionState } from './state/session-state';
import { talk } from './talk';
import { PreparedOpening } from './voice/prepared-opening';
import { closeModels, prepareModels, type SessionModels } from './voice/session-models';
import { TurnMetrics } from './voice/turn-metrics';
import { waitForAnswer } from './wait-for-answer';

const JOIN_TIMEOUT_MS = 15_000;
/** The process exits after this time, which leaves the room too. */
const LEAVE_TIMEOUT_MS = 5_000;

interface Job extends Omit<SessionContext, 'record' | 'state'> {
  /** Null when LiveKit created the room for an inbound call. The platform then assigns the call. */
  callId: string | null;
  /** Aborted when this process must stop. */
  stopping: AbortSignal;
}

/** Never rejects. Logs errors and leaves the room. */
export async function converse({ callId, stopping, ...parts }: Job): Promise<void> {
  const { room, log } = parts;
  const state = new SessionState();
  const stop = (): void => state.update({ isStopping: true });
  stopping.addEventListener('abort', stop);
  try {
    await withTimeout(JOIN_TIMEOUT_MS, room.join());
    room.listen((event) => {
      const changes = changesFrom(state.current, event, { now: Date.now(), identity: room.identity });
      if (changes !== null) state.update(changes);
    });
    const record = new RoomRecordWriter(room.metadata, (metadata) => room.saveMetadata(metadata));
    const context: SessionContext = { ...parts, state, record };
    const call = callId === null ? await acceptCaller(context) : await loadCall(context, callId);
    if (call !== null) await runCall(call);
  } catch (error) {
    logFailure(log, error);
  } finally {
    stopping.removeEventListener('abort', stop);
    await leaveRoom(room);
  }
}

async function runCall(call: Call): Promise<void> {
  const recorder = new Recorder(call);
  let end: ConversationEnd | null = null;
  let models: SessionModels | null = null;
  let opening: PreparedOpening | null = null;
  const metrics = new TurnMetrics((responseMs) => call.metrics.answered(responseMs));
  try {
    // Models must be ready before the call is answered. If they weren't, the first words would be lost and the greeting would be late.
    models = await prepareModels(call);
    // Usage is counted here and not in the session, because the voice is used before a session exists and also for calls that are never
    // answered.
    onVoiceUsage(models.tts, (measure) => metrics.onMetrics(measure));
    opening = new PreparedOpening(call, models, recorder.disclosure);
    opening.begin();
    end = (await waitForAnswer(call)) ?? (await talk(call, { recorder, models, opening, metrics }));
  } finally {
    opening?.close();
    reportUsage(call, metrics);
    // Runs after errors too, because the recording must be kept and events may still be unacknowledged.
    call.metrics.ended(endLabelOf(end));
    const isRoomGone = await closeCall(call, end).catch((error: unknown) => {
      logFailure(call.log, error);
      return false;
    });
    await leaveRoom(call.room);
    await recorder.deliver();
    if (models !== null) await closeModels(models);
    await flushAfterLeaving(call, { end, isRoomGone });
  }
}

function reportUsage({ events }: Call, { usage }: TurnMetrics): void {
  if (usage.models.length > 0) events.emit({ type: 'usage', ...usage });
}

const leaveRoom = (room: ConversationRoom): Promise<void> =>
  withTimeout(LEAVE_TIMEOUT_MS, room.leave()).catch(() => undefined);

/** Logs no error message, because a library's message can contain the room's name and thus a caller's number. */
const logFailure = (log: Log, error: unknown): void => log.error(failureOf(error), 'the conversation failed');
