import { llm } from '@livekit/agents';

/** Placeholder for the model that the session requires. It is never called. */
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
    throw new Error('no language model is available');
  }
}
