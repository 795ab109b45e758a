"""Made by "npm run pages" from the API's document: not to be edited."""
# ruff: noqa
from __future__ import annotations

from collections.abc import Iterator
from http.client import HTTPResponse
from os import PathLike
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, overload

Json: TypeAlias = Any
File: TypeAlias = "PathLike[str] | tuple[str, bytes]"

class Agent(TypedDict):
    """A configurable voice agent"""
    # Identifier, used as agent_id elsewhere
    id: str
    # Internal slug, unique within the client
    agent_name: str
    # Human-readable name
    display_name: str
    # Owning organization
    client_id: str
    # Name of the organization
    client_name: str
    # Published for active use
    published: bool
    # When it was published
    published_at: str | None
    # When its configuration last changed
    last_edited_at: str
    # The deployment section as stored
    deployment_config: dict[str, Json]
    # initialized until the agent has a system prompt, then running; stopped when archived
    status: Literal["initialized", "running", "stopped"]
    # Reserved
    gsheet_config: dict[str, Json] | None
    # Whether it was archived
    archived: bool


class AgentConfig(TypedDict):
    """Any of the five sections"""
    persona: NotRequired[Persona | None]
    training: NotRequired[Training | None]
    experience: NotRequired[Experience | None]
    analysis: NotRequired[Analysis | None]
    deployment: NotRequired[Deployment | None]


class AgentPage(TypedDict):
    data: list[Agent]
    pagination: Pagination


class AgentVersion(TypedDict):
    # Its number; a change has the next
    version: int
    # When the change was made
    created_at: str
    # Whether new calls run with it
    current: bool
    # Whether a call was made with it
    used: bool
    # The sections that differ from the version before it; of the first those that it sets
    changed: list[Literal["persona", "training", "experience", "analysis", "deployment"]]


class AgentVersionPage(TypedDict):
    data: list[AgentVersion]
    pagination: Pagination


class AgentWithConfig(TypedDict):
    """An agent and its configuration"""
    # Identifier, used as agent_id elsewhere
    id: str
    # Internal slug, unique within the client
    agent_name: str
    # Human-readable name
    display_name: str
    # Owning organization
    client_id: str
    # Name of the organization
    client_name: str
    # Published for active use
    published: bool
    # When it was published
    published_at: str | None
    # When its configuration last changed
    last_edited_at: str
    # The deployment section as stored
    deployment_config: dict[str, Json]
    # initialized until the agent has a system prompt, then running; stopped when archived
    status: Literal["initialized", "running", "stopped"]
    # Reserved
    gsheet_config: dict[str, Json] | None
    # Whether it was archived
    archived: bool
    config: StoredAgentConfig


class AllPaused(TypedDict):
    paused: int


class AllResumed(TypedDict):
    resumed: int
    # Those whose agent may not call from its number: it is another organization's
    left_paused: int


class AnalysisEvaluationsDispositionsPromptBasedItem(TypedDict):
    """A question about the call as a whole"""
    # Name of the answer
    name: str
    # Type of the answer
    type: Literal["bool", "string", "number"]
    # Question that the transcript answers
    prompt: str
    # Allowed answer to its meaning; only for the type `string`
    list_of_tags: NotRequired[dict[str, Json] | None]


class AnalysisEvaluationsDispositions(TypedDict):
    """Business results"""
    # Whether dispositions are decided
    enabled: NotRequired[bool | None]
    # The organization's dispositions. The built-in rules take the last yes or no, number or tag that was said
    prompt_based: NotRequired[list[AnalysisEvaluationsDispositionsPromptBasedItem] | None]
    # System-defined dispositions. Stored only, because the interface does not show them
    system_based: NotRequired[list[Json] | None]


class AnalysisEvaluationsConversationEvaluation(TypedDict):
    """Free-form evaluation"""
    # Whether the call gets a score from 0 to 100, with reasons
    enabled: NotRequired[bool | None]
    # What to evaluate. The built-in rules ignore it and use sentiment, interruptions and response times
    prompt: NotRequired[str | None]


class AnalysisEvaluations(TypedDict):
    """Evaluation of the call"""
    # Business results
    dispositions: NotRequired[AnalysisEvaluationsDispositions | None]
    # Free-form evaluation
    conversation_evaluation: NotRequired[AnalysisEvaluationsConversationEvaluation | None]


class AnalysisExtractionDataCollectionDataPointsItem(TypedDict):
    """A fact to extract from the conversation"""
    # Key of the fact in call_entity
    name: str
    # Question that the transcript answers
    prompt: str
    # Allowed answers; any text unless set
    values: NotRequired[list[Json] | None]
    # Allow null when nothing is found
    nullable: NotRequired[bool | None]


class AnalysisExtractionDataCollection(TypedDict):
    """Facts"""
    # Whether facts are extracted
    enabled: NotRequired[bool | None]
    # The facts. The built-in rules take the value said last, or null without `values`
    data_points: NotRequired[list[AnalysisExtractionDataCollectionDataPointsItem] | None]


class AnalysisExtractionCollectConcerns(TypedDict):
    """Concerns of the callee or caller"""
    # Whether concerns are collected, as `concerns` among the facts. Needs a language model
    enabled: NotRequired[bool | None]
    # What counts as a concern
    prompt: NotRequired[str | None]


class AnalysisExtraction(TypedDict):
    """Data extraction"""
    # Facts
    data_collection: NotRequired[AnalysisExtractionDataCollection | None]
    # Concerns of the callee or caller
    collect_concerns: NotRequired[AnalysisExtractionCollectConcerns | None]


class Analysis(TypedDict):
    """Results of a finished call"""
    # Whether people who opt out of calls are added to the do-not-disturb list
    do_not_call: NotRequired[bool | None]
    # Evaluation of the call
    evaluations: NotRequired[AnalysisEvaluations | None]
    # Data extraction
    extraction: NotRequired[AnalysisExtraction | None]


class ApiKey(TypedDict):
    """Never the key itself."""
    id: str
    name: str | None
    # The first twelve characters of the key
    prefix: str
    # What it may do
    scopes: list[Literal["read", "operate", "configure"]]
    # The key that made it, with which it is revoked; null where the operator made it
    made_by: str | None
    created_at: str
    # To the minute
    last_used_at: str | None
    # Null for never
    expires_at: str | None
    revoked_at: str | None
    state: Literal["valid", "expired", "revoked"]


class ApiKeyPage(TypedDict):
    data: list[ApiKey]
    pagination: Pagination


class AuditEntryActor(TypedDict):
    kind: Literal["api_key", "operator", "agent", "visitor"]
    # Of the key or the agent; null of an operator and of a visitor
    id: str | None
    # Of the key
    name: str | None


class AuditEntry(TypedDict):
    at: str
    actor: AuditEntryActor
    action: Literal["agent.archive", "agent.conversations", "agent.create", "agent.restore", "agent.update", "call.dispatch", "call.hangup", "call.listen", "call.transfer", "call.transfer_refused", "campaign.cancel", "campaign.create", "campaign.pause", "campaign.pause_all", "campaign.resume", "campaign.resume_all", "campaign.update", "console.link", "console.sign_in", "console.sign_in_failed", "delivery.redeliver", "dnd.add", "dnd.clear", "dnd.import", "dnd.remove", "key.create", "key.expire", "key.revoke", "mail.confirm", "mail.remove", "number.add", "number.import", "number.remove", "org.create", "org.update", "person.erase", "secret.create", "secret.revoke", "secret.rotate", "secrets.re-encrypt", "session.end", "storage.move"]
    # Of what was changed; of what belongs to the organization as a whole, its own id
    subject_id: str
    # Of an agent, a campaign or a key that is still there
    subject_name: str | None
    # Names of the fields that were changed, never their values
    fields: list[str]
    # The client address of the request; null of an operator and of an agent
    address: str | None
    # The X-Request-Id of the request
    request_id: str | None


class AuditPage(TypedDict):
    data: list[AuditEntry]
    pagination: Pagination


class Brakes(TypedDict):
    """What pauses campaigns by itself; a day is one of UTC"""
    # Credits of a campaign; null is no limit
    campaign_spend_per_day: float | None
    # Credits of the client; null is no limit
    spend_per_day: float | None
    # Credits that the client has spent
    spent_today: float
    # The share of the latest dials that the carrier may fail, 0 is no limit; null where the operator's setting holds
    failure_rate: float | None


class BrowserSession(TypedDict):
    # Credential for the real-time server
    token: str
    room_name: str
    agent_name: str
    # Where the client connects with the token
    connection_url: str
    # Socket of the live transcript
    live_captions_url: str


class Call(TypedDict):
    """One call attempt"""
    # Unique; of outbound telephony it starts with outbound-, of inbound with inbound-, of browser sessions with room_
    call_id: str
    call_type: Literal["Outbound", "Inbound"]
    # In the end one of completed, User disconnected, voicemail, no answer, busy, rejected, failed, error, DND, cancelled, expired; before that queued, dialing, ringing, in progress
    call_status: str
    direction: Literal["Outbound", "Incoming"]
    # Display name of the agent
    agent_name: str
    client_name: str
    agent_id: str
    client_id: str
    # E.164; web-user in a browser session; null while the carrier has not said which it chose, or where a caller withholds theirs
    from_number: str | None
    # E.164; null in a browser session
    to_number: str | None
    # When the call was accepted
    Start_time: str
    # Null until it is over
    End_time: str | None
    # Milliseconds from the answer to the end; 0 unanswered
    duration_ms: float
    # Credits, by started minute of talk
    call_cost: float
    # Generated summary
    call_summary: str | None
    # Extracted data; its keys depend on the agent
    call_entity: dict[str, Json]
    # Evaluation tag
    call_eval_tag: str | None
    # score, sentiment, agent_talk_ratio, interruptions, avg_response_ms, p95_response_ms; empty until processed
    call_conversation_quality: dict[str, Json]
    post_processing_status: Literal["completed", "not_processed", "processing"]
    call_dialing_at: str | None
    call_ringing_at: str | None
    user_picked_up_at: str | None
    # Streams the recording, signed for 24 hours; null until there is one
    recording_api: str | None
    # The transcript, signed for 24 hours; null until there is one
    call_transcription: str | None
    # What was given for the call, over which name, phone, agent_name, agent_id and client_id win
    call_metadata: dict[str, Json]
    chat_history: list[ChatMessage]
    # Whether the person said that they do not want to be called again
    do_not_call: bool
    callback_requested: bool
    callback_id: str | None
    callback_status: str | None
    # Of a call whose phone was lost, as its SIP bridge died or LiveKit was away: it may ring or be connected until then
    line_kept_until: str | None


class CallDetails(TypedDict):
    # Lines prefixed AGENT: and USER:; a fixed text until processed
    transcription: str
    # Extracted entities; a fixed text until processed
    entity: dict[str, Json] | str
    # By the agent; a fixed text until processed
    conversation_eval: dict[str, Json] | str
    # A fixed text until processed
    summary: str
    # Null until processed
    call_eval_tag: str | None
    # What found the four above: a language model or the built-in rules; null until processed
    analysis_method: Literal["model", "rules", None]
    usage: CallUsage | None


class CallPage(TypedDict):
    data: list[Call]
    pagination: Pagination


class CallUsage(TypedDict):
    """What the call used of models; null where nothing was reported"""
    models: list[UsedModel]
    # Of all together; null while that of one is unknown
    cost: float | None


class Campaign(TypedDict):
    id: str
    campaign_name: str
    # paused is what a person asked for; scheduled before from_date and paused_out_of_range outside window and weekdays are the service's own
    campaign_status: Literal["scheduled", "active", "paused", "paused_out_of_range", "completed", "cancelled"]
    # Comma-separated
    days_of_week: str
    # UTC, inclusive
    time_range_from: str
    # UTC, exclusive
    time_range_to: str
    client_id: str
    agent_id: str
    # The stored contact file, signed for 24 hours
    excel_blob_url: str
    # What the file is by its content
    contact_source_type: Literal["csv", "xlsx", "xls"]
    # Most dials of a contact; 1 is no redial
    max_retries: int
    # Minutes from the end of a dial to the next
    retry_after_mins: int
    # Most calls of the campaign at once
    call_concurrency: int
    # First day
    start_date: str
    # Last day
    end_date: str
    notification_emails: list[str]
    # campaign_webhook_url of the request
    webhook_url: str | None
    perform_dnd_check: bool
    created_at: str
    updated_at: str


class CampaignDetail(TypedDict):
    id: str
    campaign_name: str
    # paused is what a person asked for; scheduled before from_date and paused_out_of_range outside window and weekdays are the service's own
    campaign_status: Literal["scheduled", "active", "paused", "paused_out_of_range", "completed", "cancelled"]
    # Comma-separated
    days_of_week: str
    # UTC, inclusive
    time_range_from: str
    # UTC, exclusive
    time_range_to: str
    client_id: str
    agent_id: str
    # The stored contact file, signed for 24 hours
    excel_blob_url: str
    # What the file is by its content
    contact_source_type: Literal["csv", "xlsx", "xls"]
    # Most dials of a contact; 1 is no redial
    max_retries: int
    # Minutes from the end of a dial to the next
    retry_after_mins: int
    # Most calls of the campaign at once
    call_concurrency: int
    # First day
    start_date: str
    # Last day
    end_date: str
    notification_emails: list[str]
    # campaign_webhook_url of the request
    webhook_url: str | None
    perform_dnd_check: bool
    created_at: str
    updated_at: str
    # Notified of each call
    per_call_webhook_url: str | None
    stats: CampaignStats
    # Why the status is what it is
    status_reason: str | None
    # The report to each of notification_emails. Before the end: confirmed or unconfirmed. An unconfirmed address gets none
    completion_mails: list[CompletionMail]


class CampaignEdit(TypedDict):
    # At most 255 characters
    campaign_name: NotRequired[str]
    # Most calls at once, up to the organization's maximum
    concurrency: NotRequired[int]
    # First day, UTC
    from_date: NotRequired[str]
    # Last day, UTC
    to_date: NotRequired[str]
    # UTC, inclusive, 02:30-14:29
    start_time: NotRequired[str]
    # UTC, exclusive, 02:30-14:29
    end_time: NotRequired[str]
    # Comma-separated lowercase weekday names
    days_of_week: NotRequired[str]
    # Most dials of a contact, 1-10; 1 is no redial
    max_retries: NotRequired[int]
    # Minutes from the end of a dial to the next, 0-1440
    retry_delay_mins: NotRequired[int]
    # Comma-separated, at most 5
    notification_emails: NotRequired[str | None]
    # Notified of changes of the status
    campaign_webhook_url: NotRequired[str | None]
    # Notified of each call
    per_call_webhook_url: NotRequired[str | None]


class CampaignEditForm(TypedDict):
    # At most 255 characters
    campaign_name: NotRequired[str]
    # Most calls at once, up to the organization's maximum
    concurrency: NotRequired[int]
    # First day, UTC
    from_date: NotRequired[str]
    # Last day, UTC
    to_date: NotRequired[str]
    # UTC, inclusive, 02:30-14:29
    start_time: NotRequired[str]
    # UTC, exclusive, 02:30-14:29
    end_time: NotRequired[str]
    # Comma-separated lowercase weekday names
    days_of_week: NotRequired[str]
    # Most dials of a contact, 1-10; 1 is no redial
    max_retries: NotRequired[int]
    # Minutes from the end of a dial to the next, 0-1440
    retry_delay_mins: NotRequired[int]
    # Comma-separated, at most 5
    notification_emails: NotRequired[str]
    # Notified of changes of the status
    campaign_webhook_url: NotRequired[str]
    # Notified of each call
    per_call_webhook_url: NotRequired[str]


class CampaignError(TypedDict):
    status_code: int
    # Name of the status
    error: str
    message: str
    code: str
    path: str
    timestamp: str
    request_id: str
    details: NotRequired[list[Json]]
    # All faults of the file; details holds the first 100
    details_total: NotRequired[int]


class CampaignListItem(TypedDict):
    id: str
    campaign_name: str
    # paused is what a person asked for; scheduled before from_date and paused_out_of_range outside window and weekdays are the service's own
    campaign_status: Literal["scheduled", "active", "paused", "paused_out_of_range", "completed", "cancelled"]
    agent_id: str
    call_concurrency: int
    # Contacts
    total_leads: int
    # Contacts that were reached
    completed_calls: int
    created_at: str
    updated_at: str


class CampaignOutcome(TypedDict):
    call_status: Literal["completed", "User disconnected", "voicemail", "no answer", "busy", "rejected", "failed", "error", "DND", "cancelled", "expired"]
    calls: int


class CampaignPage(TypedDict):
    campaigns: list[CampaignListItem]
    pagination: CampaignPagination


class CampaignPagination(TypedDict):
    # This page, from 1
    page: int
    # Most items on a page
    page_size: int
    # Items on all pages
    total: int
    # Pages
    total_pages: int


class CampaignProgress(TypedDict):
    campaign_id: str
    campaign_status: Literal["scheduled", "active", "paused", "paused_out_of_range", "completed", "cancelled"]
    # Why it rests; null while it dials
    status_reason: str | None
    stats: CampaignStats
    # Most calls of the campaign at once
    call_concurrency: int
    # Calls that hold a line
    lines_in_use: int
    # Calls that wait for a line
    waiting_calls: int
    # Dialled in the last minute
    calls_per_minute: int
    # How its calls ended; counted again less often the longer that takes
    outcomes: list[CampaignOutcome]
    # What the engine does next, for people
    next_step: str
    # When the next redial falls due that is not due yet
    next_redial_at: str | None
    ended_at: str | None


class CampaignStanding(TypedDict):
    id: str
    campaign_name: str
    # paused is what a person asked for; scheduled before from_date and paused_out_of_range outside window and weekdays are the service's own
    campaign_status: Literal["scheduled", "active", "paused", "paused_out_of_range", "completed", "cancelled"]
    updated_at: str


class CampaignStats(TypedDict):
    """Contacts by state; they add up to `total_calls`"""
    # Contacts
    total_calls: int
    # Answered, including voicemail
    completed: int
    pending: int
    in_progress: int
    # failed, duplicate, dnd, invalid, cancelled and expired contacts
    failed: int


class ChatMessage(TypedDict):
    # Who said it
    role: Literal["agent", "user", "tool"]
    # What was said
    content: str
    # Milliseconds since the answer
    start_ms: int
    # Milliseconds since the answer
    end_ms: int
    # Whether the remote party cut it short
    interrupted: bool


class CompletionMail(TypedDict):
    email: str
    status: Literal["pending", "sent", "failed", "skipped", "unconfirmed", "confirmed"]


class ConsoleSessionWorkflowPages(TypedDict):
    """Addresses in Temporal's Web UI; null unless the session began with a link that an operator made to show them"""
    # Of a campaign, with `{id}` for its id
    campaign: str
    # Of a call, with `{id}` for its id
    call: str
    # Of the list of all workflows
    list: str


class ConsoleSession(TypedDict):
    # Its name
    organisation: str
    # Of the key that the session acts for: its name, or its first characters
    key_name: str
    # What the key may do now
    scopes: list[Literal["read", "operate", "configure"]]
    # To send as X-CSRF-Token with whatever changes something
    csrf_token: str
    expires_at: str
    # Addresses in Temporal's Web UI; null unless the session began with a link that an operator made to show them
    workflow_pages: ConsoleSessionWorkflowPages | None


class ConsoleSignIn(TypedDict):
    # An API key of the organization
    api_key: NotRequired[str]
    # Of a sign-in link; works once
    sign_in_token: NotRequired[str]


class Contact(TypedDict):
    # The file's row; the header is 1
    row: int
    name: str
    # E.164
    phone_number: str
    # The extra columns
    variables: dict[str, Json]
    state: Literal["pending", "in_progress", "completed", "failed", "duplicate", "dnd", "invalid", "cancelled", "expired"]
    # Why it was not called or not reached
    reason: str | None
    attempts: list[ContactAttempt]
    # When its redial or callback falls due, whatever the calling window says then
    next_attempt_at: str | None
    # Whether the person said in a call that they do not want to be called again
    do_not_call: bool
    # For people: why it was not reached, or is not called now. Null for one that was reached, or is being called
    why: str | None
    next: ContactNextStep


class ContactAttempt(TypedDict):
    # Which dial of the contact; of a callback the last before it
    attempt: int
    # Whether the person had asked for this call in an earlier one
    is_callback: bool
    call_id: str
    call_status: str
    # Who or what ended it; null while it is under way
    end_reason: str | None
    # When the carrier was asked
    started_at: str | None
    dialed_at: str | None
    ringing_at: str | None
    answered_at: str | None
    ended_at: str | None
    # From the answer to the end; 0 where nobody answered, and until it has ended
    duration_ms: int


class ContactFileColumn(TypedDict):
    title: str
    # What it is taken for: the name, the number, a variable of the contact; `unclear` where its header is at fault
    meaning: Literal["name", "phone_number", "variable", "unclear"]


class ContactFileFault(TypedDict):
    row: int
    # Null for a whole row
    column: str | None
    value: str | None
    reason: str


class ContactFilePreview(TypedDict):
    # What the content is, whatever the name of the file
    format: Literal["csv", "xlsx", "xls"]
    columns: list[ContactFileColumn]
    # The first five below the header
    rows: list[ContactFileRow]
    # Below the header
    rows_total: int
    # The first hundred; create takes a file without any
    faults: list[ContactFileFault]
    faults_total: int


class ContactFileRow(TypedDict):
    # The spreadsheet's row
    row: int
    # One for each column at most
    cells: list[str]


class ContactNextStep(TypedDict):
    # What happens to it next
    action: Literal["dial", "redial", "callback", "none"]
    # Not before then; null where that depends on a free line, a person or the call under way
    at: str | None
    # For people
    sentence: str


class ContactPage(TypedDict):
    data: list[Contact]
    pagination: Pagination


class CreateAgent(TypedDict):
    # Human-readable name; the slug agent_name is made from it
    agent_display_name: str
    config: NotRequired[AgentConfig | None]


class CreateCampaign(TypedDict):
    # Contacts, 1 to 10,000: .csv (UTF-8), .xlsx or .xls, at most 10 MiB, with the columns name and phone_number
    csv_file: File
    # At most 255 characters
    campaign_name: str
    # Most calls at once, up to the organization's maximum
    concurrency: int
    # First day, UTC
    from_date: str
    # Last day, UTC
    to_date: str
    # UTC, inclusive, 02:30-14:29
    start_time: str
    # UTC, exclusive, 02:30-14:29
    end_time: str
    # Comma-separated lowercase weekday names
    days_of_week: str
    # Most dials of a contact, 1-10; 1 is no redial
    max_retries: NotRequired[int]
    # Minutes from the end of a dial to the next, 0-1440
    retry_delay_mins: NotRequired[int]
    # Comma-separated, at most 5
    notification_emails: NotRequired[str]
    # Notified of changes of the status
    campaign_webhook_url: NotRequired[str]
    # Notified of each call
    per_call_webhook_url: NotRequired[str]
    # The agent that calls: its id or agent_name
    agent_id: str
    # Whether do-not-disturb lists are checked
    perform_dnd_check: NotRequired[bool]


class CreatedAgent(TypedDict):
    success: Literal[True]
    # Identifier of the new agent
    agent_id: str
    # The display name
    agent_name: str
    # Owning organization
    client_id: str


class DeliveryAttempt(TypedDict):
    attempt: int
    at: str
    # What the receiver answered; null when it did not
    status_code: int | None
    duration_ms: int
    error: str | None


class DeliveryPage(TypedDict):
    data: list[WebhookDelivery]
    pagination: Pagination


class DeploymentPhoneCallType(TypedDict):
    """By direction"""
    # Number whose callers the agent answers; an empty text removes the route
    Inbound: NotRequired[str | None]
    # Numbers the agent may dial from; any unless set
    Outbound: NotRequired[list[str] | None]


class DeploymentPhone(TypedDict):
    """Telephony"""
    # By direction
    call_type: NotRequired[DeploymentPhoneCallType | None]


class Deployment(TypedDict):
    """Numbers that an agent calls from and answers"""
    # Telephony
    phone: NotRequired[DeploymentPhone | None]


class DeploymentUpdate(TypedDict):
    deployment: Deployment


class Dispatch(TypedDict):
    # The agent's id, or its agent_name
    agent_id: str
    # Template variables for the agent's prompt: at most 100 keys and 16 KiB of JSON
    metadata: NotRequired[dict[str, Json]]
    modify_agent: NotRequired[ModifyAgent | None]
    # Whom to call: E.164, or 91XXXXXXXXXX, 0XXXXXXXXXX, XXXXXXXXXX
    contact_number: str
    # Customer name
    name: str
    # Voice to use; empty leaves it to the agent
    voice: NotRequired[str]
    # E.164 caller ID, of those the agent may dial from
    outbound_number: NotRequired[str | None]
    # Skips the do-not-disturb check
    dnd_check_skipped: NotRequired[bool]
    # A phone call
    medium: NotRequired[Literal["telephony"]]


class DispatchError(TypedDict):
    success: Literal[False]
    message: str
    output: None
    # The code
    error: str
    detail: ErrorDetail | list[InputFault]


class DispatchOutput(TypedDict):
    agent_name: str
    # Starts with outbound-
    call_id: str
    # Socket of the live transcript
    live_captions_url: str


class Dispatched(TypedDict):
    """A call that was accepted; it waits durably for a free line"""
    # Always true
    success: bool
    message: str
    output: DispatchOutput
    error: None


class DoNotDisturbNumber(TypedDict):
    # E.164
    phone_number: str
    # Where it came from
    source: str
    added_at: str
    # The call in which the person asked not to be called again
    call_id: str | None


class DoNotDisturbPage(TypedDict):
    data: list[DoNotDisturbNumber]
    pagination: Pagination


class DoNotDisturbRemoval(TypedDict):
    # In any form that dispatch takes
    phone_number: str


class Done(TypedDict):
    success: Literal[True]


class EndedSessions(TypedDict):
    # How many sessions have ended
    ended: int


class Error(TypedDict):
    detail: ErrorDetail


class ErrorDetail(TypedDict):
    # Stable: decide by it
    code: str
    # For people
    message: str


class ExperienceConversationalExperienceBgNoise(TypedDict):
    """Background noise, also in the recording"""
    # Whether noise is played and recorded
    enabled: NotRequired[bool | None]
    # Volume of the noise
    volume: NotRequired[float | None]
    # `office`, `cafe`, `call_center`, `street`, `room`, `white_noise`; others sound like an office
    sound: NotRequired[str | None]


class ExperienceConversationalExperienceFillerWords(TypedDict):
    """Words that fill a pause"""
    # Share of answers that begin with a filler word while the model is still thinking; 0 = never
    filler_words_frequency: NotRequired[float | None]
    # The words, used in rotation
    filler_words_list: NotRequired[list[str] | None]


class ExperienceConversationalExperience(TypedDict):
    """Style of the conversation"""
    # Background noise, also in the recording
    bg_noise: NotRequired[ExperienceConversationalExperienceBgNoise | None]
    # Words that fill a pause
    filler_words: NotRequired[ExperienceConversationalExperienceFillerWords | None]
    # Silence after the last word before the agent speaks: slow 1.2 s, balanced 0.5 s, fast 0.2 s. If the speaker does not sound finished, balanced waits 1.5 s and fast 1 s, and fast assumes so less often. A fast agent begins its answer before the end of the turn is certain
    eagerness_to_speak: NotRequired[Literal["slow", "balanced", "fast", None]]
    # Audible breathing. Stored only, because the interface does not define its shape
    breathing_sound: NotRequired[dict[str, Json] | None]
    # Waiting for incomplete input, such as a number with too few digits, or a turn that ends with "and" or a comma. End-of-turn detection works as with the next slower `eagerness_to_speak`
    patience_with_user_entries: NotRequired[dict[str, Json] | None]
    # Detected mood to behaviour, for the model. Moods are detected from words, not from the voice
    mood_mapping: NotRequired[dict[str, Json] | None]


class ExperienceSettingsIdleConversationSettings(TypedDict):
    """Silence on both sides"""
    # Ask a quiet user once per silence whether they are still there
    pulse_check: NotRequired[bool | None]
    # End the call when the user stays quiet
    end_conversation_on_idle: NotRequired[bool | None]
    # Silence before the call ends, measured from the warning if there is one. In seconds
    idle_call_hangup_timeout: NotRequired[int | None]
    # Silence on both sides before the warning. In seconds
    idle_call_warning_timeout: NotRequired[int | None]
    # Said before the call ends
    idle_call_hangup_message: NotRequired[str | None]
    # Said as the warning
    idle_call_warning_message: NotRequired[str | None]


class ExperienceSettingsEndCall(TypedDict):
    """Phrase that ends the call"""
    # Whether a phrase ends the call
    enabled: NotRequired[bool | None]
    # The phrase, said by the agent or the user: whole words, any case. It takes effect once the agent has finished saying it or has answered it
    end_call_phrase: NotRequired[str | None]
    # Time from the phrase to the end of the call; more than 60 counts as 60. In seconds
    hangup_timeout: NotRequired[int | None]


class ExperienceSettingsCallSettings(TypedDict):
    """Limits of a call"""
    # Maximum duration of the conversation. In minutes
    max_call_duration: NotRequired[int | None]
    # Whether this limit applies; otherwise it is 60 minutes
    max_duration_enabled: NotRequired[bool | None]
    # Detect answering machines on outbound calls within 12 s, by continuous speech and by phrases. Call screening counts as a person
    enable_voicemail_detection: NotRequired[bool | None]
    # What to do with an answering machine
    action: NotRequired[Literal["hang_up", "leave_message", None]]
    # Message for `leave_message`, left once the machine has paused for 1.5 s
    end_call_message: NotRequired[str | None]


class ExperienceSettingsRecording(TypedDict):
    """Recording of the call"""
    # Whether the call is recorded
    enabled: NotRequired[bool | None]
    # Said before the greeting of a recorded call, cannot be interrupted; may hold {{variables}}. The recording starts after it; if it cannot be said, the call is not recorded
    disclosure: NotRequired[str | None]


class ExperienceSettings(TypedDict):
    """When calls warn, end and leave messages"""
    # Silence on both sides
    idle_conversation_settings: NotRequired[ExperienceSettingsIdleConversationSettings | None]
    # Phrase that ends the call
    end_call: NotRequired[ExperienceSettingsEndCall | None]
    # Limits of a call
    call_settings: NotRequired[ExperienceSettingsCallSettings | None]
    # Recording of the call
    recording: NotRequired[ExperienceSettingsRecording | None]


class Experience(TypedDict):
    """Style of the conversation and when it ends"""
    # Style of the conversation
    conversational_experience: NotRequired[ExperienceConversationalExperience | None]
    # When calls warn, end and leave messages
    settings: NotRequired[ExperienceSettings | None]


class FoundContact(TypedDict):
    campaign_id: str
    campaign_name: str
    # The file's row; the header is 1
    row: int
    name: str
    # E.164
    phone_number: str
    state: Literal["pending", "in_progress", "completed", "failed", "duplicate", "dnd", "invalid", "cancelled", "expired"]


class FoundContactPage(TypedDict):
    data: list[FoundContact]
    pagination: Pagination


class Health(TypedDict):
    parts: list[PartHealth]


class HungUp(TypedDict):
    # Always true
    success: bool
    call_id: str
    # Where the call stands; it becomes final when the line is free
    call_status: str


class InputFault(TypedDict):
    # Where: body, query, path or header, then the way to the field
    loc: list[str | float]
    # What is wrong
    msg: str
    type: str


class IssuedApiKey(TypedDict):
    id: str
    name: str | None
    # The first twelve characters of the key
    prefix: str
    # What it may do
    scopes: list[Literal["read", "operate", "configure"]]
    # The key that made it, with which it is revoked; null where the operator made it
    made_by: str | None
    created_at: str
    # To the minute
    last_used_at: str | None
    # Null for never
    expires_at: str | None
    revoked_at: str | None
    state: Literal["valid", "expired", "revoked"]
    # The key, shown this once: only its hash is stored
    key: str


class KeptConversation(TypedDict):
    # Its name in the list
    title: str
    # Template variables, as `metadata` of a dispatch: at most 100 keys and 16 KiB of JSON
    variables: NotRequired[dict[str, Json]]
    # In order
    turns: list[KeptTurn]


class KeptConversations(TypedDict):
    conversations: list[KeptConversation]


class KeptTurn(TypedDict):
    # What the person types. Only a first turn may be without: what the agent says by itself
    user: NotRequired[str]
    expect: NotRequired[TurnExpectations]


Key: TypeAlias = "str"


class KeySession(TypedDict):
    # Names the session; it does not open it
    id: str
    created_at: str
    expires_at: str
    # The client address of the sign-in
    address: str | None
    # Whether the request came with it
    is_current: bool


class KeySessionList(TypedDict):
    data: list[KeySession]


class Limits(TypedDict):
    # Most calls of the client at once
    max_concurrency: int
    # Of these, calls of callers at once
    caller_lines: int
    # Calls that hold a line now
    live_calls: int
    # Calls that wait for a line now
    waiting_calls: int
    rate_limits: RateLimits
    brakes: Brakes
    # Numbers in E.164 that only the client may call from and answer
    numbers: list[str]
    # What the organization may keep
    quotas: list[Quota]
    # What the key of the request may do
    scopes: list[Literal["read", "operate", "configure"]]


class ListeningSession(TypedDict):
    # Credential for the real-time server, valid for a minute
    token: str
    room_name: str
    # Where the client connects with the token
    connection_url: str


class ModifyAgent(TypedDict):
    """Merged over the stored configuration for this call only"""
    persona: NotRequired[Persona | None]
    training: NotRequired[Training | None]
    experience: NotRequired[Experience | None]
    analysis: NotRequired[Analysis | None]


class NewApiKey(TypedDict):
    # What it is for
    name: str
    # What it may do; the key of the request must have each of them
    scopes: list[Literal["read", "operate", "configure"]]
    # A date or a timestamp, UTC. Unless given: never, or when the key of the request expires; in 90 days where a session of the console makes it
    expires_at: NotRequired[str]


class NewDoNotDisturbNumber(TypedDict):
    # In any form that dispatch takes
    phone_number: str
    # Where it came from
    source: NotRequired[str]


class Pagination(TypedDict):
    # This page, from 1
    page: int
    # Most items on a page
    page_size: int
    # Items on all pages. Those that a filter finds are counted up to 10,000
    total_count: int
    # Pages
    total_pages: int
    has_next: bool
    has_previous: bool


class PartHealth(TypedDict):
    part: Literal["database", "temporal", "workers", "storage", "livekit", "carrier"]
    status: Literal["up", "degraded", "down"]
    # Null of a part that is up. `not_seen`: no worker asks for work. `dials_fail`: the carrier fails dials
    reason: Literal["no_answer", "refused", "read_only", "not_seen", "dials_fail", None]
    # Null of a part that is up, and where it is not known
    since: str | None


class PersonaIdentityGreetingMessage(TypedDict):
    """How the conversation opens"""
    # Opening text; may hold {{variables}}. If empty, the model begins. A custom-LLM server may greet instead. Without a voice, the agent plays a chime and shows the text
    agent_message: NotRequired[str | None]
    # Wait before the greeting, if the agent speaks first. In seconds
    agent_speech_delay: NotRequired[int | None]
    # Silence after the user's first words before the greeting. In seconds. 0.5 unless set
    user_speech_delay: NotRequired[int | None]
    # Whether half a second of speech interrupts the opening. If false, speech during the opening is ignored
    interruptible: NotRequired[bool | None]
    # Whether the agent greets only after the user's first words. A session with a `welcome_message` is greeted at once
    let_user_speak_first: NotRequired[bool | None]


class PersonaIdentity(TypedDict):
    """Who the agent is"""
    # Main prompt, at the beginning of the model's instructions; may hold {{variables}}. An agent without one is `initialized`, not `running`
    system_prompt: NotRequired[str | None]
    # Trait to value, for the model
    personality: NotRequired[dict[str, Json] | None]
    # How the conversation opens
    greeting_message: NotRequired[PersonaIdentityGreetingMessage | None]


class PersonaSensesCapabilitiesEarsSttPrimary(TypedDict):
    """First choice"""
    # Speech-to-text provider
    provider: NotRequired[str | None]
    # Model; the provider's usual one unless set
    model: NotRequired[str | None]
    # Language code for recognition; the agent's language unless set
    language: NotRequired[str | None]
    # Words whose recognition is boosted, with Deepgram (`keyterm`, before nova-3 `keywords`), ElevenLabs (`keyterms`) and OpenAI-compatible servers (`prompt`), not with Cartesia and Sarvam
    keywords: NotRequired[list[Json] | None]


class PersonaSensesCapabilitiesEarsSttFallback(TypedDict):
    """Takes over if the first choice fails, from the same utterance or, with a stream, from the failure on"""
    # Speech-to-text provider
    provider: NotRequired[str | None]
    # Model; the provider's usual one unless set
    model: NotRequired[str | None]
    # Language code for recognition; the agent's language unless set
    language: NotRequired[str | None]
    # Words whose recognition is boosted, with Deepgram (`keyterm`, before nova-3 `keywords`), ElevenLabs (`keyterms`) and OpenAI-compatible servers (`prompt`), not with Cartesia and Sarvam
    keywords: NotRequired[list[Json] | None]


class PersonaSensesCapabilitiesEarsStt(TypedDict):
    """Speech to text"""
    # First choice
    primary: NotRequired[PersonaSensesCapabilitiesEarsSttPrimary | None]
    # Takes over if the first choice fails, from the same utterance or, with a stream, from the failure on
    fallback: NotRequired[PersonaSensesCapabilitiesEarsSttFallback | None]


class PersonaSensesCapabilitiesEars(TypedDict):
    """Hearing"""
    # Speech to text
    stt: NotRequired[PersonaSensesCapabilitiesEarsStt | None]


class PersonaSensesCapabilitiesBrainLlmPrimaryParameters(TypedDict):
    """Sampling, sent with each request; the server decides unless set"""
    # Sampling temperature
    temperature: NotRequired[float | None]
    # Nucleus sampling
    top_p: NotRequired[float | None]
    # Longest answer (`max_completion_tokens`). In tokens
    max_tokens: NotRequired[int | None]


class PersonaSensesCapabilitiesBrainLlmPrimary(TypedDict):
    """First choice"""
    # Language model provider
    provider: NotRequired[str | None]
    # Model; the provider's usual one unless set
    model: NotRequired[str | None]
    # Sampling, sent with each request; the server decides unless set
    parameters: NotRequired[PersonaSensesCapabilitiesBrainLlmPrimaryParameters | None]
    # For the provider `custom`: address of the server; the call id is appended
    url: NotRequired[str | None]
    # For the provider `custom`: bearer token, shown masked; sending the mask keeps it
    auth_token: NotRequired[str | None]


class PersonaSensesCapabilitiesBrainLlmFallbackParameters(TypedDict):
    """Sampling, sent with each request; the server decides unless set"""
    # Sampling temperature
    temperature: NotRequired[float | None]
    # Nucleus sampling
    top_p: NotRequired[float | None]
    # Longest answer (`max_completion_tokens`). In tokens
    max_tokens: NotRequired[int | None]


class PersonaSensesCapabilitiesBrainLlmFallback(TypedDict):
    """Answers if the first choice fails, has no first word within five seconds or ends without a word. The first choice is retried meanwhile"""
    # Language model provider
    provider: NotRequired[str | None]
    # Model; the provider's usual one unless set
    model: NotRequired[str | None]
    # Sampling, sent with each request; the server decides unless set
    parameters: NotRequired[PersonaSensesCapabilitiesBrainLlmFallbackParameters | None]


class PersonaSensesCapabilitiesBrainLlm(TypedDict):
    """Language model"""
    # First choice
    primary: NotRequired[PersonaSensesCapabilitiesBrainLlmPrimary | None]
    # Answers if the first choice fails, has no first word within five seconds or ends without a word. The first choice is retried meanwhile
    fallback: NotRequired[PersonaSensesCapabilitiesBrainLlmFallback | None]


class PersonaSensesCapabilitiesBrain(TypedDict):
    """Thinking"""
    # Language model
    llm: NotRequired[PersonaSensesCapabilitiesBrainLlm | None]
    # Stored only, because nothing defines which model serves which language
    auto_detect_llm: NotRequired[bool | None]


class PersonaSensesCapabilitiesMouthTtsPrimary(TypedDict):
    """First choice"""
    # Text-to-speech provider
    provider: NotRequired[str | None]
    # Model; the provider's usual one unless set
    model: NotRequired[str | None]
    # Voice; the `voice` of a telephony dispatch overrides it. With Deepgram, set `model` instead
    voice_id: NotRequired[str | None]
    # Name of the voice, if there is no `voice_id`
    voice_name: NotRequired[str | None]
    # `speed`; `instructions` (OpenAI-compatible); `stability`, `similarity_boost`, `style`, `use_speaker_boost` (ElevenLabs); `volume`, `emotion` (Cartesia); `pace`, `pitch`, `loudness` (Sarvam); `voices: {male, female}` (any)
    config: NotRequired[dict[str, Json] | None]


class PersonaSensesCapabilitiesMouthTtsFallback(TypedDict):
    """Speaks if the first choice fails"""
    # Text-to-speech provider
    provider: NotRequired[str | None]
    # Model; the provider's usual one unless set
    model: NotRequired[str | None]
    # Voice; the `voice` of a telephony dispatch overrides it. With Deepgram, set `model` instead
    voice_id: NotRequired[str | None]
    # Name of the voice, if there is no `voice_id`
    voice_name: NotRequired[str | None]
    # `speed`; `instructions` (OpenAI-compatible); `stability`, `similarity_boost`, `style`, `use_speaker_boost` (ElevenLabs); `volume`, `emotion` (Cartesia); `pace`, `pitch`, `loudness` (Sarvam); `voices: {male, female}` (any)
    config: NotRequired[dict[str, Json] | None]


class PersonaSensesCapabilitiesMouthTts(TypedDict):
    """Text to speech"""
    # First choice
    primary: NotRequired[PersonaSensesCapabilitiesMouthTtsPrimary | None]
    # Speaks if the first choice fails
    fallback: NotRequired[PersonaSensesCapabilitiesMouthTtsFallback | None]
    # Word to pronunciation, for whole words in any case. Captions and transcript keep the word
    word_pronunciation_pairs: NotRequired[dict[str, Json] | None]


class PersonaSensesCapabilitiesMouth(TypedDict):
    """Speaking"""
    # Text to speech
    tts: NotRequired[PersonaSensesCapabilitiesMouthTts | None]


class PersonaSensesCapabilities(TypedDict):
    """Hearing, thinking and speaking"""
    # Language code, such as `en` or `hi`, for recognition, voice and model
    language: NotRequired[str | None]
    # Whether the user's language is detected, so that the model follows it
    auto_detect: NotRequired[bool | None]
    # Hearing
    ears: NotRequired[PersonaSensesCapabilitiesEars | None]
    # Thinking
    brain: NotRequired[PersonaSensesCapabilitiesBrain | None]
    # Speaking
    mouth: NotRequired[PersonaSensesCapabilitiesMouth | None]


class Persona(TypedDict):
    """Who the agent is and how it hears, thinks and speaks"""
    # Who the agent is
    identity: NotRequired[PersonaIdentity | None]
    # Hearing, thinking and speaking
    senses_capabilities: NotRequired[PersonaSensesCapabilities | None]
    # Custom actions. Secret headers are shown masked; sending the mask keeps the secret
    actions: NotRequired[dict[str, Json] | None]
    # Name to text, for the model
    memories: NotRequired[dict[str, Json] | None]
    # Variables for prompts and flows; variables of the contact or the dispatch override them
    metadata: NotRequired[dict[str, Json] | None]


class PreviewContactFile(TypedDict):
    # Contacts, 1 to 10,000: .csv (UTF-8), .xlsx or .xls, at most 10 MiB, with the columns name and phone_number
    csv_file: File


class Quota(TypedDict):
    name: Literal["campaigns", "contacts", "contact_file_bytes", "agents", "agent_bytes", "webhook_deliveries", "dnd_numbers"]
    # What the organization keeps now
    used: int
    # What it may keep; null is no limit
    limit: int | None


class RateLimits(TypedDict):
    # Dispatches; 0 is no limit
    dispatch_per_minute: int
    # All other requests; 0 is no limit
    other_per_minute: int


class Redelivered(TypedDict):
    # Pending again
    redelivered: int
    # Match too and were left for another request: over `limit`, or over the 1,000 of a client that may be on their way
    skipped: int


RedeliveryRequest = TypedDict("RedeliveryRequest", {"campaign_id": "NotRequired[str]", "call_id": "NotRequired[str]", "status": "NotRequired[Literal[\"failed\", \"delivered\"]]", "from": "NotRequired[str]", "to": "NotRequired[str]", "limit": "NotRequired[int]"})


class ReplaceConversations(TypedDict):
    conversations: list[KeptConversation]


class RestoreVersion(TypedDict):
    # One of the list of versions
    version: int


class RotatedSecret(TypedDict):
    id: str
    # Shown this once
    secret: str
    # At the latest
    older_sign_until: str


class SecretRotation(TypedDict):
    # How long the old secret signs beside the new one; 0 ends all old ones at once
    overlap_hours: NotRequired[int]


class SectionUpdated(TypedDict):
    success: Literal[True]
    # Which section was updated
    message: str


class SessionDispatch(TypedDict):
    # The agent's id, or its agent_name
    agent_id: str
    # Template variables for the agent's prompt: at most 100 keys and 16 KiB of JSON
    metadata: NotRequired[dict[str, Json]]
    modify_agent: NotRequired[ModifyAgent | None]
    voice_gender: NotRequired[Literal["male", "female"]]
    primary_language: NotRequired[str]
    secondary_language: NotRequired[str]
    # Overrides the default greeting
    welcome_message: NotRequired[str]
    welcome_interruptible: NotRequired[bool]
    bg_noise_enabled: NotRequired[bool]
    bg_noise_volume: NotRequired[int]
    voice_speed: NotRequired[float]
    # A browser session
    medium: Literal["webrtc"]


class SimulateCampaign(TypedDict):
    # Contacts, 1 to 10,000: .csv (UTF-8), .xlsx or .xls, at most 10 MiB, with the columns name and phone_number
    csv_file: File
    # At most 255 characters
    campaign_name: str
    # Most calls at once, up to the organization's maximum
    concurrency: int
    # First day, UTC
    from_date: str
    # Last day, UTC
    to_date: str
    # UTC, inclusive, 02:30-14:29
    start_time: str
    # UTC, exclusive, 02:30-14:29
    end_time: str
    # Comma-separated lowercase weekday names
    days_of_week: str
    # Most dials of a contact, 1-10; 1 is no redial
    max_retries: NotRequired[int]
    # Minutes from the end of a dial to the next, 0-1440
    retry_delay_mins: NotRequired[int]
    # Comma-separated, at most 5
    notification_emails: NotRequired[str]
    # Notified of changes of the status
    campaign_webhook_url: NotRequired[str]
    # Notified of each call
    per_call_webhook_url: NotRequired[str]
    # The agent that calls: its id or agent_name
    agent_id: str
    # Whether do-not-disturb lists are checked
    perform_dnd_check: NotRequired[bool]
    # Share of first dials that are answered, voicemail included
    assumed_answer_rate: NotRequired[float]
    # Share of redials that are answered; that of first dials unless given
    assumed_redial_answer_rate: NotRequired[float]
    # Talk of an answered call; at most the agent's longest
    assumed_talk_seconds: NotRequired[float]
    # From the dial to the answer, or to the end of a dial that nobody answers
    assumed_ring_seconds: NotRequired[float]
    # Share of contacts that a do-not-disturb list names; counts only with perform_dnd_check
    assumed_dnd_rate: NotRequired[float]
    # When the campaign would be created; now unless given
    starts_at: NotRequired[str]


class SimulatedCampaignLines(TypedDict):
    # The least of the campaign's concurrency and the organization's maximum
    used_at_most: int
    campaign: int
    organization: int
    # All of them are taken to be free
    assumption: str


class SimulatedCampaignContacts(TypedDict):
    """By the state that they end in; they add up"""
    total: int
    # Answered
    completed: int
    # Not answered by the last dial
    failed: int
    duplicate: int
    dnd: int
    expired: int
    # None unless a brake stops the campaign
    pending: int


class SimulatedCampaignExpired(TypedDict):
    """Contacts that do not fit before the end of the last window"""
    total: int
    # The others were dialled, and a redial no longer fitted
    never_dialled: int
    # Of the file, the first hundred
    rows: list[int]


class SimulatedCampaignAssumptions(TypedDict):
    """As they were read, defaults filled in"""
    starts_at: str
    assumed_answer_rate: float
    assumed_redial_answer_rate: float
    assumed_talk_seconds: float
    assumed_ring_seconds: float
    assumed_dnd_rate: float
    credits_per_minute: float
    # The platform's pace for each trunk; null for none
    calls_per_second: float | None
    # Credits of a day at which a brake stops the campaign; null for none
    spend_per_day: float | None


class SimulatedCampaign(TypedDict):
    # paused where the limit of a day's spend would stop it, until a person resumes it
    status: Literal["completed", "paused"]
    finishes_at: str | None
    paused_at: str | None
    # Dials
    total_calls: int
    answered_calls: int
    # Most calls at once
    peak_lines: int
    # Credits
    cost: float
    lines: SimulatedCampaignLines
    # By the state that they end in; they add up
    contacts: SimulatedCampaignContacts
    # Contacts that do not fit before the end of the last window
    expired: SimulatedCampaignExpired
    # Days with a dial, the first 5,000
    calls_per_day: list[SimulatedPeriod]
    # How many such days there are
    calls_per_day_total: int
    # Hours with a dial, the first 5,000
    calls_per_hour: list[SimulatedPeriod]
    # How many such hours there are
    calls_per_hour_total: int
    # As they were read, defaults filled in
    assumptions: SimulatedCampaignAssumptions


SimulatedPeriod = TypedDict("SimulatedPeriod", {"from": "str", "calls": "int", "answered": "int"})


class StoredAgentConfig(TypedDict):
    """Every section as stored; those never set are empty"""
    persona: dict[str, Json]
    training: dict[str, Json]
    experience: dict[str, Json]
    analysis: dict[str, Json]
    deployment: dict[str, Json]


class TrainingKnowledge(TypedDict):
    """Retrieval"""
    # Whether the model gets up to four passages of questions and knowledge that match the words of the user, before each turn
    use_rag: NotRequired[bool | None]
    # Knowledge for `use_rag`: name to text or to a nested map, up to four levels and a million characters in total. URLs and files are not fetched
    rag_knowledge_base_dict: NotRequired[dict[str, Json] | None]


class TrainingKnowHowGuardrailsCustomRulesItem(TypedDict):
    """One of the organization's rules"""
    # Name of the rule
    name: NotRequired[str | None]
    # Phrases that trigger it: whole words, any case and punctuation
    triggers: NotRequired[list[str] | None]
    # Whether the rule applies
    active: NotRequired[bool | None]
    # The reaction; any other word acts as `block`
    handlingType: NotRequired[str | None]
    # The agent's answer when the rule applies
    response: NotRequired[str | None]


class TrainingKnowHowGuardrails(TypedDict):
    """Topics that the agent must avoid"""
    # `basic`: blocks the selected topics in the agent's speech. `medium`: also checks the user's words, and asks the model to return to the topic, invent nothing and keep its role. `strict`: blocks all topics, and attempts to override the instructions. Any other word acts as `medium`
    level: NotRequired[str | None]
    # Block violence: such sentences of the agent are replaced, and the model is asked to avoid the topic
    violence: NotRequired[bool | None]
    # Block sexual content
    sexual: NotRequired[bool | None]
    # Block threats (existing API clients use this spelling)
    threatning: NotRequired[bool | None]
    # The organization's rules
    custom_rules: NotRequired[list[TrainingKnowHowGuardrailsCustomRulesItem] | None]


class TrainingKnowHow(TypedDict):
    """Questions, pain points and guardrails"""
    # Question to answer. Without `use_rag`, up to 12,000 characters are part of the instructions; an agent without a model answers from them
    faq: NotRequired[dict[str, Json] | None]
    # Pain point to resolution, for the model
    pain_points: NotRequired[dict[str, Json] | None]
    # Topics that the agent must avoid
    guardrails: NotRequired[TrainingKnowHowGuardrails | None]


class Training(TypedDict):
    """The agent's knowledge"""
    # Retrieval
    knowledge: NotRequired[TrainingKnowledge | None]
    # Questions, pain points and guardrails
    know_how: NotRequired[TrainingKnowHow | None]


class Transcript(TypedDict):
    call_id: str
    # Lines prefixed AGENT: and USER:
    transcript: str
    segments: list[TranscriptSegment]


class TranscriptSegment(TypedDict):
    speaker: Literal["agent", "user"]
    text: str
    start_ms: int
    end_ms: int


class TurnExpectations(TypedDict):
    """All must be met. With the names and meanings of scripted conversations in files"""
    # All of them are said, in any case
    contains: NotRequired[list[str]]
    # At least one of them is said
    contains_any: NotRequired[list[str]]
    # None of them is said
    not_contains: NotRequired[list[str]]
    # The agent says nothing; or, false, it says something
    says_nothing: NotRequired[bool]
    # It says no more words
    max_words: NotRequired[int]
    # It has ended the call; or, false, it has not
    ends: NotRequired[bool]


class UpdatedCampaign(TypedDict):
    id: str
    campaign_name: str
    # paused is what a person asked for; scheduled before from_date and paused_out_of_range outside window and weekdays are the service's own
    campaign_status: Literal["scheduled", "active", "paused", "paused_out_of_range", "completed", "cancelled"]
    # Comma-separated
    days_of_week: str
    # UTC, inclusive
    time_range_from: str
    # UTC, exclusive
    time_range_to: str
    call_concurrency: int
    updated_at: str


class UsedModel(TypedDict):
    # Hearing, thinking or speaking
    kind: Literal["stt", "llm", "tts"]
    provider: str
    model: str
    # What it was used for
    purpose: Literal["conversation", "analysis"]
    input_tokens: int
    # Of the input, those that the provider had read before
    cached_tokens: int
    output_tokens: int
    characters: int
    audio_ms: int
    requests: int
    # In the currency of the operator's rates; null where there is none for it
    cost: float | None


class ValidationError(TypedDict):
    detail: list[InputFault]


class VersionRestored(TypedDict):
    success: Literal[True]
    # The current version from now on
    version: int


class WebhookDelivery(TypedDict):
    id: str
    # The same in every retry and redelivery
    event_id: str
    # Name of the event
    event: str
    url: str
    campaign_id: str | None
    call_id: str | None
    status: Literal["pending", "delivered", "failed"]
    attempts: list[DeliveryAttempt]
    next_attempt_at: str | None


class WebhookDeliveryDetails(TypedDict):
    id: str
    # The same in every retry and redelivery
    event_id: str
    # Name of the event
    event: str
    url: str
    campaign_id: str | None
    call_id: str | None
    status: Literal["pending", "delivered", "failed"]
    attempts: list[DeliveryAttempt]
    next_attempt_at: str | None
    # JSON to the byte as it is signed and sent; a transcript, a summary or a contact that was erased since is empty in it
    body: str


class WebhookSecret(TypedDict):
    """Never the secret itself."""
    id: str
    created_at: str
    # It signs until then; null for no end
    expires_at: str | None
    state: Literal["valid", "expired"]


class WebhookSecrets(TypedDict):
    data: list[WebhookSecret]


class CampaignStatusChangedEvent(TypedDict):
    event: Literal["campaign.status_changed"]
    # The same in every retry and redelivery; ignore an id that you have seen
    event_id: str
    campaign_id: str
    campaign_name: str
    # The last announced status
    old_status: Literal["active", "paused", "completed", "cancelled"]
    new_status: Literal["active", "paused", "completed", "cancelled"]
    timestamp: str
    stats: CampaignStats
    # Why the campaign was paused automatically; absent if a person paused it
    status_reason: NotRequired[str]


class CampaignCompletedEvent(TypedDict):
    event: Literal["campaign.completed"]
    # The same in every retry and redelivery; ignore an id that you have seen
    event_id: str
    campaign_id: str
    campaign_name: str
    # The last announced status
    old_status: Literal["active", "paused", "completed", "cancelled"]
    new_status: Literal["active", "paused", "completed", "cancelled"]
    timestamp: str
    stats: CampaignStats
    started_at: str
    ended_at: str


class CampaignCancelledEvent(TypedDict):
    event: Literal["campaign.cancelled"]
    # The same in every retry and redelivery; ignore an id that you have seen
    event_id: str
    campaign_id: str
    campaign_name: str
    # The last announced status
    old_status: Literal["active", "paused", "completed", "cancelled"]
    new_status: Literal["active", "paused", "completed", "cancelled"]
    timestamp: str
    stats: CampaignStats
    started_at: str
    ended_at: str


class CallCompletedEventContact(TypedDict):
    name: str
    # E.164
    phone: str


class CallCompletedEvent(TypedDict):
    event: Literal["call.completed"]
    # The same in every retry and redelivery; ignore an id that you have seen
    event_id: str
    call_id: str
    campaign_id: str
    campaign_name: str
    contact: CallCompletedEventContact
    # As in the call history
    call_status: str
    # Duration of the conversation
    call_duration_seconds: int
    # The business result, or `call_status` if there is none
    call_outcome: str
    call_tags: list[str]
    # Lines prefixed with `AGENT:` and `USER:`; empty if the call was not answered
    transcript: str
    summary: str
    timestamp: str
    # `true` for a callback that the person requested in an earlier call; otherwise absent
    is_callback: NotRequired[bool]
    # `true` if the person opted out of calls; otherwise absent
    do_not_call: NotRequired[bool]


class CallNoAnswerEventContact(TypedDict):
    name: str
    # E.164
    phone: str


class CallNoAnswerEvent(TypedDict):
    event: Literal["call.no_answer"]
    # The same in every retry and redelivery; ignore an id that you have seen
    event_id: str
    call_id: str
    campaign_id: str
    campaign_name: str
    contact: CallNoAnswerEventContact
    # As in the call history
    call_status: str
    # Duration of the conversation
    call_duration_seconds: int
    # The business result, or `call_status` if there is none
    call_outcome: str
    call_tags: list[str]
    # Lines prefixed with `AGENT:` and `USER:`; empty if the call was not answered
    transcript: str
    summary: str
    timestamp: str
    # `true` for a callback that the person requested in an earlier call; otherwise absent
    is_callback: NotRequired[bool]
    # `true` if the person opted out of calls; otherwise absent
    do_not_call: NotRequired[bool]
    # Number of the contact's dial; for a callback, the last dial before it
    attempt: int
    max_attempts: int
    failure_reason: str
    # Whether the contact is dialled again
    will_retry: bool
    next_attempt_at: str | None


class CallFailedEventContact(TypedDict):
    name: str
    # E.164
    phone: str


class CallFailedEvent(TypedDict):
    event: Literal["call.failed"]
    # The same in every retry and redelivery; ignore an id that you have seen
    event_id: str
    call_id: str
    campaign_id: str
    campaign_name: str
    contact: CallFailedEventContact
    # As in the call history
    call_status: str
    # Duration of the conversation
    call_duration_seconds: int
    # The business result, or `call_status` if there is none
    call_outcome: str
    call_tags: list[str]
    # Lines prefixed with `AGENT:` and `USER:`; empty if the call was not answered
    transcript: str
    summary: str
    timestamp: str
    # `true` for a callback that the person requested in an earlier call; otherwise absent
    is_callback: NotRequired[bool]
    # `true` if the person opted out of calls; otherwise absent
    do_not_call: NotRequired[bool]
    # Number of the contact's dial; for a callback, the last dial before it
    attempt: int
    max_attempts: int
    failure_reason: str
    # Whether the contact is dialled again
    will_retry: bool
    next_attempt_at: str | None


WebhookEvent: TypeAlias = "CampaignStatusChangedEvent | CampaignCompletedEvent | CampaignCancelledEvent | CallCompletedEvent | CallNoAnswerEvent | CallFailedEvent"


class ConnectedFrame(TypedDict):
    type: Literal["connected"]
    call_id: str
    # As in the call history
    call_status: str
    # Null until somebody answers
    answered_at: str | None


class CaptionSegment(TypedDict):
    # Of a final one its own for good; that of an interim one stands for what this speaker is saying just now
    id: str
    call_id: str
    event_type: Literal["final", "interim"]
    speaker: Literal["agent", "user"]
    text: str
    # Seconds since the epoch: when speaking it began; of an interim one, when the agent reported it
    timestamp: float
    is_final: bool
    segment_index: int
    was_interrupted: bool
    # 0 to 1
    confidence: float | None
    language: str | None
    # Where to resume, as ?after=. Null of an interim one, which cannot be resumed from
    seq: int | None


class HistoryFrame(TypedDict):
    type: Literal["history"]
    call_id: str
    segments: list[CaptionSegment]


class CallStartedFrame(TypedDict):
    type: Literal["call_started"]
    call_id: str
    # Seconds since the epoch
    timestamp: float


class TranscriptFrame(TypedDict):
    type: Literal["transcript"]
    call_id: str
    segment: CaptionSegment


class TurnStartedFrame(TypedDict):
    type: Literal["turn_started"]
    call_id: str
    # Seconds since the epoch
    timestamp: float
    speaker: Literal["agent", "user"]


class TurnEndedFrame(TypedDict):
    type: Literal["turn_ended"]
    call_id: str
    # Seconds since the epoch
    timestamp: float
    speaker: Literal["agent", "user"]


class AgentThinkingFrame(TypedDict):
    type: Literal["agent_thinking"]
    call_id: str
    # Seconds since the epoch
    timestamp: float


class InterruptedFrame(TypedDict):
    type: Literal["interrupted"]
    call_id: str
    # Seconds since the epoch
    timestamp: float


class CallEndedFrame(TypedDict):
    type: Literal["call_ended"]
    call_id: str
    # Seconds since the epoch
    timestamp: float
    # As in the call history
    call_status: str


CaptionFrame: TypeAlias = "ConnectedFrame | HistoryFrame | CallStartedFrame | TranscriptFrame | TurnStartedFrame | TurnEndedFrame | AgentThinkingFrame | InterruptedFrame | CallEndedFrame"


class GetAgentsQuery(TypedDict):
    # Part of the display name or the slug
    search: NotRequired[str]
    # From 1. When omitted the answer is a bare array of all agents
    page: NotRequired[int]
    # Most agents on a page
    page_size: NotRequired[int]
    # Leaves out agents that are not published
    published_only: NotRequired[bool]


class AgentIdPath(TypedDict):
    agent_id: str


class GetAgentAgentIdQuery(TypedDict):
    # Answers `config` as this version had it; all other fields are of now
    version: NotRequired[int]


class GetAgentAgentIdVersionsQuery(TypedDict):
    # From 1. One that begins after 10,000 rows of a list is refused
    page: NotRequired[int]
    # Most items on a page
    page_size: NotRequired[int]


GetCallHistoryQuery = TypedDict("GetCallHistoryQuery", {"page": "NotRequired[int]", "page_size": "NotRequired[int]", "agent_id": "NotRequired[str]", "campaign_id": "NotRequired[str]", "call_id": "NotRequired[str]", "status": "NotRequired[str]", "from": "NotRequired[str]", "to": "NotRequired[str]", "search": "NotRequired[str]"})


class CallIdPath(TypedDict):
    call_id: str


class GetTranscriptCallIdQuery(TypedDict):
    # For who cannot set a header
    format: NotRequired[Literal["json", "text"]]


class CampaignIdPath(TypedDict):
    campaign_id: str


class GetCampaignsQuery(TypedDict):
    # From 1. One that begins after 10,000 rows of a list is refused
    page: NotRequired[int]
    # Most items on a page
    page_size: NotRequired[int]
    # Campaigns with this status
    status: NotRequired[Literal["scheduled", "active", "paused", "paused_out_of_range", "completed", "cancelled"]]


class GetCampaignsCampaignIdContactsQuery(TypedDict):
    # From 1. One that begins after 10,000 rows of a list is refused
    page: NotRequired[int]
    # Most items on a page
    page_size: NotRequired[int]
    # Contacts in this state
    state: NotRequired[Literal["pending", "in_progress", "completed", "failed", "duplicate", "dnd", "invalid", "cancelled", "expired"]]
    # A phone number in any form that dispatch takes, or the beginning of a name
    search: NotRequired[str]


class GetContactsQuery(TypedDict):
    # From 1. One that begins after 10,000 rows of a list is refused
    page: NotRequired[int]
    # Most items on a page
    page_size: NotRequired[int]
    # A phone number in any form that dispatch takes, or the beginning of a name
    search: NotRequired[str]


class GetCampaignsCampaignIdReportQuery(TypedDict):
    # The kind of file
    format: NotRequired[Literal["csv", "xlsx"]]


class GetWebhookDeliveriesQuery(TypedDict):
    # From 1. One that begins after 10,000 rows of a list is refused
    page: NotRequired[int]
    # Most items on a page
    page_size: NotRequired[int]
    # Events of this campaign and its calls
    campaign_id: NotRequired[str]
    # Events of this call
    call_id: NotRequired[str]
    status: NotRequired[Literal["pending", "delivered", "failed"]]


class DeliveryIdPath(TypedDict):
    delivery_id: str


class GetDoNotDisturbQuery(TypedDict):
    # From 1. One that begins after 10,000 rows of a list is refused
    page: NotRequired[int]
    # Most items on a page
    page_size: NotRequired[int]
    # In any form that dispatch takes
    phone_number: NotRequired[str]


class GetKeysQuery(TypedDict):
    # From 1. One that begins after 10,000 rows of a list is refused
    page: NotRequired[int]
    # Most items on a page
    page_size: NotRequired[int]


class KeyIdPath(TypedDict):
    key_id: str


class SessionIdPath(TypedDict):
    session_id: str


GetAuditQuery = TypedDict("GetAuditQuery", {"page": "NotRequired[int]", "page_size": "NotRequired[int]", "actor_kind": "NotRequired[Literal[\"api_key\", \"operator\", \"agent\", \"visitor\"]]", "actor_id": "NotRequired[str]", "action": "NotRequired[Literal[\"agent.archive\", \"agent.conversations\", \"agent.create\", \"agent.restore\", \"agent.update\", \"call.dispatch\", \"call.hangup\", \"call.listen\", \"call.transfer\", \"call.transfer_refused\", \"campaign.cancel\", \"campaign.create\", \"campaign.pause\", \"campaign.pause_all\", \"campaign.resume\", \"campaign.resume_all\", \"campaign.update\", \"console.link\", \"console.sign_in\", \"console.sign_in_failed\", \"delivery.redeliver\", \"dnd.add\", \"dnd.clear\", \"dnd.import\", \"dnd.remove\", \"key.create\", \"key.expire\", \"key.revoke\", \"mail.confirm\", \"mail.remove\", \"number.add\", \"number.import\", \"number.remove\", \"org.create\", \"org.update\", \"person.erase\", \"secret.create\", \"secret.revoke\", \"secret.rotate\", \"secrets.re-encrypt\", \"session.end\", \"storage.move\"]]", "subject_id": "NotRequired[str]", "from": "NotRequired[str]", "to": "NotRequired[str]"})

ErrorCode: TypeAlias = Literal[
    "AGENT_NOT_FOUND",
    "CALL_NOT_AUDIBLE",
    "CALL_NOT_FOUND",
    "CAMPAIGN_NOT_EDITABLE",
    "CAMPAIGN_NOT_FOUND",
    "CAMPAIGN_NOT_PAUSED",
    "CONCURRENCY_EXCEEDED",
    "CSRF_TOKEN_INVALID",
    "DELIVERY_NOT_FOUND",
    "FILE_NOT_FOUND",
    "FILE_TOO_LARGE",
    "IDEMPOTENCY_IN_PROGRESS",
    "IDEMPOTENCY_KEY_REUSED",
    "INSUFFICIENT_SCOPE",
    "INTERNAL_ERROR",
    "INVALID_API_KEY",
    "INVALID_CONTACT_FILE",
    "INVALID_DATE_RANGE",
    "INVALID_ENCODING",
    "INVALID_RETRY_CONFIG",
    "INVALID_SESSION",
    "INVALID_SIGNATURE",
    "INVALID_SIGN_IN_TOKEN",
    "INVALID_TIME_WINDOW",
    "KEY_NOT_FOUND",
    "MISSING_API_KEY",
    "NO_CONTACTS",
    "NO_DAYS_SELECTED",
    "NO_FIELDS_TO_UPDATE",
    "NUMBER_IN_USE",
    "NUMBER_NOT_YOURS",
    "OUTBOUND_NUMBER_NOT_ALLOWED",
    "PAYLOAD_TOO_LARGE",
    "QUOTA_EXCEEDED",
    "RANGE_NOT_SATISFIABLE",
    "RATE_LIMITED",
    "REALTIME_NOT_CONFIGURED",
    "RECORDING_NOT_FOUND",
    "SERVICE_UNAVAILABLE",
    "SESSION_NOT_FOUND",
    "SPEND_LIMIT_REACHED",
    "TOO_MANY_CONTACTS",
    "TOO_MANY_EMAILS",
    "TOO_MANY_KEYS",
    "TOO_MANY_SECRETS",
    "TRANSCRIPT_NOT_FOUND",
    "UNSUPPORTED_MEDIA_TYPE",
    "VALIDATION_ERROR",
    "VERSION_NOT_FOUND",
]
REQUESTS: dict[str, dict[str, bool]] = {
    "post /api/trigger-call/": {
        "idempotencyKey": True
    },
    "post /api/campaigns/create": {
        "form": True,
        "idempotencyKey": True
    },
    "post /api/campaigns/simulate": {
        "form": True,
        "reads": True
    },
    "post /api/campaigns/contact-file/preview": {
        "form": True
    }
}


class Operations:
    def _json(self, method: str, route: str, **options: Any) -> Any:
        raise NotImplementedError

    def _download(self, route: str, **options: Any) -> Any:
        raise NotImplementedError

    def _each(self, route: str, **options: Any) -> Any:
        raise NotImplementedError

    @overload
    def get(self, route: Literal["/api/agents"], /, *, query: GetAgentsQuery | None = None, headers: dict[str, str] | None = None) -> AgentPage | list[Agent]: ...
    @overload
    def get(self, route: Literal["/api/agent/{agent_id}"], /, *, path: AgentIdPath, query: GetAgentAgentIdQuery | None = None, headers: dict[str, str] | None = None) -> AgentWithConfig: ...
    @overload
    def get(self, route: Literal["/api/agent/{agent_id}/versions"], /, *, path: AgentIdPath, query: GetAgentAgentIdVersionsQuery | None = None, headers: dict[str, str] | None = None) -> AgentVersionPage: ...
    @overload
    def get(self, route: Literal["/api/agent/{agent_id}/conversations"], /, *, path: AgentIdPath, headers: dict[str, str] | None = None) -> KeptConversations: ...
    @overload
    def get(self, route: Literal["/api/call-history"], /, *, query: GetCallHistoryQuery | None = None, headers: dict[str, str] | None = None) -> CallPage: ...
    @overload
    def get(self, route: Literal["/api/call_details/{call_id}"], /, *, path: CallIdPath, headers: dict[str, str] | None = None) -> CallDetails: ...
    @overload
    def get(self, route: Literal["/api/transcript/{call_id}"], /, *, path: CallIdPath, query: GetTranscriptCallIdQuery | None = None, headers: dict[str, str] | None = None) -> Transcript: ...
    @overload
    def get(self, route: Literal["/api/campaigns/{campaign_id}/forecast"], /, *, path: CampaignIdPath, headers: dict[str, str] | None = None) -> SimulatedCampaign: ...
    @overload
    def get(self, route: Literal["/api/campaigns/"], /, *, query: GetCampaignsQuery | None = None, headers: dict[str, str] | None = None) -> CampaignPage: ...
    @overload
    def get(self, route: Literal["/api/campaigns/{campaign_id}"], /, *, path: CampaignIdPath, headers: dict[str, str] | None = None) -> CampaignDetail: ...
    @overload
    def get(self, route: Literal["/api/campaigns/{campaign_id}/contacts"], /, *, path: CampaignIdPath, query: GetCampaignsCampaignIdContactsQuery | None = None, headers: dict[str, str] | None = None) -> ContactPage: ...
    @overload
    def get(self, route: Literal["/api/contacts"], /, *, query: GetContactsQuery | None = None, headers: dict[str, str] | None = None) -> FoundContactPage: ...
    @overload
    def get(self, route: Literal["/api/webhook-deliveries"], /, *, query: GetWebhookDeliveriesQuery | None = None, headers: dict[str, str] | None = None) -> DeliveryPage: ...
    @overload
    def get(self, route: Literal["/api/webhook-deliveries/{delivery_id}"], /, *, path: DeliveryIdPath, headers: dict[str, str] | None = None) -> WebhookDeliveryDetails: ...
    @overload
    def get(self, route: Literal["/api/webhook-secrets"], /, *, headers: dict[str, str] | None = None) -> WebhookSecrets: ...
    @overload
    def get(self, route: Literal["/api/limits"], /, *, headers: dict[str, str] | None = None) -> Limits: ...
    @overload
    def get(self, route: Literal["/api/health"], /, *, headers: dict[str, str] | None = None) -> Health: ...
    @overload
    def get(self, route: Literal["/api/do-not-disturb"], /, *, query: GetDoNotDisturbQuery | None = None, headers: dict[str, str] | None = None) -> DoNotDisturbPage: ...
    @overload
    def get(self, route: Literal["/api/keys"], /, *, query: GetKeysQuery | None = None, headers: dict[str, str] | None = None) -> ApiKeyPage: ...
    @overload
    def get(self, route: Literal["/api/keys/{key_id}/sessions"], /, *, path: KeyIdPath, headers: dict[str, str] | None = None) -> KeySessionList: ...
    @overload
    def get(self, route: Literal["/api/audit"], /, *, query: GetAuditQuery | None = None, headers: dict[str, str] | None = None) -> AuditPage: ...
    @overload
    def get(self, route: Literal["/api/console/session"], /, *, headers: dict[str, str] | None = None) -> ConsoleSession: ...
    def get(self, route: str, /, **options: Any) -> Any:
        return self._json("get", route, **options)

    @overload
    def post(self, route: Literal["/api/create-agent"], /, *, body: CreateAgent, headers: dict[str, str] | None = None) -> CreatedAgent: ...
    @overload
    def post(self, route: Literal["/api/agent/{agent_id}/restore"], /, *, path: AgentIdPath, body: RestoreVersion, headers: dict[str, str] | None = None) -> VersionRestored: ...
    @overload
    def post(self, route: Literal["/api/trigger-call/"], /, *, body: Dispatch | SessionDispatch, idempotency_key: str | None = None, headers: dict[str, str] | None = None) -> Dispatched | BrowserSession: ...
    @overload
    def post(self, route: Literal["/api/calls/{call_id}/hangup"], /, *, path: CallIdPath, headers: dict[str, str] | None = None) -> HungUp: ...
    @overload
    def post(self, route: Literal["/api/calls/{call_id}/listen"], /, *, path: CallIdPath, headers: dict[str, str] | None = None) -> ListeningSession: ...
    @overload
    def post(self, route: Literal["/api/campaigns/create"], /, *, body: CreateCampaign, idempotency_key: str | None = None, headers: dict[str, str] | None = None) -> Campaign: ...
    @overload
    def post(self, route: Literal["/api/campaigns/simulate"], /, *, body: SimulateCampaign, headers: dict[str, str] | None = None) -> SimulatedCampaign: ...
    @overload
    def post(self, route: Literal["/api/campaigns/contact-file/preview"], /, *, body: PreviewContactFile, headers: dict[str, str] | None = None) -> ContactFilePreview: ...
    @overload
    def post(self, route: Literal["/api/campaigns/{campaign_id}/pause"], /, *, path: CampaignIdPath, headers: dict[str, str] | None = None) -> CampaignStanding: ...
    @overload
    def post(self, route: Literal["/api/campaigns/{campaign_id}/resume"], /, *, path: CampaignIdPath, headers: dict[str, str] | None = None) -> CampaignStanding: ...
    @overload
    def post(self, route: Literal["/api/campaigns/{campaign_id}/cancel"], /, *, path: CampaignIdPath, headers: dict[str, str] | None = None) -> CampaignStanding: ...
    @overload
    def post(self, route: Literal["/api/campaigns/pause-all"], /, *, headers: dict[str, str] | None = None) -> AllPaused: ...
    @overload
    def post(self, route: Literal["/api/campaigns/resume-all"], /, *, headers: dict[str, str] | None = None) -> AllResumed: ...
    @overload
    def post(self, route: Literal["/api/webhook-deliveries/redeliver"], /, *, body: RedeliveryRequest, headers: dict[str, str] | None = None) -> Redelivered: ...
    @overload
    def post(self, route: Literal["/api/webhook-deliveries/{delivery_id}/redeliver"], /, *, path: DeliveryIdPath, headers: dict[str, str] | None = None) -> Done: ...
    @overload
    def post(self, route: Literal["/api/webhook-secrets/rotate"], /, *, body: SecretRotation, headers: dict[str, str] | None = None) -> RotatedSecret: ...
    @overload
    def post(self, route: Literal["/api/do-not-disturb"], /, *, body: NewDoNotDisturbNumber, headers: dict[str, str] | None = None) -> DoNotDisturbNumber: ...
    @overload
    def post(self, route: Literal["/api/do-not-disturb/remove"], /, *, body: DoNotDisturbRemoval, headers: dict[str, str] | None = None) -> Done: ...
    @overload
    def post(self, route: Literal["/api/keys"], /, *, body: NewApiKey, headers: dict[str, str] | None = None) -> IssuedApiKey: ...
    @overload
    def post(self, route: Literal["/api/keys/{key_id}/revoke"], /, *, path: KeyIdPath, headers: dict[str, str] | None = None) -> ApiKey: ...
    @overload
    def post(self, route: Literal["/api/keys/{key_id}/sessions/end"], /, *, path: KeyIdPath, headers: dict[str, str] | None = None) -> EndedSessions: ...
    @overload
    def post(self, route: Literal["/api/keys/sessions/{session_id}/end"], /, *, path: SessionIdPath, headers: dict[str, str] | None = None) -> EndedSessions: ...
    @overload
    def post(self, route: Literal["/api/console/session"], /, *, body: ConsoleSignIn, headers: dict[str, str] | None = None) -> ConsoleSession: ...
    def post(self, route: str, /, **options: Any) -> Any:
        return self._json("post", route, **options)

    @overload
    def put(self, route: Literal["/api/agent/{agent_id}/conversations"], /, *, path: AgentIdPath, body: ReplaceConversations, headers: dict[str, str] | None = None) -> Done: ...
    @overload
    def put(self, route: Literal["/api/campaigns/{campaign_id}"], /, *, path: CampaignIdPath, body: CampaignEdit | CampaignEditForm, headers: dict[str, str] | None = None) -> UpdatedCampaign: ...
    def put(self, route: str, /, **options: Any) -> Any:
        return self._json("put", route, **options)

    @overload
    def patch(self, route: Literal["/api/agent/{agent_id}/persona"], /, *, path: AgentIdPath, body: Persona, headers: dict[str, str] | None = None) -> SectionUpdated: ...
    @overload
    def patch(self, route: Literal["/api/agent/{agent_id}/training"], /, *, path: AgentIdPath, body: Training, headers: dict[str, str] | None = None) -> SectionUpdated: ...
    @overload
    def patch(self, route: Literal["/api/agent/{agent_id}/experience"], /, *, path: AgentIdPath, body: Experience, headers: dict[str, str] | None = None) -> SectionUpdated: ...
    @overload
    def patch(self, route: Literal["/api/agent/{agent_id}/analysis"], /, *, path: AgentIdPath, body: Analysis, headers: dict[str, str] | None = None) -> SectionUpdated: ...
    @overload
    def patch(self, route: Literal["/api/agent/{agent_id}/deployment"], /, *, path: AgentIdPath, body: DeploymentUpdate, headers: dict[str, str] | None = None) -> SectionUpdated: ...
    def patch(self, route: str, /, **options: Any) -> Any:
        return self._json("patch", route, **options)

    def delete(self, route: Literal["/api/agent/{agent_id}"], /, *, path: AgentIdPath, headers: dict[str, str] | None = None) -> Done:
        answer: Done = self._json("delete", route, path=path, headers=headers)
        return answer

    @overload
    def download(self, route: Literal["/api/agents"], /, *, query: GetAgentsQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/agent/{agent_id}"], /, *, path: AgentIdPath, query: GetAgentAgentIdQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/agent/{agent_id}/versions"], /, *, path: AgentIdPath, query: GetAgentAgentIdVersionsQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/agent/{agent_id}/conversations"], /, *, path: AgentIdPath, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/call-history"], /, *, query: GetCallHistoryQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/call_details/{call_id}"], /, *, path: CallIdPath, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/transcript/{call_id}"], /, *, path: CallIdPath, query: GetTranscriptCallIdQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/stream/{call_id}"], /, *, path: CallIdPath, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/campaigns/{campaign_id}/forecast"], /, *, path: CampaignIdPath, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/campaigns/"], /, *, query: GetCampaignsQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/campaigns/{campaign_id}"], /, *, path: CampaignIdPath, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/campaigns/{campaign_id}/contacts"], /, *, path: CampaignIdPath, query: GetCampaignsCampaignIdContactsQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/contacts"], /, *, query: GetContactsQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/campaigns/{campaign_id}/file"], /, *, path: CampaignIdPath, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/campaigns/{campaign_id}/report"], /, *, path: CampaignIdPath, query: GetCampaignsCampaignIdReportQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/live"], /, *, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/campaigns/{campaign_id}/live"], /, *, path: CampaignIdPath, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/webhook-deliveries"], /, *, query: GetWebhookDeliveriesQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/webhook-deliveries/{delivery_id}"], /, *, path: DeliveryIdPath, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/webhook-secrets"], /, *, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/limits"], /, *, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/health"], /, *, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/do-not-disturb"], /, *, query: GetDoNotDisturbQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/keys"], /, *, query: GetKeysQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/keys/{key_id}/sessions"], /, *, path: KeyIdPath, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/audit"], /, *, query: GetAuditQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/console/session"], /, *, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    def download(self, route: str, /, **options: Any) -> Any:
        return self._download(route, **options)

    @overload
    def each(self, route: Literal["/api/agents"], /, *, query: GetAgentsQuery | None = None, headers: dict[str, str] | None = None) -> Iterator[Agent]: ...
    @overload
    def each(self, route: Literal["/api/agent/{agent_id}/versions"], /, *, path: AgentIdPath, query: GetAgentAgentIdVersionsQuery | None = None, headers: dict[str, str] | None = None) -> Iterator[AgentVersion]: ...
    @overload
    def each(self, route: Literal["/api/call-history"], /, *, query: GetCallHistoryQuery | None = None, headers: dict[str, str] | None = None) -> Iterator[Call]: ...
    @overload
    def each(self, route: Literal["/api/campaigns/"], /, *, query: GetCampaignsQuery | None = None, headers: dict[str, str] | None = None) -> Iterator[CampaignListItem]: ...
    @overload
    def each(self, route: Literal["/api/campaigns/{campaign_id}/contacts"], /, *, path: CampaignIdPath, query: GetCampaignsCampaignIdContactsQuery | None = None, headers: dict[str, str] | None = None) -> Iterator[Contact]: ...
    @overload
    def each(self, route: Literal["/api/contacts"], /, *, query: GetContactsQuery | None = None, headers: dict[str, str] | None = None) -> Iterator[FoundContact]: ...
    @overload
    def each(self, route: Literal["/api/webhook-deliveries"], /, *, query: GetWebhookDeliveriesQuery | None = None, headers: dict[str, str] | None = None) -> Iterator[WebhookDelivery]: ...
    @overload
    def each(self, route: Literal["/api/do-not-disturb"], /, *, query: GetDoNotDisturbQuery | None = None, headers: dict[str, str] | None = None) -> Iterator[DoNotDisturbNumber]: ...
    @overload
    def each(self, route: Literal["/api/keys"], /, *, query: GetKeysQuery | None = None, headers: dict[str, str] | None = None) -> Iterator[ApiKey]: ...
    @overload
    def each(self, route: Literal["/api/audit"], /, *, query: GetAuditQuery | None = None, headers: dict[str, str] | None = None) -> Iterator[AuditEntry]: ...
    def each(self, route: str, /, **options: Any) -> Any:
        return self._each(route, **options)
