/** Lists every page of the console, with the heading that appears once the page has loaded. */
import type { Shift } from './shift';

export const pagesOf = ({ campaignId, listId, agentId, calls }: Shift): [path: string, heading: string][] => [
  ['/campaigns', 'Campaigns'],
  [`/campaigns/${campaignId}`, 'November check-ups'],
  ['/campaigns/new', 'New campaign'],
  ['/contact-lists', 'Contact lists'],
  [`/contact-lists/${listId}`, 'Patients'],
  ['/calls', 'Calls'],
  [`/calls/${calls.refund}`, 'Asha Rao'],
  [`/calls/${calls.refund}?said=refund`, 'Asha Rao'],
  [`/calls/${calls.ringing}`, 'Meera Nair'],
  ['/agents', 'Agents'],
  ...['persona', 'training', 'experience', 'analysis', 'deployment', 'versions'].map(
    (section): [string, string] => [`/agents/${agentId}?section=${section}`, 'Check-up reminder'],
  ),
  [`/agents/${agentId}?section=versions&version=1`, 'Check-up reminder'],
  [`/agents/${agentId}?section=analysis&try=true`, 'Check-up reminder'],
  [`/try?agent=${agentId}`, 'Try an agent'],
  ['/operations', 'Operations'],
  ['/audit', 'Audit'],
  ['/keys', 'Keys'],
];
