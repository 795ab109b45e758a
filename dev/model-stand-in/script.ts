/** A model's scripted reply. */
export type Reply = Answer | Refusal;

export type Answer =
  /** A language model's text, or a transcriber's result. */
  | (Manner & { text: string })
  /** Tool calls of a language model. */
  | (Manner & { toolCalls: readonly { name: string; arguments: unknown }[] });

/** An HTTP error status. */
type Refusal = Manner & { status: number };

export const isRefusal = (reply: Reply): reply is Refusal => 'status' in reply;

interface Manner {
  /** Delay before the first byte; 0 by default. */
  delayMs?: number;
  /** Delay between the pieces of a streamed reply; 0 by default. */
  betweenPiecesMs?: number;
  /** Cuts the connection after this many pieces of a streamed reply. */
  cutAfterPieces?: number;
}

/** A request as received, with its body parsed. */
export interface TakenRequest {
  path: string;
  authorization: string | null;
  body: Readonly<Record<string, unknown>>;
  /** Time it was received, by `performance.now()`. */
  takenAtMs: number;
  /** Time just before its response began; null until then. */
  answeredAtMs: number | null;
}

export class Scripts {
  private readonly replies = new Map<string, Reply[]>();
  private readonly taken = new Map<string, TakenRequest[]>();

  set(model: string, replies: readonly Reply[]): void {
    this.replies.set(model, [...replies]);
  }

  /** Returns the next reply and keeps repeating the last one; undefined for a model without a script. */
  next(model: string): Reply | undefined {
    const left = this.replies.get(model);
    return left === undefined || left.length <= 1 ? left?.[0] : left.shift();
  }

  note(model: string, request: TakenRequest): void {
    this.taken.set(model, [...this.requestsOf(model), request]);
  }

  requestsOf(model: string): readonly TakenRequest[] {
    return this.taken.get(model) ?? [];
  }
}
