import { z } from 'zod';
import type { Analysis, DeploymentUpdate, Experience, Persona, Training } from '../../sdk/typescript';
import { agentNamed, SECTIONS } from './agents';
import { agentId } from './fields';
import { changing, type Tool } from './tool';

type Values = Readonly<Record<string, unknown>>;
/** The API validates which section the body belongs to. */
type SectionBody = Persona & Training & Experience & Analysis & DeploymentUpdate;

interface ChangedField {
  path: string;
  from: unknown;
  to: unknown;
}

/** Returns the fields that a deep merge would change. Lists are replaced as a whole, and null restores a default. */
export function changedFields(stored: Values, changes: Values, before = ''): ChangedField[] {
  return Object.entries(changes).flatMap(([name, to]) => {
    const path = before + name;
    const from = stored[name];
    if (isValues(to) && (from === undefined || isValues(from)))
      return changedFields(from ?? {}, to, `${path}.`);
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ path, from: from ?? null, to }];
  });
}

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const changeAgent = changing({
  name: 'change_agent',
  title: "Change an agent's configuration",
  description:
    'Changes fields of one section and keeps the others. Calls and campaigns that have started keep the configuration they started with. show_agent returns the stored configuration; docs/agent-config.md describes every field.',
  scope: 'configure',
  annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: {
    agent_id: agentId,
    section: z.enum(SECTIONS),
    changes: z
      .record(z.string(), z.unknown())
      .describe(
        'Deep merge into the section, such as {"identity": {"greeting_message": {"agent_message": "Hello"}}}; lists are replaced, null restores a default',
      ),
  },
  preview: {
    agent: z.string(),
    section: z.enum(SECTIONS),
    changed: z.array(z.object({ path: z.string(), from: z.unknown(), to: z.unknown() })),
  },
  result: { message: z.string() },
  predict: async ({ agent_id, section, changes }, client, signal) => {
    const { display_name, config } = await agentNamed(agent_id, client, signal);
    return { agent: display_name, section, changed: changedFields(config[section], changes) };
  },
  carryOut: async ({ agent_id, section, changes }, client) => {
    const { id } = await agentNamed(agent_id, client, new AbortController().signal);
    const body = (section === 'deployment' ? { deployment: changes } : changes) as SectionBody;
    const { message } = await client.patch(`/api/agent/{agent_id}/${section}`, {
      path: { agent_id: id },
      body,
    });
    return { message };
  },
});

export const agentChanges: readonly Tool[] = [changeAgent];
