/** Links and commands that a newcomer needs after the campaign. */
import type { Style } from './style';

export interface NextSteps {
  apiUrl: string;
  /** Signs the user in once and expires within minutes. */
  consoleLink: string;
  key: string;
  agentId: string;
  campaignId: string;
  /** A call that has a transcript. */
  callId: string;
  /** A number that answers and talks. */
  numberToTry: string;
  temporalAddress: string;
  /** Null if Temporal wasn't started by this command. */
  temporalUiUrl: string | null;
  temporalNamespace: string;
  dataFolder: string;
  /** Command that removes all data. */
  cleanCommand: string;
}

export function nextStepLines(next: NextSteps, style: Style): string[] {
  const { apiUrl, key, agentId, callId } = next;
  const curl = `curl -s -H 'X-API-Key: ${key}'`;
  const dispatch = JSON.stringify({ agent_id: agentId, contact_number: next.numberToTry, name: 'Ravi' });
  return [
    style.bold('Try it'),
    `  console      ${next.consoleLink}   (works once, within ten minutes)`,
    `  base URL     ${apiUrl}`,
    `  API key      ${key}`,
    `  API page     ${apiUrl}/api/docs`,
    `  Temporal UI  ${temporalUi(next)}`,
    `  data, logs   ${next.dataFolder}   (${next.cleanCommand} removes it)`,
    '',
    style.dim('  # how the campaign ended'),
    `  ${curl} ${apiUrl}/api/campaigns/${next.campaignId}`,
    style.dim('  # the transcript above'),
    `  ${curl} ${apiUrl}/api/call_details/${callId}`,
    style.dim('  # call one more contact; then see /api/call-history'),
    `  ${curl} -H 'Content-Type: application/json' ${apiUrl}/api/trigger-call/ -d '${dispatch}'`,
  ];
}

function temporalUi(next: NextSteps): string {
  if (next.temporalUiUrl === null) return `${next.temporalAddress} (not started by this command)`;
  return `${next.temporalUiUrl}/namespaces/${next.temporalNamespace}/workflows/campaign-${next.campaignId}`;
}
