/** Reads the example agents from `examples/agents/`. Each file is a request body of `POST /api/create-agent`. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Joi from 'joi';
import { AGENT_CREATED, type ApiClient } from '../demo/api-client';

export interface ExampleAgent {
  name: string;
  /** The request body. */
  body: { agent_display_name: string; config: object };
}

export interface CreatedAgent {
  name: string;
  id: string;
}

export const AGENT_FILE = Joi.object<ExampleAgent['body']>({
  agent_display_name: Joi.string().required(),
  config: Joi.object().required(),
});

/** Sorted by file name. */
export async function readExampleAgents(repository: string): Promise<ExampleAgent[]> {
  const folder = join(repository, 'examples', 'agents');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (file) => {
      const read = AGENT_FILE.validate(JSON.parse(await readFile(join(folder, file), 'utf8')));
      if (read.error !== undefined)
        throw new Error(`examples/agents/${file} is not a valid agent: ${read.error.message}`);
      return { name: read.value.agent_display_name, body: read.value };
    }),
  );
}

export async function createAgents(api: ApiClient, agents: readonly ExampleAgent[]): Promise<CreatedAgent[]> {
  const created: CreatedAgent[] = [];
  for (const { name, body } of agents) {
    const { agent_id: id } = await api.post('/api/create-agent', body, AGENT_CREATED);
    created.push({ name, id });
  }
  return created;
}
