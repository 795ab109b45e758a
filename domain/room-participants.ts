/** Who is in a room of LiveKit's, as far as calls go. */

/** As LiveKit's API shows them. */
export interface Participant {
  kind: number;
  state: number;
  attributes: Readonly<Record<string, string>>;
}

/** LiveKit's numbers of the kinds that are nobody's voice or ours. */
const KIND = { standard: 0, sip: 3, agent: 4 } as const;

/** What the agent sets once it can hear and speak. */
const READY_ATTRIBUTE = 'platform.ready';
/** What the SIP bridge sets. */
const STATUS_ATTRIBUTE = 'sip.callStatus';
const DISCONNECTED = 3;

/** LiveKit sets it on a phone that a dispatch rule let in, and on no phone that we dialled. */
const RULE_ATTRIBUTE = 'sip.ruleID';

/** We set it on a phone that we dial, because LiveKit shows neither of its numbers. */
export const SHOWN_NUMBER_ATTRIBUTE = 'platform.from';

/** The number that a phone which we dialled is shown; undefined for a caller. */
export const shownNumberOf = ({ attributes }: Pick<Participant, 'attributes'>): string | undefined =>
  attributes[SHOWN_NUMBER_ATTRIBUTE];

type WithKind = Pick<Participant, 'kind'>;

/** The other end of the call: a phone, or a browser. */
export const isPerson = ({ kind }: WithKind): boolean => kind === KIND.sip || kind === KIND.standard;
export const isPhone = ({ kind }: WithKind): boolean => kind === KIND.sip;
export const isAgent = ({ kind }: WithKind): boolean => kind === KIND.agent;

const isThere = ({ state }: Participant): boolean => state !== DISCONNECTED;

export const personIn = <One extends Participant>(participants: readonly One[]): One | undefined =>
  participants.find((one) => isPerson(one) && isThere(one));

export const agentIn = <One extends Participant>(participants: readonly One[]): One | undefined =>
  participants.find((one) => isAgent(one) && isThere(one));

export interface CallerNumbers {
  /** The called number. */
  to: string;
  /** Empty when the caller withholds it. */
  from: string;
}

/** The caller in a room; null when no phone that called us is in it. */
export function callerIn(participants: readonly Participant[]): CallerNumbers | null {
  const phone = participants.find((one) => isPhone(one) && isThere(one));
  if (phone === undefined || (phone.attributes[RULE_ATTRIBUTE] ?? '') === '') return null;
  return {
    to: phone.attributes['sip.trunkPhoneNumber'] ?? '',
    from: phone.attributes['sip.phoneNumber'] ?? '',
  };
}

export const isAgentReady = (participants: readonly Participant[]): boolean =>
  agentIn(participants)?.attributes[READY_ATTRIBUTE] === 'true';

/** Also where the bridge says nothing of it at all. */
export const isHungUp = ({ attributes }: Pick<Participant, 'attributes'>): boolean =>
  (attributes[STATUS_ATTRIBUTE] ?? 'hangup') === 'hangup';

/** The second while digits are dialled for it. A phone that comes back is marked as dialing again. */
const ANSWERED: readonly (string | undefined)[] = ['active', 'automation'];

/** Whether its bridge said so, while it lived: LiveKit's list keeps that. */
export const isMarkedAnswered = (one: Pick<Participant, 'kind' | 'attributes'>): boolean =>
  isPhone(one) && ANSWERED.includes(one.attributes[STATUS_ATTRIBUTE]);
/** The bridge says so of a leg whose call was answered, and of a caller's. */
export const isMarkedHungUp = ({ attributes }: Pick<Participant, 'attributes'>): boolean =>
  attributes[STATUS_ATTRIBUTE] === 'hangup';

export type LegState = 'dialing' | 'ringing' | 'answered';

/** How far the phone's leg has come; a browser is there or is not. */
export function legState(person: Participant): LegState {
  if (!isPhone(person)) return 'answered';
  switch (person.attributes[STATUS_ATTRIBUTE]) {
    case 'dialing':
      return 'dialing';
    case 'ringing':
      return 'ringing';
    default:
      return 'answered';
  }
}
