/** Describes what an unfinished campaign is waiting for, so that a user who sees "59 of 60 contacts" for a while learns the reason. */

export interface Waiting {
  /** Why the campaign is paused or cancelled; null while it dials. */
  rests: string | null;
  /** Calls that are ringing or talking, according to the carrier. */
  live: number;
  /** Lines held by calls that are not live, because the carrier hasn't reported their end yet. */
  unreported: number;
  /** Contacts that can be dialled now. */
  ready: number;
  /** Time in ms until each contact that waits for a redial can be dialled again. Always above 0. */
  redialsInMs: readonly number[];
  callbacksInMs: readonly number[];
}

/** A contact's next step, as the API reports it. */
export interface NextDial {
  action: string;
  /** Null if the next step depends on a free line or on an operator. */
  at: string | null;
}

export function waitingOf(
  contacts: readonly NextDial[],
  calls: { live: number; linesBusy: number },
  campaign: { rests: string | null; nowMs: number },
): Waiting {
  const isToDial = ({ action }: NextDial) => action !== 'none';
  const inMs = ({ at }: NextDial) => (at === null ? 0 : Math.max(0, Date.parse(at) - campaign.nowMs));
  const later = (wanted: (action: string) => boolean) =>
    contacts
      .filter((contact) => isToDial(contact) && wanted(contact.action))
      .map(inMs)
      .filter((ms) => ms > 0);
  return {
    rests: campaign.rests,
    live: calls.live,
    unreported: Math.max(0, calls.linesBusy - calls.live),
    ready: contacts.filter((contact) => isToDial(contact) && inMs(contact) === 0).length,
    redialsInMs: later((action) => action !== 'callback'),
    callbacksInMs: later((action) => action === 'callback'),
  };
}

/**
 * Returns text that begins with "waiting for", or the reason why the campaign is paused or cancelled. Lists live calls and due dials first.
 * Mentions unreported ends only if nothing else is pending, because every call holds its line briefly after it ends.
 */
export function waitingText(waiting: Waiting): string {
  const { rests, live, unreported, ready, redialsInMs, callbacksInMs } = waiting;
  if (rests !== null) return rests;
  const parts = [
    ...(live > 0 ? [counted(live, 'live call')] : []),
    ...(live === 0 && ready > 0 ? [counted(ready, 'dial')] : []),
    ...due('redial', redialsInMs),
    ...due('callback', callbacksInMs),
  ];
  if (parts.length > 0) return `waiting for ${listed(parts)}`;
  if (unreported > 0) {
    return `waiting for ${unreported === 1 ? 'the end of a call' : `the ends of ${unreported} calls`} that the carrier has not reported`;
  }
  return 'waiting for the end of the campaign';
}

function due(what: string, inMs: readonly number[]): string[] {
  if (inMs.length === 0) return [];
  const seconds = Math.ceil(Math.min(...inMs) / 1000);
  if (inMs.length === 1) return [`a ${what} due in ${seconds} s`];
  return [`${inMs.length} ${what}s, the first due in ${seconds} s`];
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
