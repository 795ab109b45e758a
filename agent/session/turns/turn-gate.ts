/** While the agent has not opened the conversation, what the other side says is kept and not answered. */
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

  /** From now on turns are answered. What was said before is the agent's to remember. */
  open(): llm.ChatMessage[] {
    this.isOpened = true;
    const { held } = this;
    this.held = [];
    return held;
  }
}
