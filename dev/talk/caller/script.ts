/** What the scripted caller asks the front desk, and which words a right answer has. */
export interface Question {
  says: string;
  /** Of the answer that `examples/agents/front-desk.json` holds. */
  answerHas: readonly string[];
}

export const FRONT_DESK = 'Front desk';

export const QUESTIONS: readonly Question[] = [
  { says: 'When are you open?', answerHas: ['morning', 'evening'] },
  { says: 'Where can I park my car?', answerHas: ['parking', 'building'] },
  { says: 'How do I cancel an appointment?', answerHas: ['day', 'before'] },
  { says: 'Which doctors work at the clinic?', answerHas: ['brown', 'miller'] },
];
