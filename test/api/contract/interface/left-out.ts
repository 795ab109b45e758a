/** Statements of the interface that can't be checked, each with the reason. */
const ABOUT = 'Says what the document is about';
const NOT_SHOWN = 'Explicitly not shown: decided in decisions.md';
const STACK =
  'Describes calls over time: held by the tests that run the whole engine (test/stack, test/workflows)';
const SENTENCE_ELSEWHERE = 'Stated again, field by field, in the sections that are checked';
const RECEIVER = 'A duty of the receiver';
const NOT_BUILT = 'Not built yet: see the limits of this version in the README';

const within = (heading: string, reason: string, ...sentences: string[]): Record<string, string> =>
  Object.fromEntries(
    sentences.map((sentence) => [heading === '' ? sentence : `${heading} > ${sentence}`, reason]),
  );

const RESOURCES = 'Resources and their fields';
const SECTIONS = `${RESOURCES} > Agent configuration sections`;
const DISPATCH = 'Endpoints > POST /api/trigger-call/ (dispatch)';

export const LEFT_OUT: Readonly<Record<string, string>> = {
  ...within(
    '',
    ABOUT,
    'This document covers the whole service: voice agents and their configuration, dispatching calls (outbound telephony or browser real-time sessions), outbound calling campaigns, call history and details, and webhook notifications.',
    'It is the only document.',
    'Other addresses: {rtc_url} (real-time media server) and {live_captions_url} (live transcript socket).',
  ),
  ...within('What the service does', ABOUT, 'The service hosts configurable conversational voice agents.'),
  ...within(
    'What the service does',
    STACK,
    'A campaign dials a list of contacts uploaded as a file, within a daily UTC time window, on chosen weekdays, with a concurrency cap, retries, an optional do-not-disturb check and optional webhooks.',
    'After a call ends, post-processing produces a transcript, extracted data, an evaluation tag and a summary.',
    'Webhooks notify a client URL about campaign status changes and completed calls.',
  ),
  ...within(
    'What the service does',
    SENTENCE_ELSEWHERE,
    'These are read through the call history and call details endpoints.',
  ),
  ...within(
    RESOURCES,
    NOT_SHOWN,
    'Agent > Shapes of deployment_config and gsheet_config, and of the items named in the call resource below: not shown.',
    'Call (call history item) > Item shapes of chat_history, and the internals of call_entity and call_conversation_quality (which vary by agent configuration): not shown.',
  ),
  ...within(
    SECTIONS,
    NOT_SHOWN,
    'training > Fields of knowledge beyond use_rag: not shown.',
    'training > Field name of the pain-point map inside know_how: not shown.',
    'training > Allowed values of guardrails.level and handlingType: not shown.',
    'deployment > Shapes of actions, memories, breathing_sound, patience_with_user_entries, mood_mapping, system_based: not shown.',
  ),
  ...within(
    'States and transitions',
    NOT_SHOWN,
    'Other campaign transitions (to scheduled, paused_out_of_range, completed, cancelled; pausing on request): not shown.',
    'Transitions: not shown.',
  ),
  ...within(
    DISPATCH,
    NOT_BUILT,
    "A custom identifier forwarded to a custom-LLM socket server in the x_agent_id field of each turn request's req_body.",
    'When a custom LLM is enabled on the agent, the whole modify_agent object (including persona.metadata) is forwarded in req_body of every turn request.',
  ),
  ...within(
    DISPATCH,
    NOT_SHOWN,
    'Message format of the live captions socket, of the recording stream URL and of the transcript URL: not shown.',
    'Whether agent_id may be an agent name instead of a UUID: not shown.',
  ),
  ...within(
    'Endpoints > PUT /api/campaigns/{campaign_id}',
    NOT_SHOWN,
    'The request example sends form fields while the code samples send JSON; which content type is accepted: not shown.',
  ),
  ...within(
    'Authentication',
    SENTENCE_ELSEWHERE,
    'Webhook deliveries are signed by the service (see Events).',
  ),
  ...within(
    'Authentication',
    NOT_SHOWN,
    'Response for a missing or invalid key: not shown.',
    'Key issuance, scopes and expiry: not shown.',
  ),
  ...within('Events', STACK, 'The service sends HTTP POST webhooks to client URLs.'),
  ...within(
    'Events',
    RECEIVER,
    'Receiver requirements: respond in under 5 seconds, return 2xx to acknowledge, be publicly reachable over HTTPS, tolerate duplicate events.',
  ),
  ...within(
    'Events',
    NOT_SHOWN,
    'Payloads of campaign.completed, campaign.cancelled, call.failed, call.no_answer, and which conditions produce each campaign event name: not shown.',
    'How the signing secret is issued: not shown.',
    'Payload field carrying an event id for idempotency: not shown.',
  ),
  ...within(
    'Events',
    NOT_BUILT,
    'The agent can also use a custom-LLM socket server that receives turn requests whose req_body carries x_agent_id and modify_agent; other messages of that socket: not shown.',
    'Campaign completion notifications are also sent to notification_emails (<EMAIL> addresses); their content: not shown.',
  ),
  ...within(
    'Errors',
    NOT_SHOWN,
    'Error bodies of agent, trigger-call, campaign list and resume endpoints: not shown.',
    'HTTP status of NO_FIELDS_TO_UPDATE and of create errors other than the 400 example: not shown.',
  ),
  ...within(
    'Limits',
    NOT_SHOWN,
    'Rate limits: not shown.',
    'Numeric value of the organization maximum concurrency: not shown.',
  ),
  ...within('Versioning', NOT_SHOWN, 'Versioning scheme: not shown.'),
};
