import type { AuditEntry } from '../../../sdk/typescript/generated';

/** What was done, for people. */
export const ACTION_WORDS: Readonly<Record<AuditEntry['action'], string>> = {
  'agent.archive': 'Archived an agent',
  'agent.conversations': 'Changed the conversations of an agent',
  'agent.create': 'Made an agent',
  'agent.restore': 'Restored a version of an agent',
  'agent.update': 'Changed an agent',
  'call.dispatch': 'Called somebody',
  'call.hangup': 'Ended a call',
  'call.listen': 'Listened in to a call',
  'call.transfer': 'Transferred a call',
  'call.transfer_refused': 'Was refused a transfer',
  'campaign.cancel': 'Cancelled a campaign',
  'campaign.create': 'Made a campaign',
  'campaign.pause': 'Paused a campaign',
  'campaign.pause_all': 'Paused a campaign with all others',
  'campaign.resume': 'Resumed a campaign',
  'campaign.resume_all': 'Resumed a campaign with all others',
  'campaign.update': 'Changed a campaign',
  'console.link': 'Made a sign-in link',
  'console.sign_in': 'Signed in to the console',
  'console.sign_in_failed': 'Failed to sign in to the console',
  'delivery.redeliver': 'Had a webhook delivered again',
  'dnd.add': 'Added to the do-not-disturb list',
  'dnd.clear': 'Emptied the do-not-disturb list',
  'dnd.import': 'Imported do-not-disturb numbers',
  'dnd.remove': 'Took a number off the do-not-disturb list',
  'key.create': 'Made a key',
  'key.expire': 'Changed when a key expires',
  'key.revoke': 'Revoked a key',
  'mail.confirm': 'Confirmed an address for reports',
  'mail.remove': 'Removed an address for reports',
  'number.add': 'Registered a number',
  'number.import': 'Registered numbers of a file',
  'number.remove': 'Removed a number',
  'org.create': 'Made the organisation',
  'org.update': 'Changed limits of the organisation',
  'person.erase': 'Erased a person',
  'secret.create': 'Made a webhook secret',
  'secret.revoke': 'Revoked a webhook secret',
  'secret.rotate': 'Replaced the webhook secret',
  'secrets.re-encrypt': 'Encrypted the secrets anew',
  'session.end': 'Ended sessions of a key',
  'storage.move': 'Moved the stored files',
};

/** Names and ids of operators are their own. */
export function whoOf({ kind, id, name }: AuditEntry['actor']): string {
  if (kind === 'operator') return 'The operator';
  if (kind === 'agent') return 'An agent';
  if (kind === 'visitor') return 'Somebody without a valid key';
  return name === null ? `Key ${id ?? ''}` : `Key ${name}`;
}
