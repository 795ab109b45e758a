import { SCOPES } from '../../db/clients/api-keys';
import { about, exactlyOneOf, list, nullable, object, optional, type ValueOf } from '../http/schema/field';
import { nonEmptyText, oneOf, text, timestamp } from '../http/schema/kinds';

const MOST_SECRET = 200;

export const signIn = exactlyOneOf(
  object(
    {
      api_key: about(optional(nonEmptyText(MOST_SECRET)), 'An API key of the organization'),
      sign_in_token: about(optional(nonEmptyText(MOST_SECRET)), 'Of a sign-in link; works once'),
    },
    { name: 'ConsoleSignIn' },
  ),
  ['api_key', 'sign_in_token'],
);

export const consoleSession = object(
  {
    organisation: about(text(), 'Its name'),
    key_name: about(text(), 'Of the key that the session acts for: its name, or its first characters'),
    scopes: about(list(oneOf(...SCOPES)), 'What the key may do now'),
    csrf_token: about(text(), 'To send as X-CSRF-Token with whatever changes something'),
    expires_at: timestamp(),
    workflow_pages: about(
      nullable(
        object({
          campaign: about(text(), 'Of a campaign, with `{id}` for its id'),
          call: about(text(), 'Of a call, with `{id}` for its id'),
          list: about(text(), 'Of the list of all workflows'),
        }),
      ),
      "Addresses in Temporal's Web UI; null unless the session began with a link that an operator made to show them",
    ),
  },
  { name: 'ConsoleSession' },
);
export type ConsoleSessionBody = ValueOf<typeof consoleSession>;
