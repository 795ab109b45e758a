import type { CallFindings } from '../../../db/calls/conclusions';

/** Findings of a call whose callee was interested. */
export const FINDINGS: CallFindings = {
  summary: 'They talked.',
  entity: { city: 'Pune' },
  evalTag: 'interested',
  conversationEval: { score: 4 },
  quality: {
    score: 80,
    sentiment: 'positive',
    agent_talk_ratio: 0.5,
    interruptions: 0,
    avg_response_ms: null,
    p95_response_ms: null,
  },
  tags: ['one', 'two'],
  outcome: 'interested',
  callbackRequested: true,
  doNotCall: false,
  method: 'rules',
};
