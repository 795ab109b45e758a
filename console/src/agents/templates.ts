import type { CreateAgent } from '../../../sdk/typescript/generated';

/** The example agents, which a new one may begin with, in the order of their files. */
export const TEMPLATES: readonly CreateAgent[] = Object.values(
  import.meta.glob<CreateAgent>('../../../examples/agents/*.json', { import: 'default', eager: true }),
);
