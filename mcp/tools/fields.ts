/** Fields that several tools accept or return. */
import { z } from 'zod';

export const campaignId = z.uuid().describe('Id of the campaign, from list_campaigns');
export const callId = z.string().min(1).max(200).describe('Id of the call, from find_calls');
export const agentId = z.string().min(1).max(200).describe('Id of the agent, or its slug (agent_name)');
export const phoneNumber = z
  .string()
  .regex(/^\+?[\d\s()-]{4,24}$/, 'must be a phone number, or at least its last four digits')
  .describe('In any format; the last digits are enough');
export const page = z.number().int().min(1).default(1).describe('Page number, from 1');
export const limit = z
  .number()
  .int()
  .min(1)
  .max(50)
  .default(20)
  .describe('Maximum number of items to return');

/** Fields that report how far a search got. */
export const extent = {
  searched: z.number().describe('Number of items searched'),
  searched_all: z.boolean().describe('False if there are more items; narrow the search'),
};

export const paged = {
  page: z.number(),
  pages: z.number(),
  total: z.number().describe('Items on all pages'),
};
