/** The scripted caller's questions to the front desk, and words that each correct answer contains. */
export interface Question {
  says: string;
  /** Words from the answer in `examples/agents/front-desk.json`. */
  answerHas: readonly string[];
}

export const FRONT_DESK = 'Front desk';

export const QUESTIONS: readonly Question[] = [
  { says: 'When are you open?', answerHas: ['morning', 'evening'] },
  { says: 'Where can I park my car?', answerHas: ['parking', 'building'] },
  { says: 'How do I cancel an appointment?', answerHas: ['day', 'before'] },
  { says: 'Which doctors work at the clinic?', answerHas: ['brown', 'miller'] },
];
