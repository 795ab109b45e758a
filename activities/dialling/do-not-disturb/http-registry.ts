/** Client of a do-not-disturb registry over HTTP (protocol in `docs/operations.md`). */
import { isJsonObject } from '../../../domain/json';
import { failureName, questionsTo } from '../../network/own-service';
import { RegistryUnavailable, type DndRegistry } from './registry-check';

interface HttpDndRegistryOptions {
  url: string;
  /** Sent as a bearer token. Null if the registry needs none. */
  token: string | null;
  /** Time limit for the complete answer, including a second attempt. */
  timeoutMs: number;
}

const MAX_ANSWER_BYTES = 16 * 1024;

export function httpDndRegistry({ url, token, timeoutMs }: HttpDndRegistryOptions): DndRegistry {
  const question = questionsTo({ url, token, maxAnswerBytes: MAX_ANSWER_BYTES, compress: false });

  return {
    async isListed(phoneNumber) {
      try {
        const { status, text } = await question({ number: phoneNumber }, { timeoutMs });
        if (status !== 200) throw new RegistryUnavailable(`status ${status}`);
        return listedIn(text);
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
    throw new RegistryUnavailable('the answer is not JSON');
  }
  if (!isJsonObject(answer) || typeof answer.listed !== 'boolean') {
    throw new RegistryUnavailable('the answer does not say whether the number is listed');
  }
  return answer.listed;
}
