/** What the stand-in answers for a model, reply after reply. */
export type Reply = Answer | Refusal;

export type Answer =
  /** Words: of a language model the answer, of a transcriber what it heard. */
  | (Manner & { text: string })
  /** A language model calls tools. */
  | (Manner & { toolCalls: readonly { name: string; arguments: unknown }[] });

/** An HTTP status that is no success. */
export type Refusal = Manner & { status: number };

export const isRefusal = (reply: Reply): reply is Refusal => 'status' in reply;

interface Manner {
  /** Before the first byte; 0 unless given. */
  delayMs?: number;
  /** Between the pieces of a streamed answer; 0 unless given. */
  betweenPiecesMs?: number;
  /** The connection is cut after so many pieces of a streamed answer. */
  cutAfterPieces?: number;
}

/** A request as it came, its body read. */
export interface TakenRequest {
  path: string;
  authorization: string | null;
  body: Readonly<Record<string, unknown>>;
  /** When it was there, by `performance.now()`. */
  takenAtMs: number;
  /** When its answer was about to begin; null until then. */
  answeredAtMs: number | null;
}

export class Scripts {
  private readonly replies = new Map<string, Reply[]>();
  private readonly taken = new Map<string, TakenRequest[]>();

  set(model: string, replies: readonly Reply[]): void {
    this.replies.set(model, [...replies]);
  }

  /** The next one, the last one for ever; undefined for a model without a script. */
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
