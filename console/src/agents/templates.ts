import type { CreateAgent } from '../../../sdk/typescript/generated';

/** Example agents that a new agent can start from, in the order of their files. */
export const TEMPLATES: readonly CreateAgent[] = Object.values(
  import.meta.glob<CreateAgent>('../../../examples/agents/*.json', { import: 'default', eager: true }),
);
