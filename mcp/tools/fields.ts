/** Fields that several tools take or answer. */
import { z } from 'zod';

export const campaignId = z.uuid().describe('Identifier of the campaign, as list_campaigns shows it');
export const callId = z.string().min(1).max(200).describe('Identifier of the call, as find_calls shows it');
export const agentId = z
  .string()
  .min(1)
  .max(200)
  .describe('Identifier of the agent, or its slug (agent_name)');
export const phoneNumber = z
  .string()
  .regex(/^\+?[\d\s()-]{4,24}$/, 'must be a phone number, or at least its last four digits')
  .describe('In any spelling; its last digits are enough');
export const page = z.number().int().min(1).default(1).describe('From 1');
export const limit = z.number().int().min(1).max(50).default(20).describe('Most items of the answer');

/** How far a search came. */
export const extent = {
  searched: z.number().describe('Items that were looked at'),
  searched_all: z.boolean().describe('False: there are more; narrow the search'),
};

export const paged = {
  page: z.number(),
  pages: z.number(),
  total: z.number().describe('Items on all pages'),
};
