import { llm } from '@livekit/agents';

/** Satisfies the session's need for a model when none is available; it is never called. */
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
