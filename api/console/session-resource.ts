import { SCOPES } from '../../db/organizations/api-keys';
import { about, exactlyOneOf, list, nullable, object, optional, type ValueOf } from '../http/schema/field';
import { nonEmptyText, oneOf, text, timestamp } from '../http/schema/kinds';

const MAX_SECRET = 200;

export const signIn = exactlyOneOf(
  object(
    {
      api_key: about(optional(nonEmptyText(MAX_SECRET)), 'An API key of the organization'),
      sign_in_token: about(optional(nonEmptyText(MAX_SECRET)), 'Token of a sign-in link. It works only once'),
    },
    { name: 'ConsoleSignIn' },
  ),
  ['api_key', 'sign_in_token'],
);

export const consoleSession = object(
  {
    organization: about(text(), 'Name of the organization'),
    key_name: about(text(), 'Name or first characters of the key that the session acts for'),
    scopes: about(list(oneOf(...SCOPES)), 'Current scopes of the key'),
    csrf_token: about(text(), 'Send it as X-CSRF-Token with every request that changes something'),
    expires_at: timestamp(),
    workflow_pages: about(
      nullable(
        object({
          campaign: about(text(), 'URL of a campaign, with `{id}` in place of its id'),
          call: about(text(), 'URL of a call, with `{id}` in place of its id'),
          list: about(text(), 'URL of the list of all workflows'),
        }),
      ),
      "URLs in Temporal's Web UI. Null unless the session began with a link that an operator created for this",
    ),
  },
  { name: 'ConsoleSession' },
);
export type ConsoleSessionBody = ValueOf<typeof consoleSession>;
