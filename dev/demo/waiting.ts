/** What a campaign that is not over waits for, in words: a reader who sees "59 of 60 contacts" stand still must see why. */

export interface Waiting {
  /** Why the campaign rests; null while it dials. */
  rests: string | null;
  /** Calls that ring or talk, as the carrier counts them. */
  live: number;
  /** Lines that are held by calls which are not live: the carrier has not reported their ends yet. */
  unreported: number;
  /** Contacts that may be dialled now. */
  ready: number;
  /** How long it is until each of them may be dialled again, in ms, all of them above 0. */
  redialsInMs: readonly number[];
  callbacksInMs: readonly number[];
}

/** Of a contact, as the API says what happens to it next. */
export interface NextDial {
  action: string;
  /** Null where it depends on a free line or on a person. */
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
 * Begins with "waiting for" or says why the campaign rests. What moves things on comes first; contacts that only wait for a line are
 * named where no call is live. A line is held for a moment after each call, so the end of a call is named where nothing else is.
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
