/** Holds the user's turns back until the agent has opened the conversation. */
import type { llm } from '@livekit/agents';

export class TurnGate {
  private held: llm.ChatMessage[] = [];
  private isOpened = false;
  private resolveFirstHeld: () => void = () => undefined;
  /** Resolves when the first turn is held. */
  readonly firstHeld = new Promise<void>((resolve) => (this.resolveFirstHeld = resolve));

  get isOpen(): boolean {
    return this.isOpened;
  }

  hold(message: llm.ChatMessage): void {
    this.held.push(message);
    this.resolveFirstHeld();
  }

  /** Answers turns from now on. Returns the held turns for the agent's chat history. */
  open(): llm.ChatMessage[] {
    this.isOpened = true;
    const { held } = this;
    this.held = [];
    return held;
  }
}
