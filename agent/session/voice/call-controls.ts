/** The call controls of a voice session. */
import { errorName } from '../../log';
import { guardedRequests, type CallControls } from '../../model/agent-logic';
import type { CallContext } from '../state/call-context';

export function callControlsFor(call: CallContext): CallControls {
  const { state, events, guard } = call;
  return {
    endCall: () => state.update({ isFinished: true }),
    requestCallback: (at) => events.emit({ type: 'callback', callback_at: at }),
    transfer: (to) => transfer(call, to),
    request: guardedRequests(guard),
  };
}

/** Only a phone call can be transferred. */
async function transfer({ state, room, log }: CallContext, to: string): Promise<boolean> {
  const { participant } = state.current;
  if (participant === null || !participant.isSip) return false;
  try {
    await room.transfer(participant.identity, addressOf(to));
    return true;
  } catch (error) {
    log.warn({ error: errorName(error) }, 'a call could not be transferred');
    return false;
  }
}

/** As LiveKit expects it: a number becomes a tel URI. */
const addressOf = (to: string): string => (/^(?:sips?|tel):/i.test(to) ? to : `tel:${to}`);
