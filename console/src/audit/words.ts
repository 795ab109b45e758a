import type { AuditEntry } from '../../../sdk/typescript/generated';

export const ACTION_WORDS: Readonly<Record<AuditEntry['action'], string>> = {
  'agent.archive': 'Archived an agent',
  'agent.conversations': 'Changed an agent’s conversations',
  'agent.create': 'Created an agent',
  'agent.restore': 'Restored a version of an agent',
  'agent.update': 'Changed an agent',
  'call.dispatch': 'Started a call',
  'call.hangup': 'Ended a call',
  'call.listen': 'Listened in to a call',
  'call.transfer': 'Transferred a call',
  'call.transfer_refused': 'Tried a transfer that isn’t allowed',
  'campaign.append': 'Added contacts to a campaign',
  'campaign.cancel': 'Cancelled a campaign',
  'campaign.create': 'Created a campaign',
  'campaign.pause': 'Paused a campaign',
  'campaign.pause_all': 'Paused a campaign (all campaigns)',
  'campaign.resume': 'Resumed a campaign',
  'campaign.resume_all': 'Resumed a campaign (all campaigns)',
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
  'key.expire': 'Changed a key’s expiry',
  'key.revoke': 'Revoked a key',
  'mail.confirm': 'Confirmed an e-mail address for reports',
  'mail.remove': 'Removed an e-mail address for reports',
  'number.add': 'Registered a number',
  'number.import': 'Imported numbers to register',
  'number.remove': 'Removed a number',
  'org.create': 'Created the organization',
  'org.update': 'Changed the organization’s settings',
  'person.erase': 'Erased a person',
  'rule_profile.create': 'Created a rule profile',
  'rule_profile.delete': 'Deleted a rule profile',
  'rule_profile.update': 'Changed a rule profile',
  'secret.create': 'Created a webhook secret',
  'secret.revoke': 'Revoked a webhook secret',
  'secret.rotate': 'Replaced the webhook secret',
  'secrets.re-encrypt': 'Re-encrypted the secrets',
  'session.end': 'Ended a key’s sessions',
  'storage.move': 'Moved the stored files',
};

/** Returns the actor's display name. Organizations can't see the names of operators. */
export function whoOf({ kind, id, name }: AuditEntry['actor']): string {
  if (kind === 'operator') return 'The operator';
  if (kind === 'agent') return 'An agent';
  if (kind === 'visitor') return 'A visitor without a valid key';
  return name === null ? `Key ${id ?? ''}` : `Key ${name}`;
}
