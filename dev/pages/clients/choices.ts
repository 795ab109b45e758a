/** Generates lists of values that programs can offer, such as the console's filters. */
import { isJsonObject, type JsonObject } from '../../../domain/json';
import { FINAL_STATUSES, PROGRESS_STATUSES } from '../../../domain/call-outcome';
import { operationsIn } from './document';

interface Choices {
  name: string;
  meaning: string;
  values: readonly string[];
}

/** Returns the source code, with one constant per list. */
export function choicesOf(document: JsonObject): string {
  const lists: Choices[] = [
    // The filter accepts any text, so the document doesn't list the values.
    {
      name: 'CALL_STATUSES',
      meaning: 'Statuses of a call; those of a live call come first.',
      values: [...PROGRESS_STATUSES, ...FINAL_STATUSES],
    },
    {
      name: 'CAMPAIGN_STATUSES',
      meaning: 'Statuses of a campaign.',
      values: valuesOf(document, '/api/campaigns/', 'status'),
    },
    {
      name: 'CONTACT_STATES',
      meaning: 'States of a contact.',
      values: valuesOf(document, '/api/campaigns/{campaign_id}/contacts', 'state'),
    },
    {
      name: 'AUDIT_ACTIONS',
      meaning: 'Actions in the audit log.',
      values: valuesOf(document, '/api/audit', 'action'),
    },
  ];
  return lists
    .map(
      ({ name, meaning, values }) =>
        `/** ${meaning} */\nexport const ${name} = ${JSON.stringify(values, null, 2)} as const;\n`,
    )
    .join('\n');
}

/**
 * Returns the values that a query parameter accepts.
 *
 * @throws Error if the document doesn't list them
 */
function valuesOf({ paths }: JsonObject, path: string, name: string): string[] {
  const listing = operationsIn(paths).find((one) => one.method === 'get' && one.path === path);
  const parameters = listing?.operation.parameters;
  const parameter = Array.isArray(parameters)
    ? parameters.filter(isJsonObject).find((one) => one.in === 'query' && one.name === name)
    : undefined;
  const values = isJsonObject(parameter?.schema) ? parameter.schema.enum : undefined;
  if (!Array.isArray(values)) throw new Error(`GET ${path} has no enum for the parameter ${name}`);
  return values.map(String);
}
