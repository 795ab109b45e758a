/** Confirms changes, either with a token that the model repeats or by asking the person at the MCP client. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';

/** Long enough for a person to read what the change would do. */
export const VALID_MS = 5 * 60_000;
/** Maximum number of pending confirmations per key. A further one replaces the oldest. */
const MAX_PENDING = 100;
/** Maximum length of a question to a person. */
const MAX_CHARACTERS = 4_000;

/** A confirmation applies to one tool, with these arguments, for one key. */
interface Subject {
  keyHash: string;
  tool: string;
  args: unknown;
}

export interface Confirmation {
  token: string;
  expiresAt: number;
}

interface Pending {
  keyHash: string;
  /** Hash of tool and arguments. The arguments aren't kept, because they can contain phone numbers. */
  subjectHash: string;
  idempotencyKey: string;
  expiresAt: number;
  state: 'open' | 'running' | 'done';
  /** The change was attempted. It may have been made even if no response arrived. */
  isTried: boolean;
}

/** Why a token was rejected, worded for the model that sent it. */
export class ConfirmationRejected extends Error {
  override readonly name = 'ConfirmationRejected';
}

/** Confirmations of one process. They are lost when it ends, after which the change must be proposed again. */
export class Confirmations {
  private readonly pending = new Map<string, Pending>();

  constructor(private readonly now: () => number = Date.now) {}

  propose(subject: Subject): Confirmation {
    this.forgetExpired();
    const ofKey = [...this.pending].filter(([, { keyHash }]) => keyHash === subject.keyHash);
    const subjectHash = hashOf(subject);
    // A repeated proposal of the same change must keep the idempotency key.
    const tried = ofKey.find(
      ([, one]) => one.subjectHash === subjectHash && one.isTried && one.state === 'open',
    );
    if (tried !== undefined) return { token: tried[0], expiresAt: tried[1].expiresAt };
    const [oldest] = ofKey;
    if (oldest !== undefined && ofKey.length >= MAX_PENDING) this.pending.delete(oldest[0]);
    const token = randomBytes(24).toString('base64url');
    const expiresAt = this.now() + VALID_MS;
    this.pending.set(token, {
      keyHash: subject.keyHash,
      subjectHash,
      idempotencyKey: randomUUID(),
      expiresAt,
      state: 'open',
      isTried: false,
    });
    return { token, expiresAt };
  }

  /**
   * Makes the proposed change once, or throws `ConfirmationRejected`. If `act` fails, the token stays valid with the same idempotency key,
   * because the API may have carried out a request without a response.
   */
  async carryOut<T>(
    token: string,
    subject: Subject,
    act: (idempotencyKey: string) => Promise<T>,
  ): Promise<T> {
    this.forgetExpired();
    const pending = this.pending.get(token);
    if (pending === undefined || pending.keyHash !== subject.keyHash)
      throw new ConfirmationRejected(
        'This confirmation_token is unknown or has expired. Call again without it to see what would happen.',
      );
    if (pending.subjectHash !== hashOf(subject))
      throw new ConfirmationRejected(
        'The confirmation_token was issued for other arguments. Call again without it to see what these would do.',
      );
    if (pending.state !== 'open')
      throw new ConfirmationRejected(
        pending.state === 'done'
          ? 'This confirmation_token was already used, and the change was made. To make it again, call without it.'
          : 'The change of this confirmation_token is being made now.',
      );
    pending.state = 'running';
    pending.isTried = true;
    try {
      const result = await act(pending.idempotencyKey);
      pending.state = 'done';
      return result;
    } finally {
      if (pending.state === 'running') pending.state = 'open';
    }
  }

  private forgetExpired(): void {
    const now = this.now();
    for (const [token, { expiresAt, state }] of this.pending)
      if (expiresAt <= now && state !== 'running') this.pending.delete(token);
  }
}

export const hashOfKey = (apiKey: string): string => createHash('sha256').update(apiKey).digest('hex');

const hashOf = ({ tool, args }: Subject): string =>
  createHash('sha256')
    .update(JSON.stringify([tool, inOrder(args)]))
    .digest('hex');

/** Sorts the arguments by name, because their order doesn't matter. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, inOrder(each)]);
}

interface Question {
  title: string;
  /** The arguments as they will be sent. */
  args: unknown;
  /** Outcome that the API predicts. */
  would: unknown;
}

/** The tool call that needs the confirmation. The form is sent on its connection and withdrawn when the call ends. */
export interface Asking {
  requestId: RequestId;
  signal: AbortSignal;
}

export const canAskPerson = (server: McpServer): boolean =>
  server.server.getClientCapabilities()?.elicitation?.form !== undefined;

/** Asks the person at the MCP client with a form, which the model doesn't see. Throws if the person doesn't answer within five minutes. */
export async function askPerson(
  server: McpServer,
  question: Question,
  { requestId, signal }: Asking,
): Promise<boolean> {
  const { action, content } = await server.server.elicitInput(
    {
      mode: 'form',
      message: messageOf(question),
      requestedSchema: {
        type: 'object',
        properties: { confirm: { type: 'boolean', title: 'Do it', default: false } },
        required: ['confirm'],
      },
    },
    { relatedRequestId: requestId, signal, timeout: VALID_MS },
  );
  return action === 'accept' && content?.confirm === true;
}

/** The effect comes first, because long arguments are truncated. */
function messageOf({ title, args, would }: Question): string {
  const text = `${title}?\n\nThis would happen: ${JSON.stringify(would, null, 2)}\n\nWith: ${JSON.stringify(args, null, 2)}`;
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}…`;
}
