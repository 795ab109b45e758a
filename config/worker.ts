/** Variables of the worker: its slots, the carrier, the registry, analysis, retention and e-mail. */
import { readSender } from '../domain/completion-mail';
import {
  address,
  baseAddress,
  choice,
  flag,
  integer,
  isSet,
  items,
  list,
  parsed,
  port,
  requiredWith,
  text,
  variable,
  type Kind,
  type Rule,
} from './variable';

const readBy = ['worker'] as const;

const slots = (min: number, max: number): Kind<number> => integer({ min, max });

const atLeastTaskSlots: Rule = (value, other) =>
  Number(value) < Number(other('WORKFLOW_TASK_SLOTS')) ? 'must be at least WORKFLOW_TASK_SLOTS' : null;

/** LiveKit needs a stored trunk or an inline one, but not both. */
const oneTrunk: Rule = (value, other) => {
  const isStored = isSet(other('LIVEKIT_SIP_TRUNK_ID'));
  if (isSet(value)) return isStored ? 'conflicts with LIVEKIT_SIP_TRUNK_ID. Set only one of them' : null;
  return other('TELEPHONY') === 'livekit' && !isStored
    ? 'or LIVEKIT_SIP_TRUNK_ID is required with TELEPHONY=livekit'
    : null;
};

const sender = parsed(
  'an e-mail address, or Name <address>',
  'an e-mail address, or Name <address>',
  readSender,
);

const mailDomains = items(
  'comma-separated domains, or *',
  'domains, such as example.com, or * for all',
  (item) =>
    item === '*' || /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u.test(item) ? item.toLowerCase() : undefined,
);

const days = integer({ min: 1, max: 36_525, unit: 'days' });

export const WORKER = {
  WORKFLOW_TASK_SLOTS: variable({
    kind: slots(8, 1_000),
    default: 100,
    readBy,
    description:
      'Slots for workflow tasks (docs/scaling.md). A workflow task keeps its slot while its local activities run.',
  }),
  LOCAL_ACTIVITY_SLOTS: variable({
    kind: slots(8, 2_000),
    default: 200,
    readBy,
    rule: atLeastTaskSlots,
    description: 'Slots for local activities, at least as many as for workflow tasks.',
  }),
  ACTIVITY_SLOTS: variable({
    kind: slots(8, 2_000),
    default: 500,
    readBy,
    description: 'Slots for regular activities.',
  }),
  WORKFLOW_STACKS: variable({
    kind: flag,
    default: false,
    readBy,
    as: 'workflowStacks',
    description:
      "true records stacks for errors in workflow code and for stack traces in Temporal's Web UI. It costs about a tenth of a worker's CPU time. It also works for workflows that started without it.",
  }),
  TELEPHONY: variable({
    kind: choice('http', 'livekit'),
    default: 'http',
    readBy: ['worker', 'stack'],
    description:
      "How the worker makes phone calls. http uses a carrier that implements the protocol of docs/carrier.md, and livekit uses LiveKit's SIP bridge (docs/livekit.md).",
  }),
  CARRIER_URL: variable({
    kind: baseAddress('http', 'https'),
    readBy: ['worker', 'stack'],
    example: 'http://localhost:7080',
    rule: (value, other) =>
      value === null && other('TELEPHONY') === 'http' ? 'is required with TELEPHONY=http' : null,
    description:
      'Base URL of the carrier. Required with TELEPHONY=http. If you set it for `npm start`, no simulator is started.',
  }),
  LIVEKIT_SIP_TRUNK_ID: variable({
    kind: text,
    readBy,
    description:
      'With TELEPHONY=livekit, the id of a trunk that LiveKit stores. Set either this or SIP_TRUNK_ADDRESS.',
  }),
  SIP_TRUNK_ADDRESS: variable({
    kind: text,
    readBy,
    rule: oneTrunk,
    description:
      'Address of an inline SIP trunk, which the worker sends with each request. SIP_TRUNK_USERNAME, SIP_TRUNK_PASSWORD and SIP_TRUNK_TRANSPORT are optional.',
  }),
  SIP_TRUNK_USERNAME: variable({
    kind: text,
    default: '',
    readBy,
    description: 'User name of the trunk at SIP_TRUNK_ADDRESS.',
  }),
  SIP_TRUNK_PASSWORD: variable({
    kind: text,
    default: '',
    readBy,
    description: 'Password of the trunk at SIP_TRUNK_ADDRESS.',
  }),
  SIP_TRUNK_TRANSPORT: variable({
    kind: choice('auto', 'udp', 'tcp', 'tls'),
    default: 'auto',
    readBy,
    description: 'Transport of the trunk at SIP_TRUNK_ADDRESS.',
  }),
  SIP_INBOUND_ADDRESSES: variable({
    kind: list,
    default: '',
    readBy,
    description:
      "Addresses and networks that can call our inbound numbers, such as 192.0.2.0/24. List those of the trunk's provider. Unset lets anyone call.",
  }),
  WEBHOOK_ALLOWED_HOSTS: variable({
    kind: list,
    default: '',
    readBy,
    as: 'webhookAllowedHosts',
    description: 'Private hosts that webhooks can reach, each with or without a port. For development.',
  }),
  DND_REGISTRY_URL: variable({
    kind: address('http', 'https'),
    readBy,
    description:
      "A do-not-disturb registry. The worker queries it before each dial, in addition to the organization's own list (docs/operations.md).",
  }),
  DND_REGISTRY_TOKEN: variable({ kind: text, readBy, description: 'Bearer token for DND_REGISTRY_URL.' }),
  DND_REGISTRY_TIMEOUT_MS: variable({
    kind: integer({ min: 100, max: 5_000, unit: 'milliseconds' }),
    default: 2_000,
    readBy,
    description: 'How long the registry can take to respond.',
  }),
  DND_REGISTRY_CACHE_S: variable({
    kind: integer({ min: 60, max: 2_592_000, unit: 'seconds' }),
    default: 86_400,
    readBy,
    description: 'How long a result is cached. All organizations share the cache.',
  }),
  DND_REGISTRY_WHEN_DOWN: variable({
    kind: choice('refuse', 'dial'),
    default: 'refuse',
    readBy,
    description: "What the worker does if the registry doesn't respond.",
  }),
  ANALYSIS_MODEL_URL: variable({
    kind: baseAddress('http', 'https'),
    readBy,
    description:
      "Language model that analyses calls: the address of any server with OpenAI's chat completions API, including /v1. Without it, calls are analysed by rules (docs/analysis.md).",
  }),
  ANALYSIS_MODEL: variable({
    kind: text,
    readBy,
    rule: requiredWith('ANALYSIS_MODEL_URL'),
    description: 'Name of the language model. Required with ANALYSIS_MODEL_URL.',
  }),
  ANALYSIS_MODEL_KEY: variable({
    kind: text,
    readBy,
    description: 'API key for ANALYSIS_MODEL_URL, if that server needs one.',
  }),
  ANALYSIS_TIMEOUT_S: variable({
    kind: integer({ min: 1, max: 120, unit: 'seconds' }),
    default: 60,
    readBy,
    description: 'How long a request to the model can take.',
  }),
  ANALYSIS_AT_ONCE: variable({
    kind: integer({ min: 1, max: 200 }),
    default: 16,
    readBy,
    description: 'Maximum number of concurrent requests from one worker to the model. Further calls wait.',
  }),
  AUDIT_DAYS: variable({
    kind: days,
    readBy,
    as: 'auditDays',
    description:
      'Minimum retention of the audit log. The worker deletes whole months. Unset keeps it forever.',
  }),
  DELIVERY_DAYS: variable({
    kind: days,
    readBy,
    as: 'deliveryDays',
    description:
      'Minimum retention of webhooks and their attempts. A month with a pending delivery is kept. Unset keeps them forever.',
  }),
  CALL_DAYS: variable({
    kind: days,
    readBy,
    as: 'callDays',
    description:
      'Minimum retention of archived calls and all their data. Campaign reports then no longer contain these calls. Unset keeps them forever.',
  }),
  SMTP_URL: variable({
    kind: address('smtp', 'smtps'),
    readBy: ['worker', 'stack'],
    description:
      'Mail server for e-mails at the end of a campaign: smtp://user:password@host:587 (TLS if the server offers it) or smtps://user:password@host:465 (TLS from the start). Without it, no e-mails are sent. The local stack then stores them in <DATA_DIR>/mail.',
  }),
  MAIL_FROM: variable({
    kind: sender,
    readBy,
    rule: requiredWith('SMTP_URL'),
    description: 'Sender of the e-mails, such as "Voice agent <calls@example.com>". Required with SMTP_URL.',
  }),
  MAIL_CONFIRMED_DOMAINS: variable({
    kind: mailDomains,
    default: '',
    readBy: ['api', 'worker'],
    as: 'mailConfirmedDomains',
    description:
      'Domains whose addresses receive reports without confirmation, such as example.com. Use * (every domain) only if all organizations are your own. Other addresses first get an e-mail that asks for confirmation.',
  }),
  MAIL_PER_DAY: variable({
    kind: integer({ min: 0, max: 1_000_000 }),
    default: 500,
    readBy,
    as: 'mailPerDay',
    description: 'Maximum number of reports per organization in 24 hours. 0 means no limit.',
  }),
  WORKER_HEALTH_PORT: variable({
    kind: port,
    readBy,
    as: 'healthPort',
    description:
      "Port of the worker's /healthz and /readyz on 127.0.0.1. Unset disables them, and 0 means any free port.",
  }),
  WORKER_METRICS_PORT: variable({
    kind: port,
    readBy,
    description:
      "Port of the worker's /metrics on METRICS_HOST. Unset disables it, and 0 means any free port.",
  }),
};
