/** The registry over HTTP, as `docs/operations.md` describes it to those who run one. */
import { FetchError } from 'node-fetch';
import { isJsonObject } from '../../../workflows/domain/json';
import { failureName, questionsTo } from '../../network/own-service';
import { RegistryUnavailable, type DndRegistry } from './registry';

export interface HttpDndRegistryOptions {
  url: string;
  /** Sent as a bearer token. Null where the registry asks for none. */
  token: string | null;
  /** For the whole answer, a second attempt included. */
  timeoutMs: number;
}

const MAX_ANSWER_BYTES = 16 * 1024;
/** A kept connection that the registry closed just as we wrote to it. */
const BROKEN_OFF = new Set(['ECONNRESET', 'EPIPE']);

export function httpDndRegistry({ url, token, timeoutMs }: HttpDndRegistryOptions): DndRegistry {
  const question = questionsTo({ url, token, maxAnswerBytes: MAX_ANSWER_BYTES, compress: false });

  async function ask(phoneNumber: string, until: number): Promise<boolean> {
    const leftMs = Math.max(0, until - performance.now());
    const { status, text } = await question({ number: phoneNumber }, { timeoutMs: leftMs });
    if (status !== 200) throw new RegistryUnavailable(`status ${status}`);
    return listedIn(text);
  }

  return {
    async isListed(phoneNumber) {
      const until = performance.now() + timeoutMs;
      try {
        return await ask(phoneNumber, until).catch((error: unknown) => {
          // A question changes nothing, so it may be put twice; else a contact would go uncalled for a connection's age.
          if (error instanceof FetchError && BROKEN_OFF.has(error.code ?? '')) return ask(phoneNumber, until);
          throw error;
        });
      } catch (error) {
        if (error instanceof RegistryUnavailable) throw error;
        throw new RegistryUnavailable(failureName(error, timeoutMs));
      }
    },
  };
}

function listedIn(body: string): boolean {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    throw new RegistryUnavailable('the answer is no JSON');
  }
  if (!isJsonObject(answer) || typeof answer.listed !== 'boolean') {
    throw new RegistryUnavailable('the answer does not say whether the number is listed');
  }
  return answer.listed;
}
