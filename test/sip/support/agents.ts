/** Creates agents that do more than greet. Each function returns the new agent's id. */
import type { SipStage } from './stage';

/** Transfers the callee after their first sentence. */
export function transferringAgent(stage: SipStage, to: string): Promise<string> {
  const model = { stt: 'transfer-stt', llm: 'transfer-llm' };
  stage.models.script(model.stt, [{ text: 'Please put me through to a person.' }]);
  stage.models.script(model.llm, [
    { toolCalls: [{ name: 'to_person', arguments: {} }] },
    { text: 'I put you through.' },
  ]);
  return stage.agent({
    persona: {
      identity: { greeting_message: { agent_message: 'Hello.' } },
      senses_capabilities: {
        ears: { stt: { primary: { provider: 'openai', model: model.stt } } },
        brain: { llm: { primary: { provider: 'openai', model: model.llm } } },
      },
      actions: { to_person: { type: 'transfer', description: 'A person is asked for', to } },
    },
  });
}

export const machineDetectingAgent = (stage: SipStage): Promise<string> =>
  stage.agent({ experience: { settings: { call_settings: { enable_voicemail_detection: true } } } });

/** Hangs up after a minute. */
export const briefAgent = (stage: SipStage): Promise<string> =>
  stage.agent({ experience: { settings: { call_settings: { max_call_duration: 1 } } } });
