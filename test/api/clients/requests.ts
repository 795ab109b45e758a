/**
 * Builds a request for each operation of the document, in the shape that the clients take. Throws if it has no values for an operation.
 */
import type { Estate } from '../support/estate';
import type { Document } from '../support/openapi-answers';
import { operationsOf, parametersIn, type Operation } from '../support/operations';

export interface ClientRequest {
  /** The operation's id in the document, such as `getAgents`. */
  operationId: string;
  method: string;
  /** `{name}` marks a parameter. */
  template: string;
  path: Record<string, string>;
  query: Record<string, unknown>;
  /**
   * Fields of the document's first example, with the file as text. Undefined if the operation has no body.
   */
  body?: Record<string, unknown>;
}

/** Requests that archive or end something come last. */
const LAST = [
  'POST /api/campaigns/{campaign_id}/cancel',
  'DELETE /api/agent/{agent_id}',
  'DELETE /api/rule-profiles/{name}',
  'POST /api/contact-lists/{list_id}/contacts',
  'DELETE /api/contact-lists/{list_id}/contacts/{contact_id}',
  'DELETE /api/contact-lists/{list_id}',
];

/** `talking` is a call of the estate that can be listened to. */
export const requestsOf = (document: Document, estate: Estate, talking: string): ClientRequest[] =>
  operationsOf(document)
    .sort((a, b) => LAST.indexOf(a.name) - LAST.indexOf(b.name))
    .map((operation) => requestOf(operation, document, estate, talking));

function requestOf(operation: Operation, document: Document, estate: Estate, talking: string): ClientRequest {
  const { method, path: template, bodies } = operation;
  const ids: Record<string, string> = {
    agent_id: method === 'DELETE' ? estate.agents.other : estate.agents.running,
    campaign_id: template.endsWith('/resume') ? estate.campaigns.paused : estate.campaigns.active,
    call_id: template.endsWith('/listen') ? talking : estate.calls.ofCampaign,
    delivery_id: estate.deliveries.failed,
    key_id: estate.keys.spare,
    session_id: estate.sessions.open,
    list_id: estate.lists.filled,
    import_id: estate.imports.first,
    contact_id: estate.listContacts.first,
    name: estate.profiles.own,
  };
  const path = Object.fromEntries(
    parametersIn(operation, 'path').map(({ name }) => {
      const id = ids[name];
      if (id === undefined) throw new Error(`no test knows how to fill ${name} of ${operation.name}`);
      return [name, id];
    }),
  );
  const example = bodies[0]?.examples[0];
  if (bodies.length > 0 && example === undefined) throw new Error(`${operation.name} has no example`);
  return {
    operationId: document.paths[template][method.toLowerCase()].operationId,
    method: method.toLowerCase(),
    template,
    path,
    query: parametersIn(operation, 'query').some(({ name }) => name === 'page')
      ? { page: 1, page_size: 2 }
      : {},
    ...(example !== undefined && {
      body: 'agent_id' in example ? { ...example, agent_id: estate.agents.running } : example,
    }),
  };
}

/** True if the response is a file. */
export const isDownload = ({ template }: ClientRequest): boolean =>
  /\/(stream|file|report|skipped\.csv)(\/|$)/.test(template);
