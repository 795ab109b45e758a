import { z } from 'zod';
import { RULE_PROFILES } from '../../sdk/typescript/generated';
import { reading, type Tool } from './tool';

const at = z.iso.datetime({ offset: true });

const mayCall = reading({
  name: 'may_call',
  title: 'May numbers be called',
  description:
    'Checks by a rule profile whether numbers may be called at an instant: local hours, holidays, caps and consent. It calls no number, and is not legal advice.',
  input: {
    profile: z
      .string()
      .regex(/^[a-z0-9-]{1,64}$/)
      .describe(`One of ${RULE_PROFILES.join(', ')}, or a profile of the organization`),
    questions: z
      .array(
        z.strictObject({
          to_number: z.string().regex(/^\+[1-9]\d{6,14}$/, 'must be an E.164 number'),
          timezone: z.string().max(64).optional().describe('IANA zone of the person, if known'),
          at: at.describe('Instant of the call, with Z or an offset'),
          attempts: z.array(at).max(100).optional().describe('Earlier attempts to call the number'),
          consent: z.boolean().optional().describe('Whether the person consented; default false'),
        }),
      )
      .min(1)
      .max(50),
  },
  output: {
    answers: z.array(
      z.object({
        allowed: z.boolean(),
        refused_by: z.array(z.string()).describe('Every rule that refuses the call'),
        timezones: z.array(z.string()).describe('Zones in which the rules applied'),
        zone_source: z.string(),
        next_allowed_at: z
          .string()
          .nullable()
          .describe('First minute that only consent or zone_unknown could refuse'),
      }),
    ),
  },
  read: async ({ profile, questions }, client, signal) =>
    client.post('/api/rules/decide', { body: { profile, questions }, signal }),
});

export const ruleTools: readonly Tool[] = [mayCall];
