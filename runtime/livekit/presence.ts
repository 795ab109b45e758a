/**
 * Checks which participants are really in a LiveKit room, because LiveKit's list can be outdated. Phones and their agents must reply to a
 * request.
 */
import { ASK_ANSWER, ASK_PRESENT, type ParticipantProof } from '../../domain/participant-proof';
import { agentIn, isPhone, personIn, type Participant } from '../../domain/room-participants';
import { askParticipant, type LiveKitAccess, type Question } from '../network/ask-participant';

export type NamedParticipant = Participant & { identity: string };

export interface Presence {
  /** Null if the list contains no person. A listed browser is treated as present without a request. */
  person: ParticipantProof | null;
  /** A connected agent that doesn't reply is treated as present, because it may be busy. In a room without a phone, the list decides. */
  agent: boolean;
}

/**
 * Checks whether the phone was answered only if its agent is gone or `asksAnswer` is set, because after that check a ringing phone's bridge
 * replies to nothing else.
 *
 * @throws Error if LiveKit has no usable answer. The message omits LiveKit's text, which can contain a number
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
  const hasAgent = agentProof !== null && agentProof.kind !== 'absent';
  if (phoneProof.kind !== 'there' || (hasAgent && !asksAnswer))
    return { person: phoneProof, agent: hasAgent };
  const answerProof = await proof(person.identity, ASK_ANSWER);
  // The phone replied just now. If its bridge doesn't confirm this request, it is still busy with an earlier one.
  return { person: answerProof.kind === 'unproven' ? phoneProof : answerProof, agent: hasAgent };
}

async function proofOf(access: LiveKitAccess, question: Question): Promise<ParticipantProof> {
  const proof = await askParticipant(access, question);
  if (proof === null) throw new Error('LiveKit did not say whether a participant is there');
  return proof;
}
