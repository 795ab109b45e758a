import { llm } from '@livekit/agents';

/** Stands where the session wants a model and none can be had: the agent answers without asking it. */
export class NoModel extends llm.LLM {
  override label(): string {
    return 'no-model';
  }

  override get model(): string {
    return 'none';
  }

  override get provider(): string {
    return 'none';
  }

  override chat(): llm.LLMStream {
    throw new Error('there is no language model');
  }
}
