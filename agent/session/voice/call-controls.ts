import { errorName } from '../../log';
import type { CallControls } from '../../model/actions/actions';
import { guardedRequests } from '../../model/actions/guarded-requests';
import type { Call } from '../state/call';

export function callControlsFor(call: Call): CallControls {
  const { state, events, guard, platform, callContext } = call;
  return {
    endCall: () => state.update({ isFinished: true }),
    requestCallback: (at) => events.emit({ type: 'callback', callback_at: at }),
    transfer: (to) => transfer(call, to),
    actionSecrets: (action) => platform.actionSecrets(callContext.callId, action),
    request: guardedRequests(guard),
  };
}

/** Transfers a phone call if the platform allows it. The platform also returns the address to transfer to. */
async function transfer({ callContext, platform, state, room, log }: Call, to: string): Promise<boolean> {
  const { participant } = state.current;
  if (participant === null || !participant.isSip) return false;
  try {
    const address = await platform.startTransfer(callContext.callId, to);
    if (address !== null) await room.transfer(participant.identity, address);
    else log.warn({}, 'the platform rejected a transfer');
    return address !== null;
  } catch (error) {
    log.warn({ error: errorName(error) }, 'a call could not be transferred');
    return false;
  }
}
