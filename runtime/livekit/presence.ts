/** Who really is in a room of LiveKit's: a phone that its list shows is asked, and then its agent too. */
import { ASK_AGENT, ASK_PHONE, type ParticipantProof } from '../../workflows/domain/participant-proof';
import { agentIn, isPhone, personIn, type Participant } from '../../workflows/domain/room-participants';
import { askParticipant, type LiveKitAccess, type Question } from '../network/ask-participant';

export type NamedParticipant = Participant & { identity: string };

export interface Presence {
  /** Null where the list has none. A browser that is listed is believed to be there, and so is the agent of a room without a phone. */
  person: ParticipantProof | null;
  /** One that LiveKit has connected and that does not reply is there until LiveKit gives it up: it may be busy. */
  agent: boolean;
}

/** @throws Error where LiveKit cannot say; without its words, which may hold a number */
export async function presenceIn(
  access: LiveKitAccess,
  room: string,
  participants: readonly NamedParticipant[],
): Promise<Presence> {
  const [person, agent] = [personIn(participants), agentIn(participants)];
  if (person === undefined) return { person: null, agent: agent !== undefined };
  if (!isPhone(person)) return { person: { kind: 'there', isAnswered: true }, agent: agent !== undefined };
  const [phoneProof, agentProof] = await Promise.all([
    proofOf(access, { room, identity: person.identity, question: ASK_PHONE }),
    agent === undefined ? null : proofOf(access, { room, identity: agent.identity, question: ASK_AGENT }),
  ]);
  return { person: phoneProof, agent: agentProof !== null && agentProof.kind !== 'away' };
}

async function proofOf(access: LiveKitAccess, question: Question): Promise<ParticipantProof> {
  const proof = await askParticipant(access, question);
  if (proof === null) throw new Error('LiveKit did not say whether a participant is there');
  return proof;
}
