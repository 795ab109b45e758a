import type { AuditEntry } from '../../../sdk/typescript/generated';

export const ACTION_WORDS: Readonly<Record<AuditEntry['action'], string>> = {
  'agent.archive': 'Archived an agent',
  'agent.conversations': 'Changed the conversations of an agent',
  'agent.create': 'Created an agent',
  'agent.restore': 'Restored a version of an agent',
  'agent.update': 'Changed an agent',
  'call.dispatch': 'Started a call',
  'call.hangup': 'Ended a call',
  'call.listen': 'Listened in to a call',
  'call.transfer': 'Transferred a call',
  'call.transfer_refused': 'Was denied a transfer',
  'campaign.cancel': 'Cancelled a campaign',
  'campaign.create': 'Created a campaign',
  'campaign.pause': 'Paused a campaign',
  'campaign.pause_all': 'Paused a campaign with all others',
  'campaign.resume': 'Resumed a campaign',
  'campaign.resume_all': 'Resumed a campaign with all others',
  'campaign.update': 'Changed a campaign',
  'console.link': 'Created a sign-in link',
  'console.sign_in': 'Signed in to the console',
  'console.sign_in_failed': 'Failed to sign in to the console',
  'delivery.redeliver': 'Redelivered a webhook',
  'dnd.add': 'Added a number to the do-not-disturb list',
  'dnd.clear': 'Emptied the do-not-disturb list',
  'dnd.import': 'Imported do-not-disturb numbers',
  'dnd.remove': 'Removed a number from the do-not-disturb list',
  'key.create': 'Created a key',
  'key.expire': 'Changed the expiry of a key',
  'key.revoke': 'Revoked a key',
  'mail.confirm': 'Confirmed an address for reports',
  'mail.remove': 'Removed an address for reports',
  'number.add': 'Registered a number',
  'number.import': 'Imported registered numbers',
  'number.remove': 'Removed a number',
  'org.create': 'Created the organization',
  'org.update': 'Changed limits of the organization',
  'person.erase': 'Erased a person',
  'secret.create': 'Created a webhook secret',
  'secret.revoke': 'Revoked a webhook secret',
  'secret.rotate': 'Replaced the webhook secret',
  'secrets.re-encrypt': 'Encrypted the secrets again',
  'session.end': 'Ended sessions of a key',
  'storage.move': 'Moved the stored files',
};

/** Returns the actor's display name. Organizations can't see the names of operators. */
export function whoOf({ kind, id, name }: AuditEntry['actor']): string {
  if (kind === 'operator') return 'The operator';
  if (kind === 'agent') return 'An agent';
  if (kind === 'visitor') return 'A visitor without a valid key';
  return name === null ? `Key ${id ?? ''}` : `Key ${name}`;
}
