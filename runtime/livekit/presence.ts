/** Who really is in a room of LiveKit's: a phone that its list shows is asked, and then its agent too. */
import { ASK_ANSWER, ASK_PRESENT, type ParticipantProof } from '../../domain/participant-proof';
import { agentIn, isPhone, personIn, type Participant } from '../../domain/room-participants';
import { askParticipant, type LiveKitAccess, type Question } from '../network/ask-participant';

export type NamedParticipant = Participant & { identity: string };

export interface Presence {
  /** Null where the list has none. A browser that is listed is believed to be there, and so is the agent of a room without a phone. */
  person: ParticipantProof | null;
  /** One that LiveKit has connected and that does not reply is there until LiveKit gives it up: it may be busy. */
  agent: boolean;
}

/**
 * A phone that has its agent is not asked whether it was answered, unless `asksAnswer` is set: while it rings, its bridge replies to nothing
 * after that question. One without its agent is hung up next.
 *
 * @throws Error where LiveKit cannot say; without its words, which may hold a number
 */
export async function presenceIn(
  access: LiveKitAccess,
  room: string,
  participants: readonly NamedParticipant[],
  { asksAnswer = false }: { asksAnswer?: boolean } = {},
): Promise<Presence> {
  const [person, agent] = [personIn(participants), agentIn(participants)];
  if (person === undefined) return { person: null, agent: agent !== undefined };
  if (!isPhone(person)) return { person: { kind: 'there', isAnswered: true }, agent: agent !== undefined };
  const proof = (identity: string, question: Question['question']) =>
    proofOf(access, { room, identity, question });
  const [phoneProof, agentProof] = await Promise.all([
    proof(person.identity, ASK_PRESENT),
    agent === undefined ? null : proof(agent.identity, ASK_PRESENT),
  ]);
  const hasAgent = agentProof !== null && agentProof.kind !== 'away';
  if (phoneProof.kind !== 'there' || (hasAgent && !asksAnswer))
    return { person: phoneProof, agent: hasAgent };
  const answerProof = await proof(person.identity, ASK_ANSWER);
  // It replied a moment ago: a bridge that does not confirm this question still waits with another of the kind.
  return { person: answerProof.kind === 'unproven' ? phoneProof : answerProof, agent: hasAgent };
}

async function proofOf(access: LiveKitAccess, question: Question): Promise<ParticipantProof> {
  const proof = await askParticipant(access, question);
  if (proof === null) throw new Error('LiveKit did not say whether a participant is there');
  return proof;
}
