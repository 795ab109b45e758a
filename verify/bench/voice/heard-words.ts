/** The words that an agent heard, from the platform's own record of a call. */
import Joi from 'joi';
import { waitUntil } from '../../../dev/stack/wait-until';
import type { BenchClient } from '../bench-stack';

interface CallRow {
  End_time: string | null;
  chat_history: { role: string; content: string }[];
}

const TURN = Joi.object({
  role: Joi.string().required(),
  content: Joi.string().allow('').required(),
}).unknown();
const CALLS = Joi.object<{ data: CallRow[] }>({
  data: Joi.array()
    .items(
      Joi.object({
        End_time: Joi.string().allow(null).required(),
        chat_history: Joi.array().items(TURN).required(),
      }).unknown(),
    )
    .required(),
}).unknown();

const ENDS_WITHIN_MS = 30_000;

/** Of the agent's last call, once it is over: what the caller said, in order. */
export async function heardWords({ api }: Pick<BenchClient, 'api'>, agentId: string): Promise<string> {
  let heard: string | null = null;
  await waitUntil({
    what: 'the record of a conversation',
    timeoutMs: ENDS_WITHIN_MS,
    check: async () => {
      const { data } = await api.get(`/api/call-history?agent_id=${agentId}`, CALLS);
      const [call] = data;
      if (call === undefined || call.End_time === null) return false;
      const turns = call.chat_history.filter(({ role }) => role === 'user');
      heard = turns.map(({ content }) => content).join(' ');
      return true;
    },
  });
  return heard ?? '';
}
