/** The worst bodies that the API takes in: each is of an allowed size, whatever it holds. */
import {
  dataPoints,
  json,
  JSON_TYPE,
  keyed,
  MOST_BYTES,
  outbound,
  repeated,
  rules,
  type BodyCase,
} from './body-case';
import { configurationCases } from './configuration-cases';
import { contactFileCases } from './contact-file-cases';

/** What the paths of the cases lead to. */
export interface BodyTargets {
  agentId: string;
  campaignId: string;
}

export const bodyCases = ({ agentId, campaignId }: BodyTargets): BodyCase[] => [
  ...configurationCases(agentId),
  ...creations(),
  ...dispatches(agentId),
  json('POST', '/api/webhook-deliveries/redeliver', 'redeliver: 60,000 unknown fields', () =>
    keyed(60_000, '0'),
  ),
  ...campaignChanges(campaignId),
  ...contactFileCases(agentId),
];

function creations(): BodyCase[] {
  const create = (name: string, config: () => string) =>
    json(
      'POST',
      '/api/create-agent',
      `create-agent: ${name}`,
      () => `{"agent_display_name":"A","config":${config()}}`,
    );
  const full = (count: number) => () =>
    `{"deployment":${outbound(repeated('"x"', count))},"analysis":${dataPoints(repeated('{}', count))},"training":${rules(repeated('{}', count))}}`;
  return [
    create('60,000 entries in each of three sections', full(60_000)),
    create('500 entries in each of three sections, all wrong', full(500)),
    create('60,000 unknown sections', () => keyed(60_000, '0')),
  ];
}

function dispatches(agentId: string): BodyCase[] {
  const dispatch = (name: string, fields: () => string) =>
    json(
      'POST',
      '/api/trigger-call/',
      `dispatch: ${name}`,
      () => `{"agent_id":"${agentId}","contact_number":"+919876543210","name":"Asha Rao",${fields()}}`,
    );
  return [
    dispatch('900 KiB of metadata', () => `"metadata":{"note":"${'x'.repeat(900 * 1024)}"}`),
    dispatch('60,000 keys of metadata', () => `"metadata":${keyed(60_000, '0')}`),
    dispatch('19,000 values of metadata', () => `"metadata":${keyed(19_000, '0')}`),
    dispatch(
      'modify_agent with 60,000 facts',
      () => `"modify_agent":{"analysis":${dataPoints(repeated('{}', 60_000))}}`,
    ),
    dispatch(
      'modify_agent of a mebibyte',
      () => `"modify_agent":{"training":{"know_how":{"faq":${keyed(5_000, `"${'a'.repeat(190)}"`, 'q')}}}}`,
    ),
    dispatch('60,000 unknown fields', () => keyed(60_000, '0').slice(1, -1)),
    dispatch('90 unknown fields of 200 lists', () => keyed(90, repeated('[]', 200)).slice(1, -1)),
  ];
}

function campaignChanges(campaignId: string): BodyCase[] {
  const change = (name: string, contentType: string, text: () => string): BodyCase => ({
    name: `campaign: ${name}`,
    method: 'PUT',
    path: `/api/campaigns/${campaignId}`,
    contentType,
    body: () => Buffer.from(text()),
  });
  const form = 'application/x-www-form-urlencoded';
  const asJson = (fields: object) => () => JSON.stringify(fields);
  return [
    change('a mebibyte of addresses', JSON_TYPE, asJson({ notification_emails: repeatedText('a@b.co,') })),
    change('a mebibyte of weekdays', JSON_TYPE, asJson({ days_of_week: repeatedText('monday,') })),
    change('a name of a mebibyte', JSON_TYPE, asJson({ campaign_name: repeatedText('x') })),
    change('a form of a mebibyte of fields', form, () =>
      Array.from({ length: 120_000 }, (_none, at) => `f${at}=`).join('&'),
    ),
    change('a form of a mebibyte of addresses', form, () => `notification_emails=${repeatedText('a@b.co,')}`),
  ];
}

const repeatedText = (text: string): string => text.repeat(MOST_BYTES / text.length);
