/** What the agent may do to the call beside talking. */
import type { HeldCall } from '../conversation/call';
import { guardedRequests, type Hands } from '../mind';

export function handsOf(call: HeldCall): Hands {
  const { situation, events, guard } = call;
  return {
    endCall: () => situation.change({ isDone: true }),
    askCallback: (at) => events.tell({ type: 'callback', callback_at: at }),
    transfer: (to) => transfer(call, to),
    request: guardedRequests(guard),
  };
}

/** Only a phone can be given on. */
async function transfer({ situation, room, log }: HeldCall, to: string): Promise<boolean> {
  const { guest } = situation.now;
  if (guest === null || !guest.isSip) return false;
  try {
    await room.transfer(guest.identity, addressOf(to));
    return true;
  } catch (error) {
    log.warn(
      { error: error instanceof Error ? error.name : typeof error },
      'a call could not be transferred',
    );
    return false;
  }
}

/** As LiveKit asks for it: a number becomes one of the network's. */
const addressOf = (to: string): string => (/^(?:sips?|tel):/i.test(to) ? to : `tel:${to}`);
