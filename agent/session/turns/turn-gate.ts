/** Until the agent has opened the conversation, the remote party's turns are kept and not answered. */
import type { llm } from '@livekit/agents';

export class TurnGate {
  private held: llm.ChatMessage[] = [];
  private isOpened = false;
  private resolveFirstHeld: () => void = () => undefined;
  /** Resolves with the first turn that is kept. */
  readonly firstHeld = new Promise<void>((resolve) => (this.resolveFirstHeld = resolve));

  get isOpen(): boolean {
    return this.isOpened;
  }

  hold(message: llm.ChatMessage): void {
    this.held.push(message);
    this.resolveFirstHeld();
  }

  /** Turns are answered from now on. Returns the kept ones for the agent's chat history. */
  open(): llm.ChatMessage[] {
    this.isOpened = true;
    const { held } = this;
    this.held = [];
    return held;
  }
}
