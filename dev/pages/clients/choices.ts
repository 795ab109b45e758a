/** Lists of values for programs that offer them, such as the filters of the console. */
import { isJsonObject, type JsonObject } from '../../../domain/json';
import { FINAL_STATUSES, PROGRESS_STATUSES } from '../../../domain/call-outcome';
import { operationsIn } from './document';

interface Choices {
  name: string;
  meaning: string;
  values: readonly string[];
}

/** The source of one constant for each list. */
export function choicesOf(document: JsonObject): string {
  const lists: Choices[] = [
    // The filter takes any text, so the document has no list of them.
    {
      name: 'CALL_STATUSES',
      meaning: 'Of a call, progress first.',
      values: [...PROGRESS_STATUSES, ...FINAL_STATUSES],
    },
    {
      name: 'CAMPAIGN_STATUSES',
      meaning: 'Of a campaign.',
      values: valuesOf(document, '/api/campaigns/', 'status'),
    },
    {
      name: 'CONTACT_STATES',
      meaning: 'Of a contact.',
      values: valuesOf(document, '/api/campaigns/{campaign_id}/contacts', 'state'),
    },
    { name: 'AUDIT_ACTIONS', meaning: 'Of the audit.', values: valuesOf(document, '/api/audit', 'action') },
  ];
  return lists
    .map(
      ({ name, meaning, values }) =>
        `/** ${meaning} */\nexport const ${name} = ${JSON.stringify(values, null, 2)} as const;\n`,
    )
    .join('\n');
}

/**
 * The values that a query's parameter may have.
 *
 * @throws Error if the document has no list for it
 */
function valuesOf({ paths }: JsonObject, path: string, name: string): string[] {
  const listing = operationsIn(paths).find((one) => one.method === 'get' && one.path === path);
  const parameters = listing?.operation.parameters;
  const parameter = Array.isArray(parameters)
    ? parameters.filter(isJsonObject).find((one) => one.in === 'query' && one.name === name)
    : undefined;
  const values = isJsonObject(parameter?.schema) ? parameter.schema.enum : undefined;
  if (!Array.isArray(values)) throw new Error(`GET ${path} has no list of values for ${name}`);
  return values.map(String);
}
