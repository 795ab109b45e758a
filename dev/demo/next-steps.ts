/** What a newcomer wants once the campaign is over. */
import type { Style } from './style';

export interface NextSteps {
  apiUrl: string;
  /** Signs in once, soon. */
  consoleLink: string;
  key: string;
  agentId: string;
  campaignId: string;
  /** A call with a transcript. */
  callId: string;
  /** Answers and talks. */
  numberToTry: string;
  temporalAddress: string;
  /** Null when Temporal is not ours. */
  temporalUiUrl: string | null;
  temporalNamespace: string;
  dataFolder: string;
  /** Removes all data. */
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
