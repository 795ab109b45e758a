/** Interprets the participants of a LiveKit room. */

/** The fields of LiveKit's `ParticipantInfo` that the platform uses. */
export interface Participant {
  kind: number;
  state: number;
  attributes: Readonly<Record<string, string>>;
}

/** LiveKit's numeric codes for the kinds that the platform distinguishes. */
const KIND = { standard: 0, sip: 3, agent: 4 } as const;

/** Set by the agent once it can hear and speak. */
const READY_ATTRIBUTE = 'platform.ready';
/** Set by the SIP bridge. */
const STATUS_ATTRIBUTE = 'sip.callStatus';
const DISCONNECTED = 3;

/** Set by LiveKit on phones that a dispatch rule admits, but not on phones that the platform dials. */
const RULE_ATTRIBUTE = 'sip.ruleID';

/** Set by the platform on phones that it dials, because LiveKit exposes neither of their numbers. */
export const SHOWN_NUMBER_ATTRIBUTE = 'platform.from';

/** Returns the caller ID that a dialled phone shows. Undefined for a caller. */
export const shownNumberOf = ({ attributes }: Pick<Participant, 'attributes'>): string | undefined =>
  attributes[SHOWN_NUMBER_ATTRIBUTE];

type WithKind = Pick<Participant, 'kind'>;

/** A phone or a browser, but not the agent. */
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
  /** Empty if the caller withholds it. */
  from: string;
}

/** Returns the caller's numbers. Null if no caller is in the room. */
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

/** Also true if the bridge has set no status. */
export const isHungUp = ({ attributes }: Pick<Participant, 'attributes'>): boolean =>
  (attributes[STATUS_ATTRIBUTE] ?? 'hangup') === 'hangup';

/** `automation` means that the bridge is sending digits. A phone that comes back is marked as dialing again. */
const ANSWERED: readonly (string | undefined)[] = ['active', 'automation'];

/** The bridge marked the phone as answered. This remains in LiveKit's list even after the bridge has died. */
export const isMarkedAnswered = (one: Pick<Participant, 'kind' | 'attributes'>): boolean =>
  isPhone(one) && ANSWERED.includes(one.attributes[STATUS_ATTRIBUTE]);
/** The bridge marks only answered calls and callers as hung up. */
export const isMarkedHungUp = ({ attributes }: Pick<Participant, 'attributes'>): boolean =>
  attributes[STATUS_ATTRIBUTE] === 'hangup';

type LegState = 'dialing' | 'ringing' | 'answered';

/** Returns the progress of a phone's leg. A browser is always treated as answered. */
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
