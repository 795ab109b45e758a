import type { Knex } from 'knex';

export interface Conditions {
  where: string;
  bindings: Record<string, Knex.RawBinding>;
}

/**
 * The rows of one client, narrowed by the filters that are given. The keys are SQL conditions on one named binding each; a filter
 * without a value narrows nothing.
 */
export function ofClient(clientId: string, filters: Record<string, string | undefined>): Conditions {
  const conditions = ['client_id = :clientId'];
  const bindings: Record<string, Knex.RawBinding> = { clientId };
  for (const [condition, value] of Object.entries(filters)) {
    const name = /:(\w+)$/.exec(condition)?.[1];
    if (name === undefined) throw new Error(`a condition must end in its binding: ${condition}`);
    if (value === undefined) continue;
    conditions.push(condition);
    bindings[name] = value;
  }
  return { where: conditions.join(' and '), bindings };
}
