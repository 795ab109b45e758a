import { createHash, randomBytes, randomUUID } from 'node:crypto';

/** Long enough for a person to read what would happen. */
export const VALID_MS = 5 * 60_000;
/** Of one key: the oldest is forgotten for another. */
const MOST_PENDING = 100;

/** What a confirmation is good for: one tool, with these arguments, for one key. */
export interface Subject {
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
  /** Of tool and arguments: they may hold phone numbers, which nothing keeps here. */
  subjectHash: string;
  idempotencyKey: string;
  expiresAt: number;
  state: 'open' | 'running' | 'done';
  /** It was attempted, and may have been carried out although no answer came. */
  isTried: boolean;
}

/** Why a token was not accepted; the message is for the model that sent it. */
export class ConfirmationRefused extends Error {
  override readonly name = 'ConfirmationRefused';
}

/** The confirmations of one process, which forgets them when it ends: the change is then proposed again. */
export class Confirmations {
  private readonly pending = new Map<string, Pending>();

  constructor(private readonly now: () => number = Date.now) {}

  propose(subject: Subject): Confirmation {
    this.forgetExpired();
    const ofKey = [...this.pending].filter(([, { keyHash }]) => keyHash === subject.keyHash);
    const subjectHash = hashOf(subject);
    // The same change again needs the same idempotency key.
    const tried = ofKey.find(
      ([, one]) => one.subjectHash === subjectHash && one.isTried && one.state === 'open',
    );
    if (tried !== undefined) return { token: tried[0], expiresAt: tried[1].expiresAt };
    const [oldest] = ofKey;
    if (oldest !== undefined && ofKey.length >= MOST_PENDING) this.pending.delete(oldest[0]);
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
   * Carries out what was proposed, once. Where `act` fails the token stays good, with the same idempotency key: whether a request that got no
   * answer was carried out is not known, and repeated with that key it does nothing twice. Throws `ConfirmationRefused`.
   */
  async carryOut<T>(
    token: string,
    subject: Subject,
    act: (idempotencyKey: string) => Promise<T>,
  ): Promise<T> {
    this.forgetExpired();
    const pending = this.pending.get(token);
    if (pending === undefined || pending.keyHash !== subject.keyHash)
      throw new ConfirmationRefused(
        'This confirmation_token is unknown or has expired. Call without it to see again what would happen.',
      );
    if (pending.subjectHash !== hashOf(subject))
      throw new ConfirmationRefused(
        'These are not the arguments that the confirmation_token was given for. Call without it to see what they would do.',
      );
    if (pending.state !== 'open')
      throw new ConfirmationRefused(
        pending.state === 'done'
          ? 'This confirmation_token was used: the change was made. To make it once more, call without it.'
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

/** The same arguments in another order of their names are the same. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, inOrder(each)]);
}
